import type { Box, Image } from '../../image/index.ts'
import type { FoundBox } from '../../tools/index.ts'
import { actionKey, QUERY_TOOLS, REGION_TOOLS } from './action-key.ts'
import { boundQuestion } from './decompose.ts'
import { defaultEdges } from './default-graph.ts'
import type { ProviderDesk } from './execute.ts'
import { edgesOf } from './graph.ts'
import type { GraphState, TransitionGraph } from './graph.ts'
import type { Ledger, Worst } from './ledger.ts'
import type { SeekLimits, SeekOptions } from './options.ts'
import { contentWords } from './similar.ts'
import { STOP_WORDS } from './stop-words.ts'
import type { Action, Decomposition, Entry, Exclusion, Phase, SeekNode, SeekTool } from './types.ts'
import type { WorkingMemory } from './working-memory.ts'

/** What the state of a run decides about its next actions. */
export interface Situation {
  readonly node: SeekNode
  readonly graph: TransitionGraph
  readonly picture: Image
  readonly decomposition: Decomposition
  readonly memory: WorkingMemory
  /** Keys of actions that were executed in this run, in whichever node. */
  readonly taken: ReadonlySet<string>
  readonly boxes: readonly FoundBox[]
  /** Entries with an address, newest first. */
  readonly pages: readonly Entry[]
  readonly desk: ProviderDesk
  readonly ledger: Ledger
  readonly limits: SeekLimits
  readonly options: SeekOptions
  /** With `options.sequence`: the place in it that comes next. */
  readonly sequenceAt: number
  /** What reading an output may take; nothing without a language model. */
  readonly reading: Worst
}

/** An action that may be chosen, with its chance by the graph. A query that is empty must be written. */
export interface Feasible {
  readonly action: Action
  readonly prior: number
}

export interface Feasibility {
  readonly feasible: readonly Feasible[]
  readonly excluded: readonly Exclusion[]
  /** With `options.sequence`: the place after the one that is offered. */
  readonly sequenceAt?: number
}

/** Pages of earlier results that may be opened next, at most. */
const MOST_PAGES = 3

/**
 * The moves allowed after the last accepted one, less those already made, not affordable or without a source.
 *
 * Pure: reads graph, memory and limits, changes none of them.
 *
 * @source AVIS §3.1 (planner), §3.3 (transition graph); avis §4
 */
export function feasibleActions(at: Situation): Feasibility {
  const excluded: Exclusion[] = [...at.node.excluded]
  if (at.options.sequence !== undefined) return nextOfSequence(at, at.options.sequence, excluded)
  const feasible = movesOf(at.graph, at.node.state, at.node.phase).flatMap(({ tool, prior }) =>
    offered(at, tool, excluded).map((action, _, all) => ({ action, prior: prior / all.length })),
  )
  return { feasible, excluded }
}

/** The actions of a tool that are open; why others are not is added to `excluded`. */
function offered(at: Situation, tool: SeekTool, excluded: Exclusion[]): readonly Action[] {
  const why = toolExclusion(at, tool)
  const actions: Open = why === undefined ? actionsOf(at, tool) : { open: [], excluded: [why] }
  excluded.push(...actions.excluded)
  return actions.open
}

/** The first tool of the rest of a fixed sequence that can do anything here. */
function nextOfSequence(
  at: Situation,
  sequence: readonly SeekTool[],
  excluded: Exclusion[],
): Feasibility {
  for (let i = at.sequenceAt; i < sequence.length; i++) {
    const [action] = offered(at, sequence[i] as SeekTool, excluded)
    if (action !== undefined) {
      return { feasible: [{ action, prior: 1 }], excluded, sequenceAt: i + 1 }
    }
  }
  return { feasible: [], excluded }
}

/** The graph's moves; a learnt graph may know no start without a visual question, then the default has it. */
function movesOf(graph: TransitionGraph, state: GraphState, phase: Phase) {
  const moves = edgesOf(graph, state, phase)
  if (moves.length > 0 || state !== 'START' || phase !== 'knowledge') return moves
  const actions = defaultEdges('START')
  return edgesOf({ ...graph, states: { START: { answer: false, actions } } }, 'START', phase)
}

function toolExclusion(at: Situation, tool: SeekTool): Exclusion | undefined {
  if (at.options.without?.includes(tool) === true) return { tool, why: 'no-provider' }
  const whole = at.node.excluded.find((one) => one.tool === tool && one.key === undefined)
  if (whole !== undefined) return whole
  if (tool !== 'select_object') {
    const why = at.desk.whyNot(tool)
    if (why !== undefined) return { tool, why }
  }
  const usd = tool === 'select_object' ? 0 : cheapest(at.desk, tool)
  const breaks = at.ledger.breaks({ ...at.reading, toolCalls: 1, usd })
  if (breaks !== undefined) return { tool, why: 'budget', note: breaks }
  if (tool === 'image_search' && isPerson(at)) {
    const remote = at.desk.usable(tool).every((one) => one.sends === 'image')
    if (remote && at.options.people !== 'allow') return { tool, why: 'consent', note: 'people' }
  }
  const queries = at.node.excluded.filter((one) => one.tool === tool && one.key !== undefined)
  const capped = QUERY_TOOLS.has(tool) && queries.length >= at.limits.maxQueriesPerTool
  return capped ? { tool, why: 'query-cap' } : undefined
}

