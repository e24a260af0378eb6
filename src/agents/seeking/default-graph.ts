import { deepFreeze } from '../../base/index.ts'
import { GRAPH_STATES } from './graph.ts'
import type { GraphEdge, GraphState, TransitionGraph } from './graph.ts'
import { SEEK_TOOLS } from './types.ts'
import type { SeekTool } from './types.ts'

/**
 * The moves from each state, by falling prior, in the visual and in the knowledge phase.
 *
 * Only START -> detect, caption, vqa stands in the paper (§3.3); all else is ours, to be replaced by a graph
 * learnt from one's own decisions.
 */
const TABLE: Readonly<
  Record<GraphState, readonly [visual: string, knowledge: string, answer: boolean]>
> = {
  START: ['detect caption vqa ocr', 'web_search kb_lookup llm_qa', false],
  caption: ['detect vqa image_search ocr', 'web_search kb_lookup llm_qa', true],
  vqa: ['detect image_search caption ocr', 'web_search kb_lookup llm_qa', true],
  detect: ['select_object', '', false],
  select_object: ['image_search vqa caption ocr select_object', '', false],
  image_search: ['select_object vqa ocr web_search', 'web_search kb_lookup open_page llm_qa', true],
  ocr: ['web_search image_search select_object vqa', 'web_search kb_lookup llm_qa', true],
  web_search: [
    'select_object image_search',
    'open_page web_search kb_lookup llm_qa image_search',
    true,
  ],
  open_page: ['web_search', 'web_search open_page kb_lookup llm_qa', true],
  kb_lookup: ['', 'web_search kb_lookup open_page llm_qa', true],
  llm_qa: ['', 'web_search kb_lookup', true],
}

const PAPER_START: ReadonlySet<string> = new Set(['detect', 'caption', 'vqa'])

/** Whether the paper itself names this move. */
export function isPaperEdge(state: GraphState, tool: SeekTool): boolean {
  return state === 'START' && PAPER_START.has(tool)
}

/** The graph that ships: the table above, priors falling by halves. */
export const DEFAULT_GRAPH: TransitionGraph = made('default', (state) => {
  const [visual, knowledge] = TABLE[state]
  return [listed(visual), listed(knowledge)]
})

/** START with exactly the paper's three actions. */
export const PAPER_GRAPH: TransitionGraph = made('paper', (state) => {
  const [visual, knowledge] = TABLE[state]
  const moves = listed(visual)
  return [
    state === 'START' ? moves.filter((tool) => PAPER_START.has(tool)) : moves,
    listed(knowledge),
  ]
})

/** Every tool at every state: the paper's comparison without a graph, for ablations only. */
export const FREE_GRAPH: TransitionGraph = made('free', () => [SEEK_TOOLS, SEEK_TOOLS], true)

/** A graph that allows one sequence of tools and nothing else: the paper's fixed baseline. */
export function sequenceGraph(tools: readonly SeekTool[]): TransitionGraph {
  const states: GraphState[] = ['START', ...tools]
  return made(
    `sequence:${tools.join(',')}`,
    (state) => {
      const next = tools[states.indexOf(state)]
      const moves = next === undefined ? [] : [next]
      return [moves, moves]
    },
    false,
    states,
  )
}

function listed(names: string): readonly SeekTool[] {
  return names.split(' ').filter((one) => one !== '') as SeekTool[]
}

function made(
  name: string,
  moves: (state: GraphState) => readonly [readonly SeekTool[], readonly SeekTool[]],
  even = false,
  states: readonly GraphState[] = GRAPH_STATES,
): TransitionGraph {
  const entries = states.map((state) => {
    const [visual, knowledge] = moves(state)
    const priors = { visual: falling(visual, even), knowledge: falling(knowledge, even) }
    const tools = [...new Set([...visual, ...knowledge])]
    const actions = tools.map((tool): [SeekTool, GraphEdge] => {
      const phases = (['visual', 'knowledge'] as const).filter((phase) => priors[phase].has(tool))
      // The smaller one where a move is in both phases: neither order changes by it.
      const prior = Math.min(...phases.map((phase) => priors[phase].get(tool) ?? 0))
      const origin = isPaperEdge(state, tool) ? 'paper' : 'default'
      return [tool, { phases, prior, n: 0, ok: 0, origin }]
    })
    return [state, { answer: TABLE[state][2], actions: Object.fromEntries(actions) }] as const
  })
  return deepFreeze({
    ...{ v: 1, name, version: 1, derivedFrom: null },
    states: Object.fromEntries(entries),
  })
}

/** Priors in the order given: each half of the one before (or all alike), summing to 1. */
function falling(tools: readonly SeekTool[], even: boolean): Map<SeekTool, number> {
  const raw = tools.map((_, i) => (even ? 1 : 0.5 ** i))
  const sum = raw.reduce((total, one) => total + one, 0)
  return new Map(tools.map((tool, i) => [tool, (raw[i] ?? 0) / sum]))
}

/** The default moves of a state in all phases, for a graph that lost them. */
export function defaultEdges(state: GraphState): Readonly<Partial<Record<SeekTool, GraphEdge>>> {
  return DEFAULT_GRAPH.states[state]?.actions ?? {}
}
