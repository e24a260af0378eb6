import { actionKey } from './action-key.ts'
import { confidenceOf, decidingOrder } from './agree.ts'
import type { Group } from './agree.ts'
import { checkReading } from './check-reading.ts'
import type { Checked } from './check-reading.ts'
import { asksOnlyWhatIsShown } from './decompose.ts'
import { extractReading } from './extract.ts'
import { knowledgeQuestion, visualQuestion } from './feasible.ts'
import { edgesOf } from './graph.ts'
import { readByModel } from './reasoner.ts'
import type { Read } from './reasoner.ts'
import { personView } from './person.ts'
import { isAlone, situationOf } from './state.ts'
import type { SeekState } from './state.ts'
import type { Acted } from './act.ts'
import type { Action, SeekReasonStep, SeekTool } from './types.ts'

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
    const named = nameByLabel(state, action.args.id)
    return byCode(state, acted, {
      verdict: 'informative',
      why: `looks at ${action.args.id ?? ''}`,
      ...named,
    })
  }
  if (tool === 'detect') {
    const found = state.boxes.length
    const verdict = found > 0 ? 'informative' : 'uninformative'
    return byCode(state, acted, { verdict, why: `${found} ${found === 1 ? 'box' : 'boxes'}` })
  }
  if (acted.entries.length === 0) {
    return byCode(state, acted, { verdict: 'uninformative', why: 'nothing came back' })
  }
  return byReading(state, action, acted)
}

function byCode(
  state: SeekState,
  acted: Acted,
  judged: { readonly verdict: 'informative' | 'uninformative'; readonly why: string } & Partial<
    Pick<Checked, 'claims' | 'candidates' | 'rejected'>
  >,
): Judged {
  state.tell({
    ...{ kind: 'reason', extracted: '', evidence: [], ms: 0, by: 'code' },
    ...{ node: state.node.id, call: acted.step, ...CODE, ...judged },
    cost: state.ledger.open()(),
  })
  return { verdict: judged.verdict, finished: false }
}

/** A question for a thing as such, whose everyday name a detector gives. */
const NAMELESS_QUESTION = /^which (?:thing|object|item)\b/iu

export function isNameless({ decomposition }: SeekState, slot: number): boolean {
  return NAMELESS_QUESTION.test(decomposition.visual[slot] ?? '')
}

/** Tools that name what they are shown. */
export const NAMING: ReadonlySet<SeekTool> = new Set(['image_search', 'vqa'])

/**
 * The label under which an object was found, as a first name for it; it counts less than any tool that looks
 * at the object alone. With a model to read, the model sees the label and says.
 */
