import type { Io } from './io.ts'

/** A positional argument. */
export interface ArgumentSpec {
  readonly name: string
  readonly about: string
  readonly optional?: true
  /** Any number of them, also none; the last argument only. */
  readonly many?: true
}

/** An option as commander writes it: `-o, --out <file>`. */
export interface OptionSpec {
  readonly flags: string
  readonly about: string
  /** `list` may be given several times; a `number` is whole, a `share` from 0 to 1; both are checked. */
  readonly kind?: 'text' | 'number' | 'share' | 'list'
}

/** A command as data, so that `--help` loads nothing that a command needs. */
export interface CommandSpec {
  readonly name: string
  readonly about: string
  readonly arguments?: readonly ArgumentSpec[]
  readonly options?: readonly OptionSpec[]
  readonly examples: readonly string[]
  /** Arguments may begin with a dash, as `-7 // 2` does. */
  readonly dashes?: true
  /** More words under `--help`. */
  readonly more?: string
  readonly commands?: readonly CommandSpec[]
  readonly load?: () => Promise<CommandModule>
}

/** What a command is called with. */
export interface CommandInput {
  readonly args: readonly (string | undefined)[]
  readonly options: Readonly<Record<string, unknown>>
  readonly global: GlobalOptions
  readonly io: Io
}

/** Options that every command takes. */
export interface GlobalOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly color: boolean
  readonly config?: string
  readonly data?: string
  readonly store?: string
  readonly space?: string
  readonly profile?: string
  readonly cwd?: string
}

export interface CommandModule {
  /** Runs the command. @returns the exit code: 0 done, 1 failed, 2 usage */
  readonly run: (input: CommandInput) => Promise<number>
}
