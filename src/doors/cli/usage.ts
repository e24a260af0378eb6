import type { Command, CommanderError } from 'commander'
import { UserFault } from '../../base/index.ts'
import type { CommandSpec } from './command.ts'
import type { Io } from './io.ts'
import { nearestCommands } from './parse.ts'
import { writeError } from './report.ts'

interface UsageContext {
  readonly root: Command
  readonly argv: readonly string[]
  readonly io: Io
  readonly specs: readonly CommandSpec[]
}

/** Codes with which commander ends after it has printed help or the version. */
const SHOWN = new Set(['commander.helpDisplayed', 'commander.version', 'commander.help'])

/** Says what was wrong with the words of the command line, and gives the exit code. */
export function usageExit(error: unknown, context: UsageContext): number {
  if (!isCommanderError(error)) throw error
  const { argv, io, specs } = context
  // Bare `pupil` prints help to stderr, as commander does; that is a usage error, `--help` is not.
  if (SHOWN.has(error.code)) {
    if (error.exitCode === 0) return 0
    if (argv.includes('--json')) writeError(noCommand(argv), { ...PLAIN, json: true, io })
    return 2
  }
  const message = error.message.replace(/^error: /, '')
  const unknown = /unknown command '([^']*)'/.exec(message)?.[1]
  const near = unknown === undefined ? [] : nearestCommands(unknown, siblings(argv, specs))
  const fault = new UserFault(
    'E_USAGE',
    `${message[0]?.toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, '.'),
    {
      fields: { argv },
      cure:
        near.length > 0
          ? `Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`
          : `See "pupil${helpPath(argv, specs)} --help".`,
    },
  )
  const json = argv.includes('--json')
  writeError(fault, { json, verbose: false, color: !argv.includes('--no-color'), io })
  return 2
}

const PLAIN = { verbose: false, color: false }

function noCommand(argv: readonly string[]): UserFault {
  return new UserFault('E_USAGE', 'No command was given.', {
    fields: { argv },
    cure: 'See "pupil --help".',
  })
}

function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && 'exitCode' in error && 'code' in error
}

/** The commands among which the unknown word stands: those of the group before it, or all. */
function siblings(argv: readonly string[], specs: readonly CommandSpec[]): readonly CommandSpec[] {
  return (
    specs.find((spec) => argv.includes(spec.name) && spec.commands !== undefined)?.commands ?? specs
  )
}

function helpPath(argv: readonly string[], specs: readonly CommandSpec[]): string {
  const spec = specs.find((one) => argv.includes(one.name))
  if (spec === undefined) return ''
  const inner = spec.commands?.find((one) => argv.includes(one.name))
  return ` ${spec.name}${inner === undefined ? '' : ` ${inner.name}`}`
}
