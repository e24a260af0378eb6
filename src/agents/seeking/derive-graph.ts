import { deepFreeze } from '../../base/index.ts'
import type { Decision } from '../../memory/index.ts'
import { DEFAULT_GRAPH, defaultEdges, isPaperEdge } from './default-graph.ts'
import { GRAPH_STATES, readGraph } from './graph.ts'
import type { GraphEdge, GraphState, TransitionGraph } from './graph.ts'
import { SEEK_TOOLS } from './types.ts'
import type { Phase, SeekTool } from './types.ts'

export interface DeriveOptions {
  /** Accepted choices that an edge needs; default 2. */
  readonly k?: number
  /** Share of its state's accepted choices that an edge needs; default 0.02. */
  readonly p?: number
  readonly name?: string
  readonly version?: number
}

export interface DerivedGraph {
  readonly graph: TransitionGraph
  /** Edges seen but not kept. */
  readonly dropped: readonly { readonly state: GraphState; readonly tool: SeekTool }[]
  /** Default edges given back. */
  readonly restored: readonly { readonly state: GraphState; readonly tool: SeekTool }[]
}

interface Count {
  n: number
  ok: number
  readonly phases: Set<Phase>
}

/**
 * The transition graph that people's decisions make, with their counts.
 *
 * Kept is what was accepted k times and in a share p of its state; the paper's START edges always stay. A
 * state left without moves, or one that the load checks need, gets its default moves back.
 *
 * @source AVIS §3.3; avis §10 (derivation, vector)
 */
export function deriveGraph(
  decisions: readonly Decision[],
  options: DeriveOptions = {},
): DerivedGraph {
  const { k = 2, p = 0.02, name = 'learned', version = 1 } = options
  const human = decisions.filter((one) => one.actor === 'human')
  const counts = countEdges(human)
  const restored: { state: GraphState; tool: SeekTool }[] = []
  const dropped: { state: GraphState; tool: SeekTool }[] = []
  const states: Partial<Record<GraphState, Record<string, GraphEdge>>> = {}
  const open: GraphState[] = ['START']
  const want = new Set<GraphState>(open)
  for (const state of open) {
    const made = edgesFor(state, counts.get(state) ?? new Map(), { k, p })
    for (const tool of made.dropped) dropped.push({ state, tool })
    for (const tool of made.restored) restored.push({ state, tool })
    states[state] = made.edges
    for (const tool of Object.keys(made.edges) as SeekTool[]) {
      if (!want.has(tool)) open.push(tool)
      want.add(tool)
    }
  }
  const graph: TransitionGraph = {
    ...{ v: 1, name, version },
    derivedFrom: {
      runs: new Set(human.map((one) => one.runId)).size,
      decisions: human.length,
      questions: new Set(human.map((one) => one.questionId)).size,
      ...{ k, p },
    },
    states: Object.fromEntries(
      GRAPH_STATES.filter((state) => states[state] !== undefined).map((state) => [
        state,
        { answer: DEFAULT_GRAPH.states[state]?.answer ?? true, actions: states[state] ?? {} },
      ]),
    ),
  }
  return deepFreeze({ graph: readGraph(graph), dropped, restored })
}

function countEdges(
  decisions: readonly Decision[],
): ReadonlyMap<GraphState, ReadonlyMap<SeekTool, Count>> {
  const counts = new Map<GraphState, Map<SeekTool, Count>>()
  for (const { stateBefore, chosen, verdict, phase } of decisions) {
    const state = stateBefore as GraphState
    const tool = chosen.tool as SeekTool
    if (!GRAPH_STATES.includes(state) || !SEEK_TOOLS.includes(tool)) continue
    if (verdict === 'error') continue
    const edges = counts.get(state) ?? new Map<SeekTool, Count>()
    const count = edges.get(tool) ?? { n: 0, ok: 0, phases: new Set<Phase>() }
    count.n++
    if (verdict !== 'uninformative') count.ok++
    count.phases.add(phase === 'knowledge' ? 'knowledge' : 'visual')
    counts.set(state, edges.set(tool, count))
  }
  return counts
}

/** The edges of one state: those kept, or its default ones. */
function edgesFor(
  state: GraphState,
  counts: ReadonlyMap<SeekTool, Count>,
  { k, p }: { readonly k: number; readonly p: number },
) {
  const defaults = defaultEdges(state)
  const total = [...counts.values()].reduce((sum, { ok }) => sum + ok, 0)
  const kept = [...counts].filter(
    ([tool, { ok }]) => isPaperEdge(state, tool) || (ok >= k && ok >= p * total),
  )
  const dropped = [...counts.keys()].filter((tool) => !kept.some(([one]) => one === tool))
  // The paper's START edges never go, seen or not.
  const missing = (Object.keys(defaults) as SeekTool[]).filter(
    (tool) => isPaperEdge(state, tool) && !counts.has(tool),
  )
  const known = [
    ...kept,
    ...missing.map((tool): [SeekTool, Count] => [tool, { n: 0, ok: 0, phases: new Set() }]),
  ]
  const sum = known.reduce((all, [, { ok }]) => all + ok, 0)
  const edges: Record<string, GraphEdge> = {}
  for (const [tool, { n, ok, phases }] of known) {
    const paper = isPaperEdge(state, tool)
    const seen = [...phases].sort().reverse()
    edges[tool] = {
      phases: seen.length > 0 ? seen : (defaults[tool]?.phases ?? ['visual']),
      prior: (ok + 0.5) / (sum + 0.5 * known.length),
      ...{ n, ok, origin: paper ? 'paper' : 'learned' },
    }
  }
  const restored = restoreEdges(state, edges)
  return { edges, dropped: dropped.filter((tool) => edges[tool] === undefined), restored }
}

/** A state without moves gets its default ones. */
function restoreEdges(state: GraphState, edges: Record<string, GraphEdge>): readonly SeekTool[] {
  if (Object.keys(edges).length > 0) return []
  const defaults = Object.entries(defaultEdges(state)) as [SeekTool, GraphEdge][]
  for (const [tool, edge] of defaults) edges[tool] = { ...edge, origin: 'default' }
  return defaults.map(([tool]) => tool)
}
