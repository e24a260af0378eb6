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
  const give = (state: GraphState, tools: readonly SeekTool[]): void => {
    for (const tool of tools) restored.push({ state, tool })
  }
  for (let next: GraphState | undefined = 'START'; next !== undefined; next = unmade(states)) {
    const made = edgesFor(next, counts.get(next) ?? new Map(), { k, p })
    for (const tool of made.dropped) dropped.push({ state: next, tool })
    give(next, made.restored)
    states[next] = made.edges
    // Once all states are there, those from which nothing answers get their default moves as well.
    const stuck = unmade(states) === undefined ? stuckState(states) : undefined
    if (stuck !== undefined) give(stuck, addDefaults(stuck, states[stuck] ?? {}))
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
  return Object.keys(edges).length > 0 ? [] : addDefaults(state, edges)
}

/** Adds the default moves that a state lacks; its priors are shares again afterwards. */
function addDefaults(state: GraphState, edges: Record<string, GraphEdge>): readonly SeekTool[] {
  const defaults = Object.entries(defaultEdges(state)) as [SeekTool, GraphEdge][]
  const added = defaults.filter(([tool]) => edges[tool] === undefined)
  const learnt = Object.keys(edges).length > 0
  for (const [tool, edge] of Object.entries(edges)) edges[tool] = { ...edge, prior: edge.prior / 2 }
  for (const [tool, edge] of added) {
    edges[tool] = { ...edge, prior: learnt ? edge.prior / 2 : edge.prior, origin: 'default' }
  }
  return added.map(([tool]) => tool)
}

type States = Readonly<Partial<Record<GraphState, Readonly<Record<string, GraphEdge>>>>>

const nextOf = (states: States, state: GraphState): readonly GraphState[] =>
  Object.keys(states[state] ?? {}) as GraphState[]

/** A state that some move leads to and that has no moves of its own yet. */
function unmade(states: States): GraphState | undefined {
  const made = Object.keys(states) as GraphState[]
  return made.flatMap((one) => nextOf(states, one)).find((one) => states[one] === undefined)
}

/** A state from which none that may answer can be reached, and that lacks default moves. */
function stuckState(states: States): GraphState | undefined {
  return (Object.keys(states) as GraphState[]).find((state) => {
    const seen = new Set<GraphState>([state])
    for (const one of seen) for (const next of nextOf(states, one)) seen.add(next)
    const answers = [...seen].some((one) => DEFAULT_GRAPH.states[one]?.answer === true)
    const lacks = Object.keys(defaultEdges(state)).some(
      (tool) => states[state]?.[tool] === undefined,
    )
    return !answers && lacks
  })
}
