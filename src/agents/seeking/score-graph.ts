import { seededRandom, sha256 } from '../../base/index.ts'
import type { Decision } from '../../memory/index.ts'
import { edgesOf } from './graph.ts'
import type { GraphState, TransitionGraph } from './graph.ts'
import type { Phase } from './types.ts'

/** How well a graph foretells decisions that it was not made from. */
export interface GraphScore {
  readonly decisions: number
  /** Share of accepted decisions that the graph allows, 0..1, with its bootstrap 95 % interval. */
  readonly coverage: number
  readonly interval: readonly [low: number, high: number]
  /** The same over all decisions but errors. */
  readonly coverageAll: number
  /** Share where the likeliest action is the one that was chosen. */
  readonly top1: number
  /** Actions allowed on average: a graph that allows everything covers everything. */
  readonly feasible: number
}

/** @source avis §10 (hold-out score) */
export function scoreGraph(graph: TransitionGraph, decisions: readonly Decision[]): GraphScore {
  const counted = decisions.filter(({ verdict }) => verdict !== 'error')
  const rows = counted.map((one) => {
    const edges = edgesOf(graph, one.stateBefore as GraphState, one.phase as Phase)
    return {
      accepted: one.verdict !== 'uninformative',
      covered: edges.some(({ tool }) => tool === one.chosen.tool),
      first: edges[0]?.tool === one.chosen.tool,
      feasible: edges.length,
    }
  })
  const accepted = rows.filter((row) => row.accepted)
  const share = (list: readonly boolean[]): number =>
    list.length === 0 ? 0 : list.filter(Boolean).length / list.length
  return {
    decisions: counted.length,
    coverage: share(accepted.map(({ covered }) => covered)),
    interval: bootstrap(accepted.map(({ covered }) => Number(covered))),
    coverageAll: share(rows.map(({ covered }) => covered)),
    top1: share(rows.map(({ first }) => first)),
    feasible: rows.reduce((sum, row) => sum + row.feasible, 0) / Math.max(1, rows.length),
  }
}

/** The 95 % interval of a mean, by drawing anew 1,000 times. */
export function bootstrap(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 0]
  const random = seededRandom(7)
  const means = Array.from({ length: 1000 }, () => {
    let sum = 0
    for (let i = 0; i < values.length; i++) sum += values[random.below(values.length)] ?? 0
    return sum / values.length
  }).toSorted((a, b) => a - b)
  return [means[25] ?? 0, means[974] ?? 0]
}

/** Questions split by hash: about a fifth is held out, always the same one. */
export function splitByQuestion(decisions: readonly Decision[]): {
  readonly train: readonly Decision[]
  readonly held: readonly Decision[]
} {
  const isHeld = ({ questionId }: Decision): boolean =>
    parseInt(sha256(questionId).slice(0, 8), 16) % 5 === 0
  return { train: decisions.filter((one) => !isHeld(one)), held: decisions.filter(isHeld) }
}
