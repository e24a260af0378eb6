import { Unavailable } from '../../base/index.ts'
import type { Clock } from '../../base/index.ts'
import type { Box, Image } from '../../image/index.ts'

/** The tools that a source can stand behind (avis §11); choosing an object is not one of them. */
export type SourceTool =
  | 'caption'
  | 'vqa'
  | 'detect'
  | 'ocr'
  | 'image_search'
  | 'web_search'
  | 'open_page'
  | 'kb_lookup'
  | 'llm_qa'

/** Why a source gave nothing; what happens next is decided by it (avis §7). */
export type FaultReason =
  | 'timeout'
  | 'network'
  | 'server'
  | 'rate-limited'
  | 'auth'
  | 'config'
  | 'quota'
  | 'bad-response'
  | 'too-large'
  | 'blocked'
  | 'cancelled'

/** What a source is asked. Boxes are pixels of the picture as given. */
export interface SourceArgs {
  readonly picture?: Image
  /** Whole pixels of `picture`; left out: all of it. */
  readonly region?: Box
  readonly q?: string
  /** The thing that the query is about, where it is known. */
  readonly subject?: string
  /** Of an entry that was found before; never written by a model. */
  readonly url?: string
  /** For `kb_lookup`: what the subject is by a source's own name for it, as `wordnet:2121620` or `Q146`. */
  readonly entities?: readonly string[]
  /** What is known so far, for `llm_qa`. */
  readonly claims?: readonly string[]
}

/** One thing found: a page, an entity, a fact. All its texts are from outside. */
export interface FoundEntry {
  readonly title?: string
  readonly text?: string
  readonly snippet?: string
  readonly description?: string
  readonly url?: string
  readonly date?: string
  readonly score?: number
  readonly kind?: string
  readonly entity?: string
  readonly qid?: string
  readonly revision?: string
  readonly licence?: string
  readonly source?: string
  /** Which of several providers asked together gave it; the agent says so. */
  readonly provider?: string
  /** Where in its file the text starts, for the user's documents. */
  readonly offset?: number
}

export interface FoundBox {
  readonly id: string
  readonly label: string
  readonly score: number
  /** Pixels of the picture as given. */
  readonly box: Box
}

export interface FoundLine {
  readonly text: string
  /** Pixels of the picture as given. */
  readonly box?: Box
  readonly conf?: number
}

/** What a source gives back; which fields, the tool says (avis §11). JSON, so that it can be stored. */
export interface SourceOutput {
  readonly text?: string
  readonly score?: number
  readonly title?: string
  readonly url?: string
  readonly date?: string
  readonly boxes?: readonly FoundBox[]
  readonly lines?: readonly FoundLine[]
  readonly entries?: readonly FoundEntry[]
  readonly infobox?: Readonly<Record<string, unknown>>
  readonly answers?: readonly string[]
  readonly related?: readonly string[]
  readonly licence?: string
  readonly revision?: string
  /** Engines that a meta search could not reach, in its words. */
  readonly failedEngines?: readonly string[]
  /** Rows that were left out because they lacked what they must have. */
  readonly dropped?: number
  /** Tokens that a language model behind it used. */
  readonly tokens?: { readonly input: number; readonly output: number }
}

export interface SourceCall {
  readonly signal?: AbortSignal | undefined
  readonly clock: Clock
}

/**
 * One way to do what a tool does: a model here, a file on disk, a service elsewhere.
 *
 * @throws Unavailable `E_TOOL` with `fields.reason` (a `FaultReason`), by `sourceFault`
 */
export interface SourceProvider {
  /** Unique, such as `wikipedia/en`. */
  readonly id: string
  readonly version: string
  readonly tool: SourceTool
  readonly needsNetwork: boolean
  readonly needsKey: boolean
  /** It can only look at a picture that stands at a public address. */
  readonly needsPublicUrl: boolean
  /** It knows things by their names only: the same subject in other words gives the same. */
  readonly byName?: true
  /** What leaves the machine. */
  readonly sends: 'none' | 'text' | 'image'
  /** USD a call; null when it is not known. */
  readonly price: number | null
  readonly licence: string
  /** Whether its answers may be kept after the run. */
  readonly mayStore: boolean
  readonly timeoutMs: number
  /** Why it cannot be used now, one sentence with the way out; null when it can. */
  probe(): Promise<string | null>
  call(args: SourceArgs, options: SourceCall): Promise<SourceOutput>
}

/** A named failure of a source, as an error of this house. */
export function sourceFault(
  provider: string,
  reason: FaultReason,
  message: string,
  more: {
    readonly retryAfter?: number
    readonly cure?: string
    readonly cause?: unknown
    readonly body?: string
  } = {},
): Unavailable {
  const { retryAfter, cure, cause, body } = more
  return new Unavailable('E_TOOL', `${provider}: ${message}`, {
    fields: {
      ...{ provider, reason },
      ...(body === undefined ? {} : { untrusted: body.slice(0, 200) }),
    },
    ...(cure === undefined ? {} : { cure }),
    ...(cause === undefined ? {} : { cause }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

/** The reason of a failure; what is none of ours is a failure of the network. */
export function faultReason(error: unknown): FaultReason {
  const reason = error instanceof Unavailable ? error.fields['reason'] : undefined
  return typeof reason === 'string' ? (reason as FaultReason) : 'network'
}

/** The settings that most local sources share: nothing leaves the machine, nothing is paid. */
export const LOCAL_SOURCE = {
  version: '1',
  needsNetwork: false,
  needsKey: false,
  needsPublicUrl: false,
  sends: 'none',
  price: 0,
  mayStore: true,
  timeoutMs: 30_000,
  probe: async () => null,
} as const
