import type { Json } from '../../base/index.ts'
import { QUERY_TOOLS } from './action-key.ts'
import { act, focusBox } from './act.ts'
import type { Acted } from './act.ts'
import { feasibleActions, isTaken, unselected } from './feasible.ts'
import type { Feasibility } from './feasible.ts'
import { isNameless, judge, NAMING } from './judge.ts'
import type { Judged } from './judge.ts'
import { personView } from './person.ts'
import type { Person, PersonChoice, PersonView } from './person.ts'
import { planAction } from './planner.ts'
import type { Choice, NoChoice } from './planner.ts'
import { selectObject } from './selector.ts'
import { childNode, decisionWorst, exclude, isAlone, readingWorst, situationOf } from './state.ts'
import type { SeekState } from './state.ts'
import type { Action, SeekDecideStep, SeekNode, StopReason } from './types.ts'

/** Why a run stopped, and what contradicts its question if that is why. */
export interface Stopped {
  readonly stop: StopReason
  readonly contradicts?: string
}

/**
 * The loop: feasible actions, a decision, an act, a judgement; until the answer is accepted, everything is
 * tried, or the budget ends.
 *
 * Ends whatever the model says: each turn executes an action whose key is new in this run, or closes a node.
 *
 * @source AVIS §3.1; avis §2
 */
export async function seek(state: SeekState): Promise<Stopped> {
  for (;;) {
    state.signal?.throwIfAborted()
    const at = situationOf(state)
    const options = feasibleActions(at)
    const unpaid = cannotPay(state, options)
    if (unpaid !== undefined) return { stop: `budget:${unpaid}` }
    if (settleWaiting(state, options)) continue
    if (options.feasible.length === 0) {
      const stop = backUp(state, options)
      if (stop !== undefined) return { stop }
      continue
    }
    const choice = await decide(state, options)
    if (choice === undefined && state.person !== undefined) return { stop: 'exhausted' }
    if (choice === undefined) {
      // What is left needs words that nobody found: these tools are done with at this node.
      for (const { action } of options.feasible) {
        exclude(state.node, { tool: action.tool, why: 'query-cap' })
      }
      continue
    }
    state.sequenceAt = options.sequenceAt ?? 0
    const acted = await act(state, choice)
    if (acted.execution.output === undefined) {
      failed(state, choice, acted)
      continue
    }
    if (choice.tool === 'detect') keepBoxes(state, acted)
    const judged = await judge(state, choice, acted)
    note(state, choice, judged.verdict)
    if (judged.contradicts !== undefined && judged.verdict === 'uninformative') {
      return { stop: 'false-premise', contradicts: judged.contradicts }
    }
    if (judged.finished) return { stop: 'answer' }
    move(state, choice, acted, judged)
  }
}

/** The limit that a whole turn would break: a decision, the cheapest action, its reading. */
function cannotPay(state: SeekState, { feasible }: Feasibility): string | undefined {
  const reading = readingWorst(state)
  const decision = feasible.length === 1 ? {} : decisionWorst(state)
  const read = feasible.some(
    ({ action }) => action.tool === 'detect' || action.tool === 'select_object',
  )
    ? {}
    : reading
  return state.ledger.breaks({
    toolCalls: 1,
    llmCalls: (decision.llmCalls ?? 0) + (read.llmCalls ?? 0),
    tokens: (decision.tokens ?? 0) + (read.tokens ?? 0),
  })
}

async function decide(state: SeekState, options: Feasibility): Promise<Action | undefined> {
  const { clock, ledger, planner, nonce } = state
  const start = clock.tick()
  const close = ledger.open()
  const at = situationOf(state)
  if (state.person !== undefined) return byPerson(state, options, state.person)
  const choice = await planAction(at, options, planner)
  state.plannerErrors += choice.repairs.length
  if (choice.degraded === true) state.degraded.add('planner')
  if (choice.action === undefined) {
    tellNoChoice(state, options, choice, { ...close(), seconds: 0 })
    return undefined
  }
  const { id } = choice.action.args
  const selected =
    choice.action.tool === 'select_object'
      ? await selectObject(at, unselected(at), {
          ...{ desk: planner.desk, nonce },
          ...(id === undefined ? {} : { asked: id }),
        })
      : undefined
  if (selected !== undefined) state.plannerErrors += selected.repairs.length
  const whole: Choice = selected === undefined ? choice : merged(choice, selected)
  state.tell({
    ...decideStep(state, options, whole),
    ms: clock.tick() - start,
    cost: { ...close(), seconds: 0 },
  })
  return whole.action
}

