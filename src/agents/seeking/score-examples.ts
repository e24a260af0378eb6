import type { Decision } from '../../memory/index.ts'
import { decisionExamples } from './examples.ts'
import { edgesOf } from './graph.ts'
import type { GraphState, TransitionGraph } from './graph.ts'
import { bootstrap } from './score-graph.ts'
import type { Phase } from './types.ts'
import { votesOf } from './votes.ts'

/** How often the likeliest action is the one that the person took. */
export interface ExamplesScore {
  readonly decisions: number
  /** By the graph's counts and the most similar recorded decisions, 0..1, with its 95 % interval. */
  readonly top1: number
  readonly interval: readonly [low: number, high: number]
  /** By the graph's counts alone. */
  readonly graphOnly: number
}

/**
 * How well recorded decisions foretell decisions that are not among them, as the planner without a model uses
 * them; a decision about the same question or picture is never used.
 */
export function scoreExamples(
  graph: TransitionGraph,
  recorded: readonly Decision[],
  held: readonly Decision[],
): ExamplesScore {
  const rows = held
    .filter(({ verdict }) => verdict !== 'error')
    .map((one) => {
      const edges = edgesOf(graph, one.stateBefore as GraphState, one.phase as Phase)
      const open = edges.filter(({ tool }) => one.feasible.includes(tool))
      const examples = decisionExamples(recorded, {
        ...{ question: one.question, picture: one.picture, runId: one.runId },
        ...{ phase: one.phase as Phase, tools: open.map(({ tool }) => tool), most: 10 },
      })
      const votes = votesOf(examples, one.stateBefore)
      const scored = open.map(({ tool, prior }) => ({
        tool,
        score: Math.log(prior + 1e-6) + votes(tool),
      }))
      const best = scored.toSorted((a, b) => b.score - a.score)[0]
      const isRight = (tool: string | undefined): boolean => tool === one.chosen.tool
      return { right: isRight(best?.tool), graph: isRight(open[0]?.tool) }
    })
  const share = (list: readonly boolean[]): number =>
    list.length === 0 ? 0 : list.filter(Boolean).length / list.length
  return {
    decisions: rows.length,
    top1: share(rows.map(({ right }) => right)),
    interval: bootstrap(rows.map(({ right }) => Number(right))),
    graphOnly: share(rows.map(({ graph: right }) => right)),
  }
}
