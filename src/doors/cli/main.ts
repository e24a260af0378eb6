import type { CommandInput, CommandSpec } from './command.ts'
import { COMMANDS } from './commands.ts'
import type { Io } from './io.ts'
import { processIo } from './process-io.ts'

/**
 * The command line: does what `argv` says and gives the exit code (0 done, 1 failed, 2 usage).
 *
 * Loads almost nothing itself; each command brings what it needs.
 */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  const { buildCommands } = await import('./parse.ts')
  let code = 0
  const root = buildCommands(COMMANDS, {
    io,
    version: await readVersion(),
    act: async (spec, input) => {
      code = await act(spec, input)
    },
  })
  try {
    await root.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    const { usageExit } = await import('./usage.ts')
    return usageExit(error, { root, argv, io, specs: COMMANDS })
  }
}

async function act(spec: CommandSpec, input: CommandInput): Promise<number> {
  try {
    const command = await spec.load?.()
    return (await command?.run(input)) ?? 2
  } catch (error) {
    const { reportError } = await import('./report.ts')
    return reportError(error, input)
  }
}

async function readVersion(): Promise<string> {
  const { version } = await import('../../app/index.ts')
  return version
}
