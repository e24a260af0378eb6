import type { Abortable } from '../base/index.ts'
import type { Demonstration, DemonstrationPool } from './demonstration.ts'
import type { SentenceEncoder, SentenceVector } from './encoder.ts'
import { cosine } from './encoder.ts'

interface IndexedDemonstration {
  readonly demonstration: Demonstration
  readonly vector: SentenceVector
}

/** The demonstrations of one family with their vectors, kept in step with the pool. */
export interface DemonstrationIndex {
  /** Reads what has changed in the pool since the last time; cheap when nothing has. */
  sync(options?: Abortable): Promise<void>
  /** Demonstrations with their cosine, best first; only those that pass `keep`. */
  search(
    vector: SentenceVector,
    limit: number,
    keep: (demonstration: Demonstration) => boolean,
  ): readonly FoundDemonstration[]
}

export interface FoundDemonstration {
  readonly demonstration: Demonstration
  readonly vector: SentenceVector
  /** Cosine with what was searched for. */
  readonly similarity: number
}

/** Dense vectors are all compared; of sparse ones, those that share the rarest terms, at most this many. */
const CANDIDATES = 2_000

/**
 * An index over one family of a pool.
 *
 * Sparse vectors lie in an inverted index and are read from the rarest term on, so that the time of a
 * search is bounded whatever the size of the pool; dense ones are scanned (product §5: a plain scan).
 */
export function demonstrationIndex(
  pool: DemonstrationPool,
  encoder: SentenceEncoder,
  family: string,
): DemonstrationIndex {
  const entries = new Map<string, IndexedDemonstration>()
  const postings = new Map<string, Set<string>>()
  let seen: number | undefined

  const drop = (id: string): void => {
    const entry = entries.get(id)
    entries.delete(id)
    if (entry === undefined || entry.vector instanceof Float32Array) return
    for (const term of entry.vector.keys()) postings.get(term)?.delete(id)
  }
  const add = (demonstration: Demonstration, vector: SentenceVector): void => {
    entries.set(demonstration.id, { demonstration, vector })
    if (vector instanceof Float32Array) return
    for (const term of vector.keys()) {
      const ids = postings.get(term)
      if (ids === undefined) postings.set(term, new Set([demonstration.id]))
      else ids.add(demonstration.id)
    }
  }

  return {
    sync: async (options) => {
      const version = await pool.version()
      if (version === seen) return
      const current = await pool.list(family)
      const alive = new Set(current.map(({ id }) => id))
      for (const id of [...entries.keys()]) if (!alive.has(id)) drop(id)
      const changed = current.filter((one) => !isSame(entries.get(one.id)?.demonstration, one))
      const vectors = await encoder.encode(
        changed.map(({ instruction }) => instruction),
        options,
      )
      changed.forEach((demonstration, i) => {
        drop(demonstration.id)
        const vector = vectors[i]
        if (vector !== undefined) add(demonstration, vector)
      })
      seen = version
    },
    search: (vector, limit, keep) =>
      candidates(vector, entries, postings, keep)
        .map(({ demonstration, vector: own }) => ({
          demonstration,
          vector: own,
          similarity: cosine(vector, own),
        }))
        .sort((a, b) => b.similarity - a.similarity || byRank(a.demonstration, b.demonstration))
        .slice(0, limit),
  }
}

/** Higher score first, then the older id (clova §2). */
export function byRank(a: Demonstration, b: Demonstration): number {
  return (
    b.score - a.score ||
    (a.createdAt ?? 0) - (b.createdAt ?? 0) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

function candidates(
  vector: SentenceVector,
  entries: ReadonlyMap<string, IndexedDemonstration>,
  postings: ReadonlyMap<string, ReadonlySet<string>>,
  keep: (demonstration: Demonstration) => boolean,
): readonly IndexedDemonstration[] {
  if (vector instanceof Float32Array) {
    return [...entries.values()].filter((entry) => keep(entry.demonstration))
  }
  const rarestFirst = [...vector.keys()]
    .map((term) => postings.get(term) ?? new Set<string>())
    .sort((a, b) => a.size - b.size)
  const found = new Map<string, IndexedDemonstration>()
  let read = 0
  for (const ids of rarestFirst) {
    for (const id of ids) {
      if (read++ >= CANDIDATES) break
      const entry = entries.get(id)
      if (entry !== undefined && keep(entry.demonstration)) found.set(id, entry)
    }
  }
  return found.size > 0 || entries.size > CANDIDATES
    ? [...found.values()]
    : [...entries.values()].filter((entry) => keep(entry.demonstration))
}

function isSame(a: Demonstration | undefined, b: Demonstration): boolean {
  return (
    a === b ||
    (a !== undefined &&
      a.instruction === b.instruction &&
      a.plan === b.plan &&
      a.program === b.program &&
      a.verdict === b.verdict &&
      a.score === b.score &&
      a.critique === b.critique &&
      a.unverified === b.unverified)
  )
}
