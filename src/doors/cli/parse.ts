import { Command, InvalidArgumentError, Option } from 'commander'
import { nearestNames } from '../../base/index.ts'
import type { CommandInput, CommandSpec, GlobalOptions, OptionSpec } from './command.ts'
import type { Io } from './io.ts'

/** Options that every command takes. */
export const GLOBAL: readonly OptionSpec[] = [
  { flags: '--json', about: 'print one JSON document on stdout, all else on stderr' },
  { flags: '-q, --quiet', about: 'say nothing but the result' },
  { flags: '-v, --verbose', about: 'say more, with the causes of errors' },
  { flags: '--no-color', about: 'no colours' },
  { flags: '--config <file>', about: 'read this configuration' },
  { flags: '--data <folder>', about: 'keep runs and pictures there' },
  { flags: '--store <address>', about: 'a SQLite file, or postgres://…' },
  { flags: '--space <name>', about: 'whose runs and lessons (home)' },
  { flags: '--profile <name>', about: 'models: photo, starter, hub or remote (photo)' },
  { flags: '--cwd <folder>', about: 'work as if started there' },
]

const INTRO = `Ask, check, edit and tag pictures by running visible steps. Works offline.`

/** The tree of commands; `act` is called with the one that was chosen. */
export function buildCommands(
  specs: readonly CommandSpec[],
  { io, version, act }: ParseOptions,
): Command {
  const root = new Command('pupil')
    .description(INTRO)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => termOf(command) })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // Errors are told once, by usage.ts, with the nearest words.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 100,
    })
    .exitOverride()
    .showSuggestionAfterError(false)
  for (const option of GLOBAL) root.addOption(toOption(option))
  root.addHelpText('after', examplesText(EXAMPLES))
  for (const spec of specs) addCommand(root, spec, { io, version, act })
  return root
}

interface ParseOptions {
  readonly io: Io
  readonly version: string
  readonly act: (spec: CommandSpec, input: CommandInput) => Promise<void>
}

const EXAMPLES = [
  'pupil ask street.jpg "How many people are there?"',
  'pupil edit dog.jpg "Blur the background except the dog" -o out.png',
  'pupil start',
]

function addCommand(parent: Command, spec: CommandSpec, options: ParseOptions): void {
  const command = parent
    .command(spec.name)
    .description(`${spec.about[0]?.toUpperCase()}${spec.about.slice(1)}.`)
    .summary(spec.about)
    .helpOption('-h, --help', 'print help')
    .allowUnknownOption(spec.dashes === true)
  for (const { name, about, optional, many } of spec.arguments ?? []) {
    const words = many === true ? `[${name}...]` : optional === true ? `[${name}]` : `<${name}>`
    command.argument(words, about)
  }
  for (const option of spec.options ?? []) command.addOption(toOption(option))
  command.addHelpText(
    'after',
    `${spec.more === undefined ? '' : `\n${spec.more}\n`}${examplesText(spec.examples)}`,
  )
  for (const inner of spec.commands ?? []) addCommand(command, inner, options)
  if (spec.commands !== undefined) command.helpCommand(false)
  if (spec.load === undefined) return
  command.action(async () => {
    const global = { color: true, ...command.optsWithGlobals<Partial<GlobalOptions>>() }
    const { json = false, quiet = false, verbose = false } = global
    await options.act(spec, {
      args: command.processedArgs.flat() as (string | undefined)[],
      options: command.opts(),
      global: { ...global, json, quiet, verbose },
      io: options.io,
    })
  })
}

/** `ask <picture> <instruction>`: options are a matter of the command's own help. */
function termOf(command: Command): string {
  const words = command.registeredArguments.map((one) =>
    one.required ? `<${one.name()}>` : `[${one.name()}]`,
  )
  return [command.name(), ...words].join(' ')
}

function toOption({ flags, about, kind = 'text' }: OptionSpec): Option {
  const option = new Option(flags, about)
  if (kind === 'number') return option.argParser(numberOf)
  if (kind === 'share') return option.argParser(shareOf)
  return kind === 'list'
    ? option.argParser((value, before: readonly string[] = []) => [...before, value])
    : option
}

function numberOf(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isInteger(value) || value < 0) {
    throw new InvalidArgumentError('Expected a whole number.')
  }
  return value
}

function shareOf(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1)) {
    throw new InvalidArgumentError('Expected a number from 0 to 1.')
  }
  return value
}

function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}\n`
}

/** The commands nearest to a word, for "Did you mean …?". */
export function nearestCommands(word: string, specs: readonly CommandSpec[]): readonly string[] {
  return nearestNames(
    word,
    specs.map((spec) => spec.name),
  )
}
