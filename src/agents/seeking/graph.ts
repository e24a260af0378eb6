import { deepFreeze, nearestNames, UserFault } from '../../base/index.ts'
import { SEEK_TOOLS } from './types.ts'
import type { Phase, SeekTool } from './types.ts'

export type GraphState = SeekTool | 'START'

export interface GraphEdge {
  readonly phases: readonly Phase[]
  /** Chance of the choice among those of the state, in each of its phases; normalised when read. */
  readonly prior: number
  /** How often people chose it, and how often something came of it. */
  readonly n: number
  readonly ok: number
  readonly origin: 'paper' | 'default' | 'learned' | 'user'
  readonly note?: string
}

/** Which actions each state allows: data, to be learnt, compared, edited (avis §4). */
export interface TransitionGraph {
  readonly v: 1
  readonly name: string
  readonly version: number
  readonly derivedFrom: {
    readonly runs: number
    readonly decisions: number
    readonly questions: number
    readonly k: number
    readonly p: number
  } | null
  readonly states: Readonly<
    Partial<
      Record<
        GraphState,
        {
          readonly answer: boolean
          readonly actions: Readonly<Partial<Record<SeekTool, GraphEdge>>>
        }
      >
    >
  >
}

export const GRAPH_STATES: readonly GraphState[] = ['START', ...SEEK_TOOLS]

/** The edges of a state in a phase, best prior first, priors normalised to sum to 1. */
export function edgesOf(
  graph: TransitionGraph,
  state: GraphState,
  phase: Phase,
): readonly { readonly tool: SeekTool; readonly edge: GraphEdge; readonly prior: number }[] {
  const actions = Object.entries(graph.states[state]?.actions ?? {}) as [SeekTool, GraphEdge][]
  const open = actions.filter(([, edge]) => edge.phases.includes(phase))
  const sum = open.reduce((total, [, edge]) => total + edge.prior, 0)
  return open
    .map(([tool, edge]) => ({ tool, edge, prior: sum > 0 ? edge.prior / sum : 1 / open.length }))
    .sort((a, b) => b.prior - a.prior)
}

/**
 * A graph from its file, checked: known tools and states, priors that are shares, every state reachable from
 * START, and an answering state reachable from every one.
 *
 * @throws UserFault `E_GRAPH` with the state, the edge and the reason
 * @source avis §4 (load checks)
 */
export function readGraph(json: unknown): TransitionGraph {
  if (typeof json !== 'object' || json === null) throw graphFault('it is not an object')
  const graph = json as TransitionGraph
  if (graph.v !== 1) throw graphFault(`its version is ${String(graph.v)}, not 1`)
  if (typeof graph.states !== 'object' || graph.states === null) throw graphFault('no states')
  for (const [state, entry] of Object.entries(graph.states)) {
    checkName(state, GRAPH_STATES, { state })
    if (typeof entry?.answer !== 'boolean') {
      throw graphFault('it does not say whether it may answer', { state })
    }
    for (const [tool, edge] of Object.entries(entry.actions ?? {})) checkEdge(state, tool, edge)
    checkPriors(graph, state as GraphState)
  }
  checkWays(graph)
  return deepFreeze(structuredClone(graph))
}

/** The graph as the text of its file; reading it gives the same graph. */
export function writeGraph(graph: TransitionGraph): string {
  return `${JSON.stringify(graph, null, 2)}\n`
}

function checkEdge(state: string, tool: string, edge: GraphEdge | undefined): void {
  const place = { state, edge: tool }
  checkName(tool, SEEK_TOOLS, place)
  const phases: readonly string[] = edge?.phases ?? []
  if (phases.length === 0 || phases.some((one) => one !== 'visual' && one !== 'knowledge')) {
    throw graphFault('its phases must be "visual" or "knowledge"', place)
  }
  const prior = edge?.prior
  if (typeof prior !== 'number' || !(prior >= 0 && prior <= 1)) {
    throw graphFault('its prior must be from 0 to 1', place)
  }
}

/** Priors are shares of the state's choices: in no phase do they sum to more than 1, or to nothing. */
function checkPriors(graph: TransitionGraph, state: GraphState): void {
  for (const phase of ['visual', 'knowledge'] as const) {
    const edges = Object.values(graph.states[state]?.actions ?? {}).filter((edge) =>
      edge.phases.includes(phase),
    )
    const sum = edges.reduce((total, { prior }) => total + prior, 0)
    if (edges.length > 0 && !(sum > 0 && sum < 1.001)) {
      throw graphFault(`its ${phase} priors sum to ${sum}, not to 1 or less`, { state })
    }
  }
}

function checkWays(graph: TransitionGraph): void {
  const states = Object.keys(graph.states) as GraphState[]
  if (graph.states.START === undefined) throw graphFault('it has no START')
  const next = (state: GraphState): SeekTool[] =>
    Object.keys(graph.states[state]?.actions ?? {}) as SeekTool[]
  for (const state of states) {
    for (const tool of next(state)) {
      if (graph.states[tool] === undefined) {
        throw graphFault(`it leads to ${tool}, which is no state of the graph`, {
          ...{ state, edge: tool },
        })
      }
    }
  }
  const fromStart = reach('START', next)
  for (const state of states) {
    if (!fromStart.has(state)) throw graphFault('it cannot be reached from START', { state })
    const onward = reach(state, next)
    if (![...onward].some((one) => graph.states[one]?.answer === true)) {
      throw graphFault('no state that may answer can be reached from it', { state })
    }
  }
}

function reach(
  from: GraphState,
  next: (state: GraphState) => readonly GraphState[],
): Set<GraphState> {
  const seen = new Set<GraphState>([from])
  for (const state of seen) for (const one of next(state)) seen.add(one)
  return seen
}

function checkName(
  name: string,
  known: readonly string[],
  place: { readonly state: string; readonly edge?: string },
): void {
  if (known.includes(name)) return
  const near = nearestNames(name, known, 1)[0]
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  throw graphFault(`"${name}" is not a tool.${hint}`, place)
}

function graphFault(why: string, place: { state?: string; edge?: string } = {}): UserFault {
  const where = [place.state, place.edge].filter((one) => one !== undefined).join(' -> ')
  return new UserFault('E_GRAPH', `graph${where === '' ? '' : ` ${where}`}: ${why}`, {
    fields: { ...place, why },
    cure: 'Compare it with "pupil study graph -o FILE", or go without --graph for the default one.',
  })
}
