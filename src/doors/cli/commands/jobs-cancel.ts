import { UserFault } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { jobDocument } from '../job-text.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const [id = ''] = input.args
  const job = await withPupil(input, async ({ learning }) => {
    if (await learning.jobs.cancel(id)) return learning.jobs.get(id)
    throw new UserFault('E_JOBS', `No job "${id}" is waiting or running.`, {
      fields: { job: id },
      cure: 'List them with "pupil jobs ls".',
    })
  })
  if (global.json) writeJson(io, { job: job === undefined ? null : jobDocument(job) })
  else io.stdout.write(`${id} is cancelled; its lesson acts by its examples.\n`)
  return 0
}
