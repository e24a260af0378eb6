import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'

export async function run(input: CommandInput): Promise<number> {
  const [id = ''] = input.args
  await withPupil(input, (pupil) => pupil.demonstrations.remove(id))
  if (input.global.json) writeJson(input.io, { removed: id })
  return 0
}
