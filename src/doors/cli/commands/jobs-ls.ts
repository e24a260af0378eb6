import type { CommandInput } from '../command.ts'
import { jobDocument, jobRows } from '../job-text.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { table } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const jobs = await withPupil(input, (pupil) => pupil.learning.jobs.list())
  if (global.json) writeJson(io, { jobs: jobs.map(jobDocument) })
  else if (jobs.length > 0) io.stdout.write(`${table(jobRows(jobs))}\n`)
  else if (!global.quiet)
    io.stderr.write('No jobs. They come with lessons where models take prompts.\n')
  return 0
}