/** The person's choice, or undefined when the person gives up. Rules hold for people as well. */
async function byPerson(
  state: SeekState,
  options: Feasibility,
  person: Person,
): Promise<Action | undefined> {
  const { clock, signal, question } = state
  const start = clock.tick()
  const close = state.ledger.open()
  const at = situationOf(state)
  let problem: string | undefined
  for (;;) {
    const view = personView(question, at, options)
    const told = problem === undefined ? view : { ...view, problem }
    const chosen = await person.choose(told, { signal })
    if (chosen === undefined) return undefined
    const action = actionOf(view, chosen)
    if (action === undefined) {
      problem = `Choose from 1 to ${view.actions.length}.`
      continue
    }
    if (isTaken(at, action)) {
      problem = 'That was asked already.'
      continue
    }
    const more = { repairs: [], examples: [], calls: [] }
    state.tell({
      ...decideStep(state, options, { action, by: 'person', why: chosen.why ?? '', ...more }),
      ms: clock.tick() - start,
      cost: { ...close(), seconds: 0 },
    })
    return action
  }
}

function actionOf(view: PersonView, { choice, query, object }: PersonChoice): Action | undefined {
  const offered = view.actions[choice]
  if (offered === undefined) return undefined
  if (offered.tool === 'select_object') {
    const found = view.objects.find((one) => one.id === object) ?? view.objects[0]
    return found === undefined ? undefined : { tool: offered.tool, args: { id: found.id } }
  }
  const q = query?.trim() ?? ''
  const asks = q !== '' && (QUERY_TOOLS.has(offered.tool) || offered.tool === 'vqa')
  const action = asks ? { tool: offered.tool, args: { ...offered.args, q } } : offered
  return QUERY_TOOLS.has(action.tool) && action.args.q === undefined ? undefined : action
}

/** What was asked of the model in vain is a step too, so that costs add up. */
function tellNoChoice(
  state: SeekState,
  { feasible, excluded }: Feasibility,
  { repairs, calls }: NoChoice,
  cost: SeekDecideStep['cost'],
): void {
  const { node } = state
  state.tell({
    ...{ kind: 'decide', state: node.state, phase: node.phase, node: node.id, focus: node.focus },
    ...(node.parent === undefined ? {} : { parent: node.parent.id }),
    allowed: [...new Set(feasible.map(({ action }) => action.tool))],
    ...{
      feasible: feasible.map(({ action }) => action),
      excluded,
      action: 'backtrack',
      by: 'code',
    },
    chosen: { tool: 'backtrack', args: {}, to: node.id },
    ...{ reason: 'what is left needs a query, and none was written', repairs, calls },
    ...{ examples: [], ms: 0, cost },
  })
}

/** A choice of `select_object` with the object that was then selected. */
function merged(
  choice: Choice,
  selected: Pick<Choice, 'action' | 'by' | 'why' | 'repairs' | 'calls' | 'degraded'>,
): Choice {
  return {
    ...choice,
    ...{ action: selected.action, by: selected.by },
    why: [choice.why, selected.why].filter((one) => one !== '').join('; '),
    repairs: [...choice.repairs, ...selected.repairs],
    calls: [...choice.calls, ...selected.calls],
    ...(selected.degraded === true ? { degraded: true } : {}),
  }
}

function decideStep(
  state: SeekState,
  { feasible, excluded }: Feasibility,
  choice: Choice,
): Omit<SeekDecideStep, 'ms' | 'cost'> {
  const { node } = state
  return {
    ...{ kind: 'decide', state: node.state, phase: node.phase, node: node.id, focus: node.focus },
    ...(node.parent === undefined ? {} : { parent: node.parent.id }),
    allowed: [...new Set(feasible.map(({ action }) => action.tool))],
    ...{ feasible: feasible.map(({ action }) => action), excluded },
    ...{ action: choice.action.tool, chosen: choice.action, by: choice.by, reason: choice.why },
    ...{ repairs: choice.repairs, examples: choice.examples, calls: choice.calls },
    ...(choice.degraded === true ? { degraded: true } : {}),
  }
}

function note(state: SeekState, { tool, args }: Action, how: string): void {
  state.tried.push({ tool, ...(args.q === undefined ? {} : { q: args.q }), how })
}

function failed(state: SeekState, action: Action, { key, execution }: Acted): void {
  const { reason, consent } = execution
  const { tool } = action
  if (reason === undefined) {
    exclude(state.node, { tool, key, why: consent === 'refused' ? 'consent' : 'no-provider' })
    note(state, action, consent === 'refused' ? 'refused' : 'no provider')
    return
  }
  exclude(state.node, { tool, key, why: `error:${reason}` })
  note(state, action, `error: ${reason}`)
}

/** The boxes that may be selected: sure enough, best first, as many as the options allow. */
function keepBoxes(state: SeekState, { execution, entries, step }: Acted): void {
  const boxes = execution.output?.boxes ?? []
  state.detected = { all: boxes, entries, step }
  state.boxes = boxes
    .filter(({ score }) => score >= 0.3)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, state.limits.maxObjects)
}

