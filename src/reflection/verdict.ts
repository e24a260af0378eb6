import type { Abortable } from '../base/index.ts'
import type { RecordedCall } from '../llm/index.ts'
import type { Value } from '../program/index.ts'
import type { Attempt, Wish } from './attempt.ts'

/** Whom to blame for a wrong outcome. */
export interface Blame {
  readonly location: 'plan' | 'program' | 'tool'
  /** Index of the call among the executed ones; for `tool`, and for `program` where one is meant. */
  readonly step?: number
  /** The tool called at that step. */
  readonly tool?: string
  /** What the tool had to know (clova §4.2). */
  readonly concept?: string | null
  /** What the step should have given. */
  readonly expected?: Value
  /** True when a replay with `expected` gave the wished outcome. */
  readonly confirmed?: boolean
  /** 0..1 */
  readonly confidence: number
  readonly reason: string
}

/** The outcome of a reflection; without blames it is `none`, a regular outcome. */
export interface Verdict {
  readonly by: 'user' | 'global' | 'local' | 'replay'
  /** The first is acted on, the others are kept for the next round (the paper assumes one). */
  readonly blames: readonly Blame[]
  readonly calls: readonly RecordedCall[]
}

/** One way of finding whom to blame. */
export interface Reflector {
  readonly by: Verdict['by']
  /** @throws Unavailable `T_LLM`, UserFault `E_BUDGET`; rubbish from a model is the verdict none */
  reflect(attempt: Attempt, wish: Wish, options?: Abortable): Promise<Verdict>
}

/** The verdict that finds nothing to blame. */
export function noVerdict(by: Verdict['by'], calls: readonly RecordedCall[] = []): Verdict {
  return Object.freeze({ by, blames: Object.freeze([]), calls })
}
