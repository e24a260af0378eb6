import type { CommandInput } from '../command.ts'
import { completionScript } from '../completion.ts'

export async function run(input: CommandInput): Promise<number> {
  const [shell = ''] = input.args
  const [{ COMMANDS }, { GLOBAL }] = await Promise.all([
    import('../commands.ts'),
    import('../parse.ts'),
  ])
  input.io.stdout.write(completionScript(shell, COMMANDS, GLOBAL))
  return 0
}
