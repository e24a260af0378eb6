import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, args } = input
  const [name = ''] = args
  return withPupil(input, async (pupil) => {
    const of = name.startsWith('sha256:') ? { picture: name } : { runId: name }
    const gone = await pupil.study.forget(of)
    if (global.json) writeJson(io, { forgotten: gone })
    else io.stdout.write(`${gone} decisions were deleted.\n`)
    return 0
  })
}
