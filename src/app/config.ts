import type { BudgetLimits, Prices } from '../llm/index.ts'
import type { ToolSettings } from '../tools/index.ts'
import type { Environment } from './environment.ts'
import type { Profile } from './profile.ts'

/** What a language model is used for. */
export type LanguageRole = 'planner' | 'chat' | 'vqa' | 'list' | 'caption'

/** What a model is used for: language models, and the one that paints into pictures. */
export type Role = LanguageRole | 'generator' | 'embedder'

/** An address that speaks a known protocol; keys by the name of their variable, never themselves. */
export interface ProviderConfig {
  readonly baseURL?: string
  /** Name of the environment variable that holds the key. */
  readonly apiKeyEnv?: string
}

export interface Limits {
  /** Most pixels of a picture file; default 120 million. */
  readonly pixels: number
  /** Largest picture file in bytes; default 64 MiB. */
  readonly bytes: number
  /** Executed steps of a run; default 500. */
  readonly steps: number
  readonly stepSeconds: number
  readonly runSeconds: number
}

export interface ServerConfig {
  /** Default 127.0.0.1. */
  readonly host: string
  /** Default 4173; 0 takes any free one. */
  readonly port: number
}

/** Where the seeking agent may look; what is not set is not asked. Keys by the name of their variable. */
export interface SourcesConfig {
  /** Folder with the user's own texts, Markdown and HTML. */
  readonly documents?: string
  /** Whom the services of Wikimedia may write to; setting it turns Wikipedia and Wikidata on. */
  readonly contact?: string
  /** Language of Wikipedia and Wikidata; default `en`. */
  readonly language?: string
  /** Address of a SearXNG that answers JSON. */
  readonly searxng?: string
  /** Address of a `kiwix-serve` on this machine or network. */
  readonly kiwix?: string
  readonly kiwixBook?: string
  readonly braveKeyEnv?: string
  /** USD a request; without it Brave is not used, for its price is unknown. */
  readonly bravePrice?: number
  readonly cloudVisionKeyEnv?: string
  /** USD a request; without it Cloud Vision is not used. */
  readonly cloudVisionPrice?: number
  readonly serpapiKeyEnv?: string
  /** USD a request; without it Google Lens by SerpApi is not used. */
  readonly serpapiPrice?: number
  /** Folder of named pictures that serves as image search: folders of their name, or `metadata.jsonl`. */
  readonly pictureFolder?: string
  /** The picture world's drawings serve as image search; default false. */
  readonly world?: boolean
  /** Wikimedia Commons is searched by words; needs `contact`. */
  readonly commons?: boolean
  /** Openverse is searched by words. */
  readonly openverse?: boolean
  /** Whether pictures may be sent to services: `ask` shows each before it goes; default `never`. */
  readonly pictures?: 'never' | 'ask' | 'always'
}

/** Workers of the LLaVA-Plus protocol that chats may use. */
export interface WorkersConfig {
  /** A controller that knows tool workers, and model workers, by name. */
  readonly controller?: string
  /** Addresses by name; they are used before the controller is asked. */
  readonly addresses?: Readonly<Record<string, string>>
  /** Skills that are done there although they could be done here. */
  readonly prefer?: readonly string[]
  /** A model worker, by name, that answers chats. */
  readonly chat?: string
}

/** A server of the Model Context Protocol whose tools join ours: a program that is started, or an address. */
export interface ToolServerConfig {
  /** The program; it speaks the protocol on its standard input and output. */
  readonly command?: string
  readonly args?: readonly string[]
  /** Folder that the program is started in. */
  readonly cwd?: string
  /** Names of variables that it gets, beside those that every program needs. */
  readonly passEnv?: readonly string[]
  /** Address of a server over HTTP. */
  readonly url?: string
  /** Name of the variable that holds its bearer token. */
  readonly tokenEnv?: string
  /** Tools that may join, by their own names; nothing else does, whatever the server offers. */
  readonly allow: readonly string[]
  /** Task families that offer them beside `open`. */
  readonly families?: readonly string[]
  /** By tool: arguments that are pictures although their schema does not say so. */
  readonly pictures?: Readonly<Record<string, Readonly<Record<string, 'base64' | 'data-url'>>>>
}

