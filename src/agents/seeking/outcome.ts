import { confidenceOf } from './agree.ts'
import type { Group } from './agree.ts'
import { asksOnlyWhatIsShown } from './decompose.ts'
import type { SeekState } from './state.ts'
import type { Citation, Claim, Conflict, SeekAnswer, SeekOutcome, StopReason } from './types.ts'
import type { Binding } from './working-memory.ts'

export const CANNOT_BE_ANSWERED = 'cannot be answered'

/** Pooled weight from which something unsure is still given, as such. */
const PARTIAL_AT = 0.2

/**
 * How a run came out: answered, partly supported, abstained with what was tried, or failed.
 *
 * @source avis §8 (stopping)
 */
export function outcomeOf(
  state: SeekState,
  stop: StopReason,
  more: { readonly contradicts?: string; readonly guess?: string } = {},
): SeekOutcome {
  const common = {
    stop,
    tried: [...state.tried],
    sourcesFailed: [...state.desk.failed].map(([provider, reason]) => ({ provider, reason })),
    degraded: [...state.degraded],
    plannerErrors: state.plannerErrors,
    replayable: state.replayable,
    ...more,
  }
  if (stop === 'cancelled') return { ...common, kind: 'failed' }
  if (stop === 'false-premise') return { ...common, kind: 'abstained' }
  const best = bestAnswer(state)
  if (best !== undefined && (stop === 'answer' || best.weight >= PARTIAL_AT - 1e-9)) {
    return { ...common, kind: stop === 'answer' ? 'answered' : 'partial', answer: best.answer }
  }
  const learnt = state.memory.claims.length > 0
  const allFailed = state.calls > 0 && state.failedCalls === state.calls
  return { ...common, kind: allFailed && !learnt ? 'failed' : 'abstained' }
}

function bestAnswer(
  state: SeekState,
): { readonly answer: SeekAnswer; readonly weight: number } | undefined {
  const { memory, decomposition, limits } = state
  if (asksOnlyWhatIsShown(decomposition.knowledge)) {
    const groups = memory.ranked(0)
    const best = groups[0]
    if (best === undefined) return undefined
    const answer = answerOf(state, groups, [undefined], limits.answerAt)
    return answer === undefined ? undefined : { answer, weight: best.weight }
  }
  const standing = memory.ranked('answer')
  const chosen =
    standing.length > 0 ? { groups: standing, bindings: memory.bindings } : memory.bestAnswer()
  const best = chosen?.groups[0]
  if (chosen === undefined || best === undefined) return undefined
  const answer = answerOf(state, chosen.groups, chosen.bindings, limits.answerAt)
  return answer === undefined ? undefined : { answer, weight: best.weight }
}

function answerOf(
  state: SeekState,
  groups: readonly Group[],
  bindings: readonly (Binding | undefined)[],
  answerAt: number,
): SeekAnswer | undefined {
  const [best, ...losers] = groups
  if (best === undefined) return undefined
  const bound = bindings.filter((one) => one !== undefined)
  const slotConfidence = bound.map((one) => {
    const all = state.memory
      .ranked(bindings.indexOf(one))
      .filter((group) => group.value !== one.value)
    return confidenceOf(one.group, all)
  })
  const confidence = slotConfidence.reduce((all, one) => all * one, confidenceOf(best, losers))
  const claims = [
    ...best.members.flatMap(({ support }) => support),
    ...bound.flatMap(({ group }) => group.members.flatMap(({ support }) => support)),
  ]
  const slotConflicts = bound.flatMap((one) => {
    const slot = bindings.indexOf(one)
    const losing = state.memory.ranked(slot).filter((group) => group.value !== one.value)
    return losing.map((group) =>
      conflictOf(state, group, bindings.length > 1 ? `#${slot + 1}` : '#'),
    )
  })
  return {
    ...{ short: best.value, shown: best.best.shown, confidence },
    supported: best.weight >= answerAt - 1e-9,
    citations: uniqueCitations(state, claims),
    conflicts: [...losers.map((group) => conflictOf(state, group, 'answer')), ...slotConflicts],
    derivation: best.best.derivation,
    ...(best.date === undefined ? {} : { date: best.date }),
    bindings: bindings.map((one) => one?.value ?? '').filter((one) => one !== ''),
  }
}

function conflictOf(state: SeekState, group: Group, slot: string): Conflict {
  return {
    ...{ slot, value: group.value },
    sources: uniqueCitations(
      state,
      group.members.flatMap(({ support }) => support),
    ),
    ...(group.date === undefined ? {} : { date: group.date }),
  }
}

function uniqueCitations(state: SeekState, claims: readonly Claim[]): readonly Citation[] {
  return [...new Map(claims.map((one) => [one.id, citationOf(state, one)])).values()]
}

/** A citation that resolves: the stored text by its hash, the quote by its offsets. */
function citationOf(state: SeekState, claim: Claim): Citation {
  const { source, id, tool, entry, sha256, quote, start, end, box, date, step } = claim
  const call = state.steps[step]
  const { title, url, revision, licence } = source
  const stepLicence = call !== undefined && 'sought' in call ? call.sought.licence : undefined
  const says = licence ?? stepLicence
  return {
    ...{ claim: id, tool, provider: source.provider, step, entry, sha256, quote, start, end },
    at: call?.kind === 'call' ? call.start : 0,
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    ...(revision === undefined ? {} : { revision }),
    ...(says === undefined || says === '' ? {} : { licence: says }),
    ...(box === undefined ? {} : { box }),
    ...(date === undefined ? {} : { date }),
  }
}