/** Where the run stands after a judgement: the same node, or a new one under it. */
function move(state: SeekState, action: Action, { key }: Acted, judged: Judged): void {
  const { node } = state
  if (judged.verdict === 'uninformative') {
    exclude(node, { tool: action.tool, key, why: 'uninformative' })
    return
  }
  if (action.tool === 'select_object') {
    selectNode(state, action)
    return
  }
  const open = state.memory.openSlot() !== undefined
  const detection = open && judged.bound !== undefined ? detectionAbove(node) : undefined
  if (detection !== undefined && unselected(state).length > 0) {
    // This object is named: the next name is that of another one.
    state.node = detection
    return
  }
  const phase = node.phase === 'visual' && !open ? 'knowledge' : node.phase
  state.node = childNode(state, node, action.tool, {
    phase,
    ...(judged.bound === undefined ? {} : { binds: judged.bound }),
  })
}

/** A selected object hangs under the detection, beside the one that is left, which is closed. */
function selectNode(state: SeekState, action: Action): void {
  const found = state.boxes.find(({ id }) => id === action.args.id)
  let parent: SeekNode = state.node
  while (parent.state !== 'detect' && parent.parent !== undefined) {
    parent.dead = true
    parent = parent.parent
  }
  const focus =
    found === undefined
      ? {}
      : { box: focusBox(found.box, state.picture), object: found.id, label: found.label }
  state.node = childNode(state, parent, 'select_object', { focus })
}

/** The detection under which an object was selected. */
function detectionAbove(node: SeekNode): SeekNode | undefined {
  let above: SeekNode | undefined = node
  while (above !== undefined && above.state !== 'detect') above = above.parent
  return above
}

/**
 * A name that another tool disputed stands after all when no tool is left that could decide.
 *
 * Only without a model, and only for the everyday name of the object that is looked at.
 */
function settleWaiting(state: SeekState, options: Feasibility): boolean {
  const { node, memory, limits } = state
  const slot = memory.openSlot()
  if (!isAlone(state) || slot === undefined || node.phase !== 'visual') return false
  if (node.focus.object === undefined || !isNameless(state, slot)) return false
  if (options.feasible.some(({ action }) => NAMING.has(action.tool))) return false
  const best = memory.ranked(slot)[0]
  if (best === undefined || best.weight < limits.bindAt - 1e-9) return false
  memory.bind(slot, { value: best.value, group: best, node: node.id })
  const above = detectionAbove(node)
  const namedBy = best.sources.find(({ tool }) => NAMING.has(tool))?.tool ?? 'image_search'
  const more = memory.openSlot() !== undefined && unselected(state).length > 0
  state.node =
    more && above !== undefined
      ? above
      : childNode(state, node, namedBy, { phase: 'knowledge', binds: slot })
  tellBack(state, options, node, 'rebind')
  return true
}

/** Nothing is feasible here: the node is dead, its parent goes on; a binding that led nowhere is taken back. */
function backUp(state: SeekState, options: Feasibility): StopReason | undefined {
  const { node } = state
  const { parent } = node
  node.dead = true
  if (parent === undefined) {
    const short = options.excluded.find(({ why }) => why === 'budget')
    return short === undefined ? 'exhausted' : `budget:${short.note ?? 'maxToolCalls'}`
  }
  if (node.binds === undefined) {
    state.node = parent
    tellBack(state, options, node, 'backtrack')
    return undefined
  }
  if (state.rebinds >= state.limits.maxRebinds) return 'exhausted'
  state.rebinds++
  const slot = node.binds
  state.memory.reject(slot)
  const detection = detectionAbove(parent)
  if (state.decomposition.places !== undefined && detection !== undefined) {
    // It is not true of this object, as far as is known: another one is looked at before its name is doubted.
    if (unselected(state).length > 0) {
      state.node = detection
      tellBack(state, options, node, 'backtrack')
      return undefined
    }
  }
  const next = state.memory.ranked(slot).find((one) => one.weight >= state.limits.bindAt - 1e-9)
  if (next === undefined || node.state === 'START') {
    state.node = parent
    tellBack(state, options, node, 'backtrack')
    return undefined
  }
  state.memory.bind(slot, { value: next.value, group: next, node: parent.id })
  state.node = childNode(state, parent, node.state, { phase: node.phase, binds: slot })
  tellBack(state, options, node, 'rebind')
  return undefined
}

function tellBack(
  state: SeekState,
  { excluded }: Feasibility,
  left: SeekNode,
  tool: 'backtrack' | 'rebind',
): void {
  const to = state.node.id
  const values = state.memory.values().map((one) => one ?? '')
  const args: Json = tool === 'rebind' ? { values } : {}
  const reason = left.dead
    ? tool === 'rebind'
      ? 'nothing came of what was bound; the next one is'
      : 'nothing is left to do here'
    : 'no other tool can say more of it: the likeliest name stands'
  state.tell({
    ...{ kind: 'decide', state: left.state, phase: left.phase, node: left.id, focus: left.focus },
    ...(left.parent === undefined ? {} : { parent: left.parent.id }),
    ...{
      allowed: [],
      feasible: [],
      excluded,
      action: tool,
      chosen: { tool, args, to },
      by: 'code',
    },
    ...{ reason, repairs: [], examples: [], calls: [], ms: 0, cost: state.ledger.open()() },
  })
}
