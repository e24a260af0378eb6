import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'

export async function run(input: CommandInput): Promise<number> {
  return withPupil(input, async (pupil) => {
    input.io.stdout.write(await pupil.study.export())
    return 0
  })
}
