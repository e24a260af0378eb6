import { confidenceOf, decidingOrder } from './agree.ts'
import type { Group } from './agree.ts'
import { checkReading } from './check-reading.ts'
import type { Checked } from './check-reading.ts'
import { asksOnlyWhatIsShown } from './decompose.ts'
import { extractReading } from './extract.ts'
import { knowledgeQuestion, visualQuestion } from './feasible.ts'
import { readByModel } from './reasoner.ts'
import type { Read } from './reasoner.ts'
import { situationOf } from './state.ts'
import type { SeekState } from './state.ts'
import type { Acted } from './act.ts'
import type { Action, SeekReasonStep } from './types.ts'

/** What a call's output came to. */
export interface Judged {
  readonly verdict: Checked['verdict']
  /** The slot that was filled by it. */
  readonly bound?: number
  /** The answer is found: the run ends. */
  readonly finished: boolean
  readonly contradicts?: string
}

const CODE = { calls: [], claims: [], candidates: [], rejected: [], repairs: [] }

/**
 * Reads an output: by code where nothing is to be read, else by the reasoner's model, or by extraction.
 *
 * Claims enter memory, candidates are pooled; a slot is bound or the answer accepted when it weighs enough.
 *
 * @source AVIS §3.1 (reasoner); avis §6, §8
 */
export async function judge(state: SeekState, action: Action, acted: Acted): Promise<Judged> {
  const { tool } = action
  if (tool === 'select_object') {
    return byCode(state, acted, 'informative', `looks at ${action.args.id ?? ''}`)
  }
  if (tool === 'detect') {
    const found = state.boxes.length
    const verdict = found > 0 ? 'informative' : 'uninformative'
    return byCode(state, acted, verdict, `${found} ${found === 1 ? 'box' : 'boxes'}`)
  }
  if (acted.entries.length === 0) return byCode(state, acted, 'uninformative', 'nothing came back')
  return byReading(state, action, acted)
}

function byCode(
  state: SeekState,
  acted: Acted,
  verdict: 'informative' | 'uninformative',
  why: string,
): Judged {
  state.tell({
    ...{ kind: 'reason', verdict, extracted: '', evidence: [], ms: 0, why, by: 'code' },
    ...{ node: state.node.id, call: acted.step, ...CODE },
    cost: state.ledger.open()(),
  })
  return { verdict, finished: false }
}

async function byReading(state: SeekState, action: Action, acted: Acted): Promise<Judged> {
  const { memory, node, decomposition, clock, ledger } = state
  const start = clock.tick()
  const close = ledger.open()
  const visual = node.phase === 'visual'
  const slot = visual ? (memory.openSlot() ?? 0) : ('answer' as const)
  const { read, by } = await readEntries(state, action, acted)
  const reading = read.reading ?? { verdict: 'uninformative' as const }
  const checked = checkReading(reading, {
    ...{ entries: acted.entries, tool: action.tool, step: acted.step, slot },
    asked: visual ? { answerType: 'name' } : decomposition,
    ...{ nextClaimId: memory.nextClaimId, nextFound: memory.nextFound },
  })
  if (checked.verdict !== 'uninformative') memory.add(checked.claims, checked.candidates)
  const settled = settle(state, checked, slot)
  const { verdict, claims, candidates, rejected } = checked
  const degraded = state.reader === undefined || by === 'extractive'
  if (degraded) state.degraded.add('reasoner')
  state.tell({
    ...{ kind: 'reason', verdict, extracted: candidates[0]?.value ?? claims[0]?.text ?? '' },
    ...{
      evidence: claims.map(({ quote }) => quote),
      calls: read.calls,
      claims,
      candidates,
      rejected,
    },
    ...{ ms: clock.tick() - start, node: node.id, call: acted.step, why: reading.why ?? '', by },
    repairs: read.problems,
    ...(settled.binding === undefined ? {} : { bound: settled.binding }),
    ...(degraded ? { degraded } : {}),
    cost: { ...close(), seconds: 0 },
  } satisfies SeekReasonStep)
  return {
    ...{ verdict, finished: settled.finished },
    ...(settled.binding === undefined ? {} : { bound: settled.binding.slot }),
    ...(checked.contradicts === undefined || !visual ? {} : { contradicts: checked.contradicts }),
  }
}

/** The model's reading, or the extractive one where there is no model or none answered. */
async function readEntries(
  state: SeekState,
  action: Action,
  acted: Acted,
): Promise<{ readonly read: Read; readonly by: 'reasoner' | 'extractive' }> {
  const at = situationOf(state)
  const visual = state.node.phase === 'visual'
  const question = visual ? visualQuestion(at) : knowledgeQuestion(at)
  const { tool, args } = action
  const extract = (): Read['reading'] =>
    extractReading({
      ...{ tool, phase: state.node.phase, question, entries: acted.entries },
      subjects: state.memory.values().filter((one) => one !== undefined),
      answerType: visual ? 'name' : state.decomposition.answerType,
      ...(visual || state.decomposition.unit === undefined
        ? {}
        : { unit: state.decomposition.unit }),
    })
  if (state.reader === undefined) {
    return { read: { reading: extract(), calls: [], problems: [] }, by: 'extractive' }
  }
  const read = await readByModel(
    at,
    { tool, entries: acted.entries, asked: args.q ?? question },
    { ...state.planner, desk: state.reader },
  )
  if (read.reading !== undefined) return { read, by: 'reasoner' }
  return { read: { ...read, reading: extract() }, by: 'extractive' }
}

interface Settled {
  readonly finished: boolean
  readonly binding?: NonNullable<SeekReasonStep['bound']>
}

/** Binds a slot or accepts the answer, when the verdict says so and the weights do. */
function settle(state: SeekState, { verdict }: Checked, slot: number | 'answer'): Settled {
  if (verdict !== 'answer') return { finished: false }
  const { memory, limits, decomposition } = state
  const [best, ...others] = memory.ranked(slot)
  if (best === undefined) return { finished: false }
  if (slot === 'answer') return { finished: isAccepted(best, others[0], state) }
  if (best.weight < limits.bindAt - 1e-9) return { finished: false }
  memory.bind(slot, { value: best.value, group: best, node: state.node.id })
  const confidence = confidenceOf(best, others)
  const onlyShown = asksOnlyWhatIsShown(decomposition.knowledge)
  return {
    finished: onlyShown && memory.openSlot() === undefined,
    binding: { slot, value: best.value, confidence },
  }
}

/** Weighs enough, and is ahead of the second by something better than a provider's score. */
function isAccepted(best: Group, second: Group | undefined, state: SeekState): boolean {
  if (best.weight < state.limits.answerAt - 1e-9) return false
  const { recency } = state.decomposition
  return second === undefined || decidingOrder(best, second, { recency }) < 0
}
