import type { Abortable } from '../base/index.ts'
import type { Image } from '../image/index.ts'

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: Image }

export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly Part[] }
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly toolCalls?: readonly ToolCallPart[]
    }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly name: string
      readonly content: string
      readonly isError?: boolean
      /** Pictures that the tool made. Providers send them as a user turn after the results. */
      readonly pictures?: readonly Image[]
    }

export interface ToolCallPart {
  readonly id: string
  readonly name: string
  readonly args: unknown
}

/** A tool offered to the model for native calls; `parameters` is a JSON Schema. */
export interface ToolOffer {
  readonly name: string
  readonly about: string
  readonly parameters: object
}

/** What is asked of a language model; everything in it enters the cache key. */
export interface ModelRequest {
  readonly messages: readonly Message[]
  /** Default 0. */
  readonly temperature?: number
  readonly topP?: number
  /** New tokens at most; default 768. */
  readonly maxTokens?: number
  readonly seed?: number
  readonly stop?: readonly string[]
  /** JSON Schema that the reply must satisfy; used natively where the provider can. */
  readonly schema?: { readonly name: string; readonly json: object }
  /** GBNF that constrains decoding; used only by providers with `capabilities.grammar`. */
  readonly grammar?: string
  readonly tools?: readonly ToolOffer[]
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** In the currency of the price list (USD), when a price is known. */
  readonly cost?: number
  /** True when the server did not count and these are estimates. */
  readonly estimated?: boolean
}

export interface ModelReply {
  readonly text: string
  readonly toolCalls: readonly ToolCallPart[]
  readonly finish: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other'
  readonly usage: Usage
  /** Model id as it answered, `provider/name`. */
  readonly model: string
  readonly ms: number
  /** True when it came from the reply cache or a record. */
  readonly cached: boolean
  /** Settings that the provider could not follow, in its words. */
  readonly warnings?: readonly string[]
}

export type ReplyPart =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCallPart }
  | { readonly type: 'finish'; readonly reply: ModelReply }

/** What a model can do; unknown until probed. */
export interface ModelCapabilities {
  readonly vision?: boolean
  readonly visionWithTools?: boolean
  readonly json?: boolean
  readonly grammar?: boolean
  readonly tools?: boolean
  /** How the model writes boxes. */
  readonly boxFrame?: 'pixels' | 'relative-1000' | 'relative-1' | 'none'
  readonly contextTokens?: number
}

/**
 * A language model behind our own port.
 *
 * @throws Unavailable `T_LLM` when it does not answer (with `retryAfter` when it said so),
 *   UserFault `E_MODEL_KEY` when a key is missing, ModelFault `E_MODEL_REPLY` for rubbish.
 */
export interface LanguageModel {
  /** `provider/name`, split at the first slash. */
  readonly id: string
  readonly capabilities: ModelCapabilities
  generate(request: ModelRequest, options?: Abortable): Promise<ModelReply>
  stream(request: ModelRequest, options?: Abortable): AsyncIterable<ReplyPart>
}

/** Counts what has been spent and stops what would go over (product R6). */
export interface Budget {
  readonly limits: BudgetLimits
  spent(): Spent
  /** Asks before an act. @throws UserFault `E_BUDGET` naming a limit that is reached already. */
  charge(amount: Partial<Spent>): void
  /** Notes after an act what is only known then; never throws. */
  record(amount: Partial<Spent>): void
  /** The limit that is reached, or undefined. */
  exhausted(): keyof Spent | undefined
}

export interface Spent {
  readonly calls: number
  readonly tokens: number
  readonly seconds: number
  readonly money: number
  readonly pictures: number
}

export type BudgetLimits = Partial<Spent>