/** How lessons are learnt in the background. */
export interface LearningConfig {
  /** Worker processes of `pupil start`; default 1, 0 leaves lessons to `pupil jobs work`. */
  readonly workers: number
  /** Memory that a worker process may take, in MiB; default 1500. */
  readonly memory: number
  /** Steps of a prompt; default those of the paper. */
  readonly steps?: number
  /** Pictures that prompts of a lesson are learnt from, at most; default by tool. */
  readonly pictures?: number
}

/** Everything that can be set, resolved: flags, environment, project file, user file, defaults. */
export interface Config {
  /** Folder of what is precious: runs, pictures, what was learnt. */
  readonly data: string
  /** Folder of what may be deleted: converted models, thumbnails, the built page. */
  readonly cache: string
  /** SQLite file (default `<data>/pupil.db`) or `postgres://…`. */
  readonly store: string
  /** Whose runs and lessons these are; default `home`. */
  readonly space: string
  /** Which models stand behind the tools; default `photo`. */
  readonly profile: Profile
  /** `provider/model` by role; none is set by default. */
  readonly models: Readonly<Partial<Record<Role, string>>>
  readonly providers: Readonly<Record<string, ProviderConfig>>
  /** By model id: money for a million tokens, so that money can be limited. */
  readonly prices: Prices
  /** Keeps replies of language models, so that the same request is paid once; default true. */
  readonly replyCache: boolean
  readonly budget: BudgetLimits
  readonly limits: Limits
  readonly tools: Partial<ToolSettings>
  readonly server: ServerConfig
  readonly sources: SourcesConfig
  readonly workers: WorkersConfig
  /** By short name, with which the names of their tools begin. */
  readonly toolServers: Readonly<Record<string, ToolServerConfig>>
  readonly learning: LearningConfig
  /** Start value of every run's random numbers; default 1. */
  readonly seed: number
}

/** What a configuration file may hold: any part of `Config`. */
export interface UserConfig {
  readonly data?: string
  readonly cache?: string
  readonly store?: string
  readonly space?: string
  readonly profile?: Profile
  readonly models?: Readonly<Partial<Record<Role, string>>>
  readonly providers?: Readonly<Record<string, ProviderConfig>>
  readonly prices?: Prices
  readonly replyCache?: boolean
  readonly budget?: BudgetLimits
  readonly limits?: Partial<Limits>
  readonly tools?: Partial<ToolSettings>
  readonly server?: Partial<ServerConfig>
  readonly sources?: SourcesConfig
  readonly workers?: WorkersConfig
  readonly toolServers?: Readonly<Record<string, ToolServerConfig>>
  readonly learning?: Partial<LearningConfig>
  readonly seed?: number
}

/** A configuration as it was resolved: the values, and where each came from. */
export interface ResolvedConfig {
  readonly config: Config
  /** By dotted path: `default`, `flag --space`, `PORT`, or a file. */
  readonly origins: Readonly<Record<string, string>>
  /** The project's file, when there is one. */
  readonly file?: string
}

export interface ResolveOptions {
  readonly env?: Environment
  readonly cwd?: string
  /** Values given by flags, the strongest. */
  readonly flags?: UserConfig
  /** A file to read instead of looking for the project's. */
  readonly file?: string
}

/** Gives back its argument: helps an editor complete `pupil.config.ts`. */
export function defineConfig(config: UserConfig): UserConfig {
  return config
}

/**
 * The configuration, resolved once; nothing below the door reads the environment again.
 *
 * @throws UserFault `E_CONFIG` naming the file or variable, the key and what was expected there
 */
export async function resolveConfig(options: ResolveOptions = {}): Promise<ResolvedConfig> {
  return (await import('./config-layers.ts')).resolveLayers(options)
}
