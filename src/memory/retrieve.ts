import type { Abortable } from '../base/index.ts'
import type { Demonstration, DemonstrationKind, DemonstrationPool } from './demonstration.ts'
import type { DemonstrationIndex, FoundDemonstration } from './demonstration-index.ts'
import { byRank, demonstrationIndex } from './demonstration-index.ts'
import type { SentenceEncoder } from './encoder.ts'
import { cosine } from './encoder.ts'
import { lexicalEncoder } from './lexical-encoder.ts'

/** Which of the four sets of a family to look in, for what, and how many. */
export interface DemonstrationQuery {
  readonly family: string
  readonly instruction: string
  readonly kind: DemonstrationKind
  readonly verdict: Demonstration['verdict']
  readonly k: number
}

export interface Retrieved {
  readonly demonstration: Demonstration
  /** Cosine of the instructions. */
  readonly similarity: number
}

export interface Retriever {
  readonly encoder: SentenceEncoder
  /** The k nearest, from the least to the most similar, so that the nearest stands last in a prompt. */
  nearest(query: DemonstrationQuery, options?: Abortable): Promise<readonly Retrieved[]>
}

/** Two demonstrations nearer than this with the same program are one. */
const NEAR_DUPLICATE = 0.98
/** Below this score a demonstration is out of use (clova §7). */
const LOWEST_SCORE = -2
/** How many more than k are looked at, so that near-duplicates leave enough. */
const SPARE = 8

/**
 * Finds the demonstrations nearest to an instruction, through an index that follows the pool.
 *
 * Near-duplicates are dropped (the better scored stays), unverified ones and those scored below −2 are
 * never given. Ties: higher score, then older id. Fewer than k exist: those.
 *
 * @param options.encoder  default: the lexical ranking
 * @source CLOVA §3.2; clova §2 (cosine, order, ties, near-duplicates)
 */
export function createRetriever(options: {
  readonly pool: DemonstrationPool
  readonly encoder?: SentenceEncoder
}): Retriever {
  const { pool, encoder = lexicalEncoder } = options
  const indexes = new Map<string, DemonstrationIndex>()
  const indexOf = (family: string): DemonstrationIndex => {
    const known = indexes.get(family)
    if (known !== undefined) return known
    const made = demonstrationIndex(pool, encoder, family)
    indexes.set(family, made)
    return made
  }
  return {
    encoder,
    nearest: async (query, abortable) => {
      const index = indexOf(query.family)
      await index.sync(abortable)
      const [vector] = await encoder.encode([query.instruction], abortable)
      if (vector === undefined || query.k < 1) return []
      const found = index.search(vector, query.k * SPARE, (one) => belongs(one, query))
      const different = withoutDoubles(found, query.kind)
      return different
        .slice(0, query.k)
        .reverse()
        .map(({ demonstration, similarity }) => ({ demonstration, similarity }))
    },
  }
}

function belongs(demonstration: Demonstration, { kind, verdict }: DemonstrationQuery): boolean {
  return (
    demonstration[kind] !== undefined &&
    demonstration.verdict === verdict &&
    demonstration.unverified !== true &&
    demonstration.score >= LOWEST_SCORE
  )
}

function withoutDoubles(
  found: readonly FoundDemonstration[],
  kind: DemonstrationKind,
): readonly FoundDemonstration[] {
  const text = ({ demonstration }: FoundDemonstration): string =>
    demonstration.program ?? demonstration[kind] ?? ''
  const kept: FoundDemonstration[] = []
  for (const one of found) {
    const at = kept.findIndex(
      (other) => text(one) === text(other) && cosine(one.vector, other.vector) >= NEAR_DUPLICATE,
    )
    const other = kept[at]
    if (other === undefined) kept.push(one)
    else if (byRank(one.demonstration, other.demonstration) < 0) kept[at] = one
  }
  return kept.sort((a, b) => b.similarity - a.similarity)
}
