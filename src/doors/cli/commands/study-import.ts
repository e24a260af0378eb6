import { UserFault } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { readTextFile } from '../perform.ts'
import { writeJson } from '../report.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, args, options } = input
  const [file] = args
  const shipped = options['world'] === true
  if (shipped === (file !== undefined)) {
    throw new UserFault('E_USAGE', 'Expected a file, or --world.', {
      cure: 'Give what "pupil study export" wrote, "-" for standard input, or --world.',
    })
  }
  const text = file === undefined ? '' : await readTextFile(input, file)
  return withPupil(input, async (pupil) => {
    const { added, problems } =
      file === undefined ? await pupil.study.importShipped() : await pupil.study.import(text, file)
    if (global.json) writeJson(io, { added, problems })
    else io.stdout.write(`${added} decisions were added.\n`)
    for (const problem of problems) io.stderr.write(`${problem}\n`)
    return problems.length > 0 && added === 0 ? 1 : 0
  })
}
