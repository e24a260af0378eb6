import { rankCandidates, sameText } from './agree.ts'
import type { Group } from './agree.ts'
import type { Candidate, Claim, Decomposition } from './types.ts'

/** A visual answer in force. */
export interface Binding {
  readonly value: string
  readonly group: Group
  /** Node that it opened. */
  readonly node: number
}

/**
 * What a run knows: claims, candidates, bindings. Facts outlive the branch that found them; only bindings
 * can be taken back, and then their value is barred.
 *
 * @source AVIS §3.1 (working memory); avis §8
 */
export interface WorkingMemory {
  readonly claims: readonly Claim[]
  readonly candidates: readonly Candidate[]
  readonly bindings: readonly (Binding | undefined)[]
  add(claims: readonly Claim[], candidates: readonly Candidate[]): void
  /** What was said of the thing looked at so far is not said of the next one. */
  leave(slot: number): void
  /** Candidates of a slot or of the answer, joined and ranked, barred ones left out. */
  ranked(slot: number | 'answer'): readonly Group[]
  bind(slot: number, binding: Binding): void
  /** Takes a binding back and bars its value. */
  reject(slot: number): void
  /** The first slot that nothing is bound to. */
  openSlot(): number | undefined
  values(): readonly (string | undefined)[]
  /** What the bound things are, by a source's own names for them: `wordnet:…`, `Q…`. */
  entities(): readonly string[]
  /** The best answer found under whatever was bound then, for a run that ends without one accepted. */
  bestAnswer():
    | { readonly groups: readonly Group[]; readonly bindings: readonly (Binding | undefined)[] }
    | undefined
  nextClaimId(): string
  nextFound(): number
}

export function createWorkingMemory(decomposition: Decomposition): WorkingMemory {
  const claims: Claim[] = []
  const candidates: Candidate[] = []
  const bindings: (Binding | undefined)[] = decomposition.visual.map(() => undefined)
  const barred: { readonly slot: number; readonly value: string }[] = []
  /** An answer found under a binding counts only while that binding stands. */
  const under = new Map<Candidate, readonly (Binding | undefined)[]>()
  const left = new Set<Candidate>()
  let ids = 0
  let found = 0
  const isUnder = (one: Candidate, these: readonly (Binding | undefined)[]): boolean =>
    namesOf(under.get(one) ?? []) === namesOf(these)
  const options = { recency: decomposition.recency }
  return {
    claims,
    candidates,
    bindings,
    add: (more, values) => {
      claims.push(...more)
      candidates.push(...values)
      for (const one of values) under.set(one, [...bindings])
    },
    ranked: (slot) => {
      const mine = candidates.filter(
        (one) =>
          one.slot === slot &&
          !left.has(one) &&
          !barred.some((bar) => bar.slot === slot && sameText(bar.value, one.value)) &&
          (slot !== 'answer' || isUnder(one, bindings)),
      )
      // Only the answer can be asked to be the latest; a thing shown is what it is.
      return rankCandidates(mine, { recency: slot === 'answer' && decomposition.recency })
    },
    leave: (slot) => {
      for (const one of candidates) if (one.slot === slot) left.add(one)
    },
    bind: (slot, binding) => void (bindings[slot] = binding),
    reject: (slot) => {
      const value = bindings[slot]?.value
      if (value !== undefined) barred.push({ slot, value })
      bindings[slot] = undefined
    },
    openSlot: () => {
      const open = bindings.findIndex((one) => one === undefined)
      return open === -1 ? undefined : open
    },
    values: () => bindings.map((one) => one?.value),
    entities: () =>
      bindings.flatMap((one) => {
        const qid = one?.group.members.find((member) => member.qid !== undefined)?.qid
        return qid === undefined ? [] : [qid]
      }),
    bestAnswer: () => {
      const answers = candidates.filter((one) => one.slot === 'answer')
      const choices = answers.map((one) => {
        const then = under.get(one) ?? []
        const groups = rankCandidates(
          answers.filter((other) => isUnder(other, then)),
          options,
        )
        return { groups, bindings: then }
      })
      const weight = (one: (typeof choices)[number]): number => one.groups[0]?.weight ?? 0
      return choices.toSorted((a, b) => weight(b) - weight(a))[0]
    },
    nextClaimId: () => `c${++ids}`,
    nextFound: () => found++,
  }
}

const namesOf = (bindings: readonly (Binding | undefined)[]): string =>
  bindings.map((one) => one?.value ?? '').join('\n')
