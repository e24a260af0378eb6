import { checkNumber, expected } from '../../base/index.ts'
import type { TransitionGraph } from './graph.ts'
import type { SeekTool } from './types.ts'

/** What one provider may be sent. */
export type Permission = 'never' | 'ask' | 'always'

/** What a run may spend and where it draws its lines (avis §8, §9). */
export interface SeekLimits {
  readonly maxToolCalls: number
  readonly maxLlmCalls: number
  readonly maxTokens: number
  /** 0: what costs money is off. */
  readonly maxCostUsd: number
  readonly maxMs: number
  readonly maxQueriesPerTool: number
  readonly maxObjects: number
  readonly maxRebinds: number
  /** Pooled weight that binds a visual answer. */
  readonly bindAt: number
  /** Pooled weight that makes an answer. */
  readonly answerAt: number
}

export const SEEK_LIMITS: SeekLimits = Object.freeze({
  ...{ maxToolCalls: 12, maxLlmCalls: 32, maxTokens: 60_000, maxCostUsd: 0, maxMs: 120_000 },
  ...{ maxQueriesPerTool: 3, maxObjects: 5, maxRebinds: 2, bindAt: 0.4, answerAt: 0.6 },
})

export interface SeekOptions extends Partial<SeekLimits> {
  readonly graph?: TransitionGraph
  /** These tools one after the other, whatever comes back: the paper's baseline, for ablations. */
  readonly sequence?: readonly SeekTool[]
  /** Tools not to be used, for ablations. */
  readonly without?: readonly SeekTool[]
  /** Nothing that needs a network. */
  readonly offline?: boolean
  /** A price that nobody knows is accepted. */
  readonly allowUnknownPrice?: boolean
  /** When nothing was found: one unsupported guess of a language model, beside the answer. */
  readonly allowGuess?: boolean
  /** Crops of people may be sent to image search. */
  readonly people?: 'allow'
  /** Recorded decisions shown; default 10. */
  readonly examples?: number
  /** Known answers are not read from the cache (they are still written). */
  readonly fresh?: boolean
}

const RANGES: Readonly<Record<keyof SeekLimits, { min: number; max?: number; integer?: boolean }>> =
  {
    maxToolCalls: { min: 0, integer: true },
    maxLlmCalls: { min: 0, integer: true },
    maxTokens: { min: 0, integer: true },
    maxCostUsd: { min: 0 },
    maxMs: { min: 0 },
    maxQueriesPerTool: { min: 1, integer: true },
    maxObjects: { min: 1, integer: true },
    maxRebinds: { min: 0, integer: true },
    bindAt: { min: 0, max: 1 },
    answerAt: { min: 0, max: 1 },
  }

const OTHER = [
  ...['graph', 'sequence', 'without', 'offline', 'allowUnknownPrice', 'allowGuess', 'people'],
  ...['examples', 'fresh'],
]

/**
 * The limits of a run, defaults filled in.
 *
 * @throws UserFault `E_ARGUMENT` for an option that is unknown or out of range
 */
export function readLimits(options: SeekOptions): SeekLimits {
  const keys = Object.keys(RANGES) as (keyof SeekLimits)[]
  for (const name of Object.keys(options)) {
    if (!keys.includes(name as keyof SeekLimits) && !OTHER.includes(name)) {
      throw expected(`one of ${[...keys, ...OTHER].join(', ')}`, 'an option', name)
    }
  }
  const given = keys.flatMap((key) => {
    const value = options[key]
    return value === undefined ? [] : [[key, checkNumber(value, key, RANGES[key])] as const]
  })
  return Object.freeze({ ...SEEK_LIMITS, ...Object.fromEntries(given) })
}
