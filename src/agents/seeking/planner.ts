import { z } from 'zod'
import { actionKey, QUERY_TOOLS } from './action-key.ts'
import { askModel } from './ask.ts'
import type { Desk } from './ask.ts'
import { partsText } from './decompose.ts'
import { decisionExamples, exampleId } from './examples.ts'
import type { Example, ExampleQuery } from './examples.ts'
import { voicesOf, votesOf } from './votes.ts'
import { isTaken, knowledgeQuestion, visualQuestion } from './feasible.ts'
import type { Feasibility, Feasible, Situation } from './feasible.ts'
import { DATA_RULE, fenceData } from './outside-text.ts'
import { TOOL_LINES } from './tool-lines.ts'
import type { Action, SeekDecideStep } from './types.ts'
import type { Decision } from '../../memory/index.ts'
import type { ModelCall } from '../step.ts'

const reply = z.object({
  choice: z.number().int().optional().describe('the number of the action'),
  tool: z.string().optional().describe('its name, when no number is given'),
  id: z.string().optional(),
  query: z.string().optional().describe('for searches: what to ask, instead of the query shown'),
  why: z.string().optional().describe('one short sentence'),
})

const SYSTEM = `You choose the next step of a search for knowledge about a picture.
First it must be found out what the picture shows (phase visual), then what is known about it (phase knowledge).
A direct visual answer will do for common things; look at one object alone, search similar pictures or read text when a name, a kind or a place is needed. Outside knowledge is needed for facts that cannot be seen; ask in words that a page about the thing would use.
Choose one of the numbered actions, by its number. Only they are possible.
${DATA_RULE}`

export interface PlannerParts {
  readonly question: string
  readonly desk?: Desk | undefined
  readonly decisions: readonly Decision[]
  readonly runId: string
  readonly examples: number
  readonly nonce: string
}

/** No choice: what is left needs a query that nobody wrote; what was asked in vain is told. */
export type NoChoice = Pick<Choice, 'repairs' | 'calls' | 'degraded'> & {
  readonly action: undefined
}

/** A choice, and how it came about. */
export interface Choice {
  readonly action: Action
  readonly by: SeekDecideStep['by']
  readonly why: string
  readonly repairs: readonly string[]
  readonly examples: readonly string[]
  readonly calls: readonly ModelCall[]
  readonly degraded?: boolean
}

/**
 * The next action: the only one, the model's choice among those allowed, or the likeliest by graph and
 * recorded decisions.
 *
 * @returns without an action when what is left needs a query that nobody wrote
 * @source AVIS §3.1 (planner); avis §5
 */
export async function planAction(
  at: Situation,
  options: Feasibility,
  parts: PlannerParts,
): Promise<Choice | NoChoice> {
  const { feasible } = options
  const only = feasible[0]
  if (feasible.length === 1 && only !== undefined && !QUERY_TOOLS.has(only.action.tool)) {
    const plain = { repairs: [], examples: [], calls: [] }
    return { action: only.action, by: 'only-choice', why: 'the only action left here', ...plain }
  }
  const query: ExampleQuery = {
    ...{ question: parts.question, picture: `sha256:${at.picture.hash}`, runId: parts.runId },
    ...{ phase: at.node.phase, most: parts.examples },
    tools: [...new Set(feasible.map(({ action }) => action.tool))],
  }
  const examples = decisionExamples(parts.decisions, query)
  if (parts.desk === undefined) {
    return byPolicy(feasible, examples, at, { repairs: [], calls: [], degraded: true })
  }
  const asked = await askModel(parts.desk, {
    ...{ purpose: 'plan', system: SYSTEM, schema: reply, maxTokens: 200 },
    user: promptOf(at, options, examples, parts),
    check: (value) => resolve(value, feasible, at).problem,
  })
  const { value, problems: repairs, calls, failed } = asked
  const chosen = value === undefined ? undefined : resolve(value, feasible, at).action
  if (chosen === undefined) {
    const degraded = failed === 'model' || failed === 'budget'
    return byPolicy(feasible, examples, at, { repairs, calls, degraded })
  }
  const why = value?.why?.slice(0, 200) ?? ''
  return { action: chosen, by: 'planner', why, repairs, calls, examples: idsOf(examples) }
}

const idsOf = (examples: readonly Example[]): readonly string[] =>
  examples.map(({ decision }) => exampleId(decision))

/** The action that a reply means, or what is wrong with it. */
function resolve(
  value: z.infer<typeof reply>,
  feasible: readonly Feasible[],
  at: Situation,
): { readonly action?: Action; readonly problem?: string } {
  const byNumber = value.choice === undefined ? undefined : feasible[value.choice - 1]
  const byName = feasible.find(
    ({ action }) =>
      action.tool === value.tool &&
      (value.id === undefined || action.tool !== 'open_page' || pageMatches(action, value.id)),
  )
  const found = value.choice === undefined ? byName : byNumber
  if (found === undefined) {
    const names = feasible.map(({ action }, i) => `${i + 1} ${action.tool}`).join(', ')
    return { problem: `${value.tool ?? value.choice ?? 'nothing'} is not among ${names}` }
  }
  const { tool, args } = found.action
  if (tool === 'select_object') {
    return { action: value.id === undefined ? found.action : { tool, args: { id: value.id } } }
  }
  const q = value.query?.replace(/\s+/g, ' ').trim()
  const asks = QUERY_TOOLS.has(tool)
  if (asks && q === undefined && args.q === undefined) return { problem: `${tool} needs a query` }
  const action = asks && q !== undefined ? { tool, args: { ...args, q } } : found.action
  const fault = asks && q !== undefined ? queryFault(q) : undefined
  if (fault !== undefined) return { problem: fault }
  if (isTaken(at, action)) {
    return { problem: `${tool} was asked this already (${actionKey(action, '')}); choose anew` }
  }
  return { action }
}

