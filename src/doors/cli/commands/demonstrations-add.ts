import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { readTextFile } from '../perform.ts'
import { writeJson } from '../report.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const [instruction = '', file = ''] = input.args
  const family = (options.family as string | undefined) ?? 'gqa'
  const program = await readTextFile(input, file)
  const added = await withPupil(input, (pupil) =>
    pupil.demonstrations.add({ family, instruction, program }),
  )
  if (global.json) writeJson(io, added)
  else io.stdout.write(`${added.id}\n`)
  return 0
}
