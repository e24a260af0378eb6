import { independentSources, pooledWeight } from './agree.ts'
import { entryHash } from './entries.ts'
import { seekOutcome } from './agent.ts'
import type { Run } from '../step.ts'
import type { Citation, Claim, SeekCallStep, SeekOutcome, SeekReasonStep } from './types.ts'

/** What a check of a run's citations found. */
export interface Verified {
  readonly checked: number
  /** Those that do not resolve, with the reason. */
  readonly dropped: readonly { readonly claim: string; readonly why: string }[]
  /** The outcome with what is left: confidence anew, abstained when too little is. */
  readonly outcome: SeekOutcome
}

/**
 * Checks every citation of a run against what is stored: the text has the hash, the quote stands at its offsets.
 *
 * A claim that fails is dropped, the confidence falls with it, and an answer that loses its support is withdrawn.
 *
 * @returns undefined for a run of another agent
 * @source avis §13 (check)
 */
export function verifyRun(run: Pick<Run, 'steps'>): Verified | undefined {
  const outcome = seekOutcome(run)
  if (outcome === undefined) return undefined
  const { answer } = outcome
  if (answer === undefined) return { checked: 0, dropped: [], outcome }
  const dropped = answer.citations.flatMap((one) => {
    const why = faultOf(run, one)
    return why === undefined ? [] : [{ claim: one.claim, why }]
  })
  if (dropped.length === 0) return { checked: answer.citations.length, dropped, outcome }
  const lost = new Set(dropped.map(({ claim }) => claim))
  const kept = answer.citations.filter(({ claim }) => !lost.has(claim))
  const support = supportOf(run, answer.short)
  const before = pooledWeight(independentSources(support))
  const left = support.filter(({ id }) => !lost.has(id))
  const after = pooledWeight(independentSources(left))
  if (left.length === 0) {
    const { answer: _gone, ...without } = outcome
    return { checked: answer.citations.length, dropped, outcome: { ...without, kind: 'abstained' } }
  }
  const share = before === 0 ? 0 : after / before
  return {
    ...{ checked: answer.citations.length, dropped },
    outcome: {
      ...outcome,
      kind: after >= 0.6 - 1e-9 || outcome.kind !== 'answered' ? outcome.kind : 'partial',
      answer: {
        ...answer,
        citations: kept,
        confidence: answer.confidence * share,
        supported: answer.supported && after >= 0.6 - 1e-9,
      },
    },
  }
}

/** The claims that carry the answer's value. */
function supportOf(run: Pick<Run, 'steps'>, value: string): readonly Claim[] {
  const candidates = run.steps.flatMap((step) =>
    step.kind === 'reason' ? (step as SeekReasonStep).candidates : [],
  )
  return candidates.filter((one) => one.value === value).flatMap(({ support }) => support)
}

function faultOf(run: Pick<Run, 'steps'>, citation: Citation): string | undefined {
  const step = run.steps[citation.step]
  if (step?.kind !== 'call' || !('sought' in step)) return 'its call is not in the run'
  const entry = (step as SeekCallStep).sought.entries.find(({ id }) => id === citation.entry)
  if (entry === undefined) return 'its entry is not stored'
  if (entryHash(entry) !== citation.sha256) return 'the stored text has another hash'
  return entry.text.slice(citation.start, citation.end) === citation.quote
    ? undefined
    : 'the quote does not stand at its place'
}