const pageMatches = ({ args }: Action, id: string): boolean =>
  args.id === id || args.id?.endsWith(`.${id}`) === true

function queryFault(q: string): string | undefined {
  if (q.length < 1 || q.length > 256) return `a query has 1 to 256 characters, not ${q.length}`
  return /https?:|www\.|\b[\w-]+\.(?:com|org|net|io)\b/i.test(q)
    ? 'a query holds no address'
    : undefined
}

/**
 * The likeliest action without a model: the graph's prior, moved by the most similar recorded decisions.
 *
 * Decisions that led to something speak for their tool, those that led to nothing against it.
 */
function byPolicy(
  feasible: readonly Feasible[],
  examples: readonly Example[],
  at: Situation,
  more: Pick<Choice, 'repairs' | 'calls' | 'degraded'>,
): Choice | NoChoice {
  const ready = feasible.filter(
    ({ action }) => !QUERY_TOOLS.has(action.tool) || action.args.q !== undefined,
  )
  const votes = votesOf(examples, at.node.state)
  // While what is looked at has names that do not settle it, it is not left.
  const slot = at.memory.openSlot()
  const unsettled =
    at.node.focus.object !== undefined && slot !== undefined && at.memory.ranked(slot).length > 0
  const stays = ready.some(({ action }) => action.tool === 'image_search' || action.tool === 'vqa')
  const leaves = ({ tool }: Action): number =>
    unsettled && stays && tool === 'select_object' ? 5 : 0
  const scored = ready.map((one) => ({
    one,
    score: Math.log(one.prior + 1e-6) + votes(one.action.tool) - leaves(one.action),
  }))
  const best = scored.toSorted((a, b) => b.score - a.score)[0]
  if (best === undefined) return { ...more, action: undefined }
  const voice = votes(best.one.action.tool)
  const why =
    voice === 0
      ? `likeliest by the graph (${best.one.prior.toFixed(2)})`
      : `graph ${best.one.prior.toFixed(2)}, similar decisions ${voice >= 0 ? '+' : ''}${voice.toFixed(2)}`
  return {
    action: best.one.action,
    by: 'fallback',
    why,
    examples: idsOf(voicesOf(examples, at.node.state)),
    ...more,
  }
}

function promptOf(
  at: Situation,
  { feasible, excluded }: Feasibility,
  examples: readonly Example[],
  { question, nonce }: PlannerParts,
): string {
  const { node, memory, decomposition, ledger, limits } = at
  const shown = examples.map(({ decision }) => exampleLine(decision, nonce))
  const claims = memory.claims.map((one) =>
    fenceData(one.text, { id: one.id, src: one.tool, nonce }),
  )
  const { label, box } = node.focus
  const focus =
    box === undefined
      ? 'the whole picture'
      : `${fenceData(label ?? 'object', { id: 'focus', src: 'detect', nonce })} at [${box.join(', ')}]`
  const not = excluded.map(({ tool, why }) => `${tool} (${why})`)
  const actions = feasible.map(({ action }, i) => `${i + 1}. ${actionLine(action, nonce)}`)
  return [
    ...(shown.length === 0 ? [] : ['Decisions of people on other questions:', ...shown, '']),
    `Question: ${question}`,
    `To be seen: ${decomposition.visual.length === 0 ? 'nothing' : visualQuestion(at)}`,
    `To be known: ${partsText(decomposition.knowledge, decomposition.visual.length)}` +
      (memory.values().some((one) => one !== undefined)
        ? ` — now ${fenceData(knowledgeQuestion(at), { id: 'bound', src: 'visual', nonce })}`
        : ''),
    `Phase: ${node.phase}. State: ${node.state}. Looking at: ${focus}.`,
    `Known so far:${claims.length === 0 ? ' nothing' : ''}`,
    ...claims.slice(-40),
    ...(not.length === 0 ? [] : [`Not possible here: ${[...new Set(not)].join(', ')}`]),
    `Left: ${limits.maxToolCalls - ledger.toolCalls()} tool calls.`,
    'Actions:',
    ...actions,
  ].join('\n')
}

/** What a recorded decision asked and saw came from outside, then as now. */
function exampleLine(one: Decision, nonce: string): string {
  const { phase, stateBefore, question, chosen } = one
  const data = (src: string, text: string): string =>
    fenceData(text, { id: exampleId(one), src, nonce })
  const args = chosen.args as { readonly q?: unknown }
  const q = typeof args?.q === 'string' ? ` ${data('query', args.q.slice(0, 120))}` : ''
  const came = one.rationale ?? one.outputSummary
  const why = came === '' ? '' : ` (${data(chosen.tool, came.slice(0, 160))})`
  return `- state ${stateBefore}, phase ${phase}, "${question.slice(0, 200)}" -> ${chosen.tool}${q}${why}`
}

function actionLine({ tool, args }: Action, nonce: string): string {
  const what = TOOL_LINES[tool]
  if (tool === 'open_page') return `${tool} ${args.id ?? ''}: ${what}`
  if (!QUERY_TOOLS.has(tool)) return `${tool}: ${what}`
  const q =
    args.q === undefined
      ? 'write a new query'
      : fenceData(args.q, { id: 'q', src: 'default', nonce })
  return `${tool}: ${what}; query: ${q}`
}
