import { UserFault } from '../../base/index.ts'
import type { CommandSpec, OptionSpec } from './command.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** A command as completion sees it. */
interface Place {
  /** Words after `pupil`, none for itself. */
  readonly words: readonly string[]
  readonly commands: readonly CommandSpec[]
  readonly options: readonly OptionSpec[]
}

/**
 * A script that completes commands, their options and files.
 *
 * @param global  options that every command takes
 * @throws UserFault `E_USAGE` for another shell
 */
export function completionScript(
  shell: string,
  specs: readonly CommandSpec[],
  global: readonly OptionSpec[],
): string {
  const places = placesOf(specs, global)
  switch (shell as Shell) {
    case 'bash':
      return bashScript(places)
    case 'zsh':
      return zshScript(places)
    case 'fish':
      return fishScript(places)
    default:
      throw new UserFault('E_USAGE', `Expected one of ${SHELLS.join(', ')} but got "${shell}".`, {
        fields: { shell, known: SHELLS },
      })
  }
}

function placesOf(specs: readonly CommandSpec[], global: readonly OptionSpec[]): readonly Place[] {
  const below = (words: readonly string[], commands: readonly CommandSpec[]): readonly Place[] =>
    commands.flatMap((spec) => {
      const here = [...words, spec.name]
      const place = {
        ...{ words: here, commands: spec.commands ?? [] },
        options: [...(spec.options ?? []), ...global],
      }
      return [place, ...below(here, place.commands)]
    })
  return [{ words: [], commands: specs, options: global }, ...below([], specs)]
}

/** `--out` and `-o` of `-o, --out <file>`. */
function flagsOf({ flags }: OptionSpec): readonly string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'))
}

const pathOf = (words: readonly string[]): string => words.map((word) => `/${word}`).join('')
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function bashScript(places: readonly Place[]): string {
  const known = places.slice(1).map(({ words }) => pathOf(words))
  const cases = places.map(({ words, commands, options }) => {
    const flags = [...options.flatMap(flagsOf), '-h', '--help'].join(' ')
    const names = commands.map(({ name }) => name).join(' ')
    return `    ${quoted(pathOf(words))}) names=${quoted(names)} flags=${quoted(flags)} ;;`
  })
  return `# Completion of pupil for bash: eval "$(pupil completion bash)"
_pupil() {
  local current=\${COMP_WORDS[COMP_CWORD]} place= names= flags= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$place/\${COMP_WORDS[i]}" in
      ${known.join(' | \\\n      ')}) place="$place/\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$names" -- "$current")) ;;
  esac
}
complete -o default -F _pupil pupil
`
}

function zshScript(places: readonly Place[]): string {
  const known = places.slice(1).map(({ words }) => pathOf(words))
  const told = (name: string, about: string): string =>
    quoted(`${name.replaceAll(':', '\\:')}:${about.replaceAll(':', '\\:')}`)
  const cases = places.map(({ words, commands, options }) => {
    const names = commands.map(({ name, about }) => told(name, about)).join(' ')
    const flags = options.flatMap((one) => flagsOf(one).map((flag) => told(flag, one.about)))
    return `    ${quoted(pathOf(words))}) names=(${names}) flags=(${flags.join(' ')}) ;;`
  })
  return `#compdef pupil
# Completion of pupil for zsh: eval "$(pupil completion zsh)"
_pupil() {
  local place= i
  local -a names flags
  for ((i = 2; i < CURRENT; i++)); do
    case "$place/\${words[i]}" in
      (${known.join('|')}) place="$place/\${words[i]}" ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe option flags
  elif (( \${#names} )); then
    _describe command names
  else
    _files
  fi
}
compdef _pupil pupil
`
}

function fishScript(places: readonly Place[]): string {
  const told = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = places.flatMap(({ words, commands, options }) => {
    const at = words.length === 0 ? '' : words.map((word) => ` ${word}`).join('')
    const when = `-n '__pupil_at${at}'`
    const flags = options.map((one) => {
      const names = flagsOf(one).map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      )
      return `complete -c pupil ${when} ${names.join(' ')} -d ${told(one.about)}`
    })
    const names = commands.map(
      ({ name, about }) => `complete -c pupil ${when} -f -a ${name} -d ${told(about)}`,
    )
    return [...names, ...flags]
  })
  return `# Completion of pupil for fish: pupil completion fish | source
function __pupil_at
  set -l said (commandline -opc)
  set -e said[1]
  set said (string match -v -- '-*' $said)
  if test (count $argv) -eq 0
    test (count $said) -eq 0
    return
  end
  test (count $said) -ge (count $argv); and test "$said[1..(count $argv)]" = "$argv"
end
${lines.join('\n')}
`
}
