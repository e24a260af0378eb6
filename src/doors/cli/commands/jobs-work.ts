import type { CommandInput } from '../command.ts'
import { workOff } from '../job-text.ts'
import { withPupil } from '../open.ts'

export async function run(input: CommandInput): Promise<number> {
  return withPupil(input, async (pupil) => workOff(input, pupil))
}