function cheapest(desk: ProviderDesk, tool: SeekTool): number {
  return Math.min(...desk.usable(tool).map((one) => one.price ?? 0))
}

const PEOPLE = /\b(?:person|people|face|man|woman|boy|girl|child|human|baby)\b/i

function isPerson({ node }: Situation): boolean {
  return node.focus.label !== undefined && PEOPLE.test(node.focus.label)
}

interface Open {
  readonly open: readonly Action[]
  readonly excluded: readonly Exclusion[]
}

function actionsOf(at: Situation, tool: SeekTool): Open {
  if (tool === 'select_object') {
    if (unselected(at).length > 0) return { open: [{ tool, args: {} }], excluded: [] }
    const none = at.boxes.length === 0
    const why = none ? ('no-provider' as const) : ('taken' as const)
    return { open: [], excluded: [{ tool, why, ...(none ? { note: 'no objects' } : {}) }] }
  }
  if (tool === 'open_page') return openPages(at)
  const queries = defaultQueries(at, tool)
  const untaken = queries.map((args) => ({ tool, args })).filter((action) => !isTaken(at, action))
  const first = untaken[0]
  if (first !== undefined) return { open: [first], excluded: [] }
  const key = actionKey({ tool, args: queries[0] ?? {} }, at.picture.hash)
  // A query can be written anew; a region can be looked at once.
  if (QUERY_TOOLS.has(tool) && at.reading.llmCalls !== undefined) {
    return { open: [{ tool, args: {} }], excluded: [] }
  }
  const known = at.node.excluded.some((one) => one.key === key)
  return { open: [], excluded: known ? [] : [{ tool, key, why: 'taken' }] }
}

export function isTaken(at: Pick<Situation, 'taken' | 'picture'>, action: Action): boolean {
  return at.taken.has(actionKey(action, at.picture.hash))
}

/** Boxes of `detect` that were not selected yet. */
export function unselected(
  at: Pick<Situation, 'boxes' | 'taken' | 'picture'>,
): readonly FoundBox[] {
  return at.boxes.filter(({ id }) => !isTaken(at, { tool: 'select_object', args: { id } }))
}

function openPages(at: Situation): Open {
  const seen = new Set<string>()
  const open: Action[] = []
  for (const { id, source } of at.pages) {
    const { url, step } = source
    if (url === undefined || seen.has(url)) continue
    seen.add(url)
    const action: Action = { tool: 'open_page', args: { id: `s${step}.${id}`, url } }
    if (!isTaken(at, action)) open.push(action)
  }
  if (open.length > 0) return { open: open.slice(0, MOST_PAGES), excluded: [] }
  const none = seen.size === 0
  const why = none ? ('no-provider' as const) : ('taken' as const)
  return {
    open: [],
    excluded: [{ tool: 'open_page', why, ...(none ? { note: 'no addresses' } : {}) }],
  }
}

/** What a tool is asked when nobody writes a query: Qv while looking, Qk when the thing is known. */
function defaultQueries(at: Situation, tool: SeekTool): readonly Action['args'][] {
  const { box } = at.node.focus
  const region = REGION_TOOLS.has(tool) && box !== undefined ? { region: box as Box } : {}
  // Objects are looked for once, in the whole picture.
  if (tool === 'detect') return [{}]
  if (tool === 'vqa') return [{ ...region, q: visualQuestion(at) }]
  if (!QUERY_TOOLS.has(tool)) return [region]
  const variants = queryVariants(at, tool).map((q) => ({ q }))
  return at.desk.usable(tool).every(({ byName }) => byName === true)
    ? variants.slice(0, 1)
    : variants
}

/** The visual question in force, or the knowledge question when everything is bound. */
export function visualQuestion({ decomposition, memory }: Situation): string {
  const slot = memory.openSlot() ?? 0
  return decomposition.visual[slot] ?? boundQuestion(decomposition.knowledge, memory.values())
}

/** The knowledge question as asked now. */
export function knowledgeQuestion({ decomposition, memory }: Situation): string {
  return boundQuestion(decomposition.knowledge, memory.values())
}

/** Queries from the whole question to the bare subject; a knowledge base is also asked for the subject. */
function queryVariants(at: Situation, tool: SeekTool): readonly string[] {
  if (at.node.phase === 'visual') return [clueQuery(at) ?? visualQuestion(at)]
  const question = knowledgeQuestion(at)
  const values = at.memory.values().filter((one) => one !== undefined)
  const words = question.match(/[\p{L}\p{N}'-]+/gu) ?? []
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase())).join(' ')
  const variants = tool === 'llm_qa' ? [question] : [question, ...values, telling]
  return [...new Set(variants.filter((one) => one.trim() !== ''))].map((one) => one.slice(0, 256))
}

/** While looking, a search asks for what was read or said of the picture, with the noun of the question. */
function clueQuery(at: Situation): string | undefined {
  const clue = at.memory.claims.findLast(
    (one) => one.tool === 'ocr' || one.tool === 'image_search' || one.tool === 'caption',
  )
  if (clue === undefined) return undefined
  const noun = contentWords(visualQuestion(at)).slice(-1).join(' ')
  return `${clue.quote.replace(/\s+/g, ' ').slice(0, 200)} ${noun}`.trim()
}