function nameByLabel(
  state: SeekState,
  id: string | undefined,
): Partial<Pick<Checked, 'claims' | 'candidates' | 'rejected'>> {
  const { memory, detected, decomposition, node } = state
  const slot = memory.openSlot()
  if (slot === undefined || node.phase !== 'visual') return {}
  const several = decomposition.places !== undefined || decomposition.visual.length > 1
  if (several) memory.leave(slot)
  const at = detected?.all.findIndex((box) => box.id === id) ?? -1
  const entry = detected?.entries.find(({ id: own }) => own === `e${at + 1}`)
  if (detected === undefined || entry === undefined || !isAlone(state)) return {}
  if (!isNameless(state, slot)) return {}
  const support = [{ entry: entry.id, quote: entry.text }]
  const { claims, candidates, rejected } = checkReading(
    { verdict: 'informative', candidates: [{ answer: entry.text, support }] },
    {
      ...{ entries: detected.entries, tool: 'detect', step: detected.step, slot },
      asked: { answerType: 'name' },
      ...{ nextClaimId: memory.nextClaimId, nextFound: memory.nextFound },
    },
  )
  memory.add(claims, candidates)
  return { claims, candidates, rejected }
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
    ...(decomposition.places === undefined || visual ? {} : { choices: decomposition.places }),
    ...{ nextClaimId: memory.nextClaimId, nextFound: memory.nextFound },
  })
  if (checked.verdict !== 'uninformative') memory.add(checked.claims, checked.candidates)
  const settled = settle(state, action, checked, slot)
  const { verdict, claims, candidates, rejected } = checked
  const degraded = by === 'extractive'
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
): Promise<{ readonly read: Read; readonly by: 'reasoner' | 'extractive' | 'person' }> {
  const at = situationOf(state)
  if (state.person !== undefined) {
    const view = personView(state.question, at, { feasible: [], excluded: [] })
    const output = { ...view, tool: action.tool, entries: acted.entries }
    const reading = await state.person.read(output, { signal: state.signal })
    return { read: { reading, calls: [], problems: [] }, by: 'person' }
  }
  const visual = state.node.phase === 'visual'
  const question = visual ? visualQuestion(at) : knowledgeQuestion(at)
  const { tool, args } = action
  const place = visual ? undefined : sideOf(state)
  const asksPlace = state.decomposition.places !== undefined && !visual
  const extract = (): Read['reading'] =>
    asksPlace && place === undefined
      ? { verdict: 'uninformative', why: 'no single thing is looked at' }
      : extractReading({
          ...(place === undefined ? {} : { place }),
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

/** The side, of those the question names, on which the thing looked at stands. */
function sideOf({ node, picture, decomposition }: SeekState): string | undefined {
  const [low, high] = decomposition.places ?? []
  const { box } = node.focus
  if (box === undefined || low === undefined || high === undefined) return undefined
  const upright = low === 'top' || low === 'upper'
  const middle = upright ? (box[1] + box[3]) / 2 : (box[0] + box[2]) / 2
  return middle < (upright ? picture.height : picture.width) / 2 ? low : high
}

interface Settled {
  readonly finished: boolean
  readonly binding?: NonNullable<SeekReasonStep['bound']>
}

/** Binds a slot or accepts the answer, when the verdict says so and the weights do. */
function settle(
  state: SeekState,
  action: Action,
  { verdict }: Checked,
  slot: number | 'answer',
): Settled {
  if (verdict !== 'answer') return { finished: false }
  const { memory, limits, decomposition } = state
  const [best, ...others] = memory.ranked(slot)
  if (best === undefined) return { finished: false }
  if (slot === 'answer') return { finished: isAccepted(best, others[0], state) }
  if (best.weight < limits.bindAt - 1e-9) return { finished: false }
  if (isContested(state, action, best, others)) return { finished: false }
  memory.bind(slot, { value: best.value, group: best, node: state.node.id })
  const confidence = confidenceOf(best, others)
  const onlyShown = asksOnlyWhatIsShown(decomposition.knowledge)
  return {
    finished: onlyShown && memory.openSlot() === undefined,
    binding: { slot, value: best.value, confidence },
  }
}

/**
 * Another tool said otherwise of the same thing, and a third can still be asked: the name is not settled.
 *
 * Only without a model: with one, its verdict says whether it is sure.
 */
function isContested(
  state: SeekState,
  { tool, args }: Action,
  best: Group,
  others: readonly Group[],
): boolean {
  if (!isAlone(state) || others.length === 0) return false
  if (tool === 'image_search' && isMost(best, state)) return false
  if (confidenceOf(best, others) >= 0.5) return false
  const { graph, options, taken, picture, desk, sequenceAt } = state
  const next = options.sequence?.slice(sequenceAt, sequenceAt + 1)
  const moves = next ?? edgesOf(graph, tool, 'visual').map((edge) => edge.tool)
  return [...NAMING].some((other) => {
    if (!moves.includes(other) || desk.whyNot(other) !== undefined) return false
    const q = other === 'vqa' ? { q: visualQuestion(situationOf(state)) } : {}
    const region = args.region === undefined ? {} : { region: args.region }
    return !taken.has(actionKey({ tool: other, args: { ...region, ...q } }, picture.hash))
  })
}

/** More than half of the similar pictures have this name: what one label says against it does not count. */
function isMost(best: Group, { steps }: SeekState): boolean {
  const call = steps.findLast((step) => step.kind === 'call' && step.tool === 'image_search')
  const all = call !== undefined && 'sought' in call ? call.sought.entries.length : 0
  const mine = best.members.filter(({ support }) => support[0]?.tool === 'image_search')
  return mine.length > all / 2
}

/** Weighs enough, and is ahead of the second by something better than a provider's score. */
function isAccepted(best: Group, second: Group | undefined, state: SeekState): boolean {
  if (best.weight < state.limits.answerAt - 1e-9) return false
  const { recency } = state.decomposition
  return second === undefined || decidingOrder(best, second, { recency }) < 0
}
