import { cut } from '../edit/cut.ts'
import type { Graph, Shapes } from '../graph.ts'
import { indexOf, readsOf } from '../graph.ts'
import { downstreamOf } from './flow.ts'

/** A graph in two parts: what stays the same from step to step, and what does not. */
export interface Frozen {
  /** Absent when nothing can be computed ahead. */
  readonly prefix?: Graph
  readonly rest: Graph
  /** Values that the prefix gives and the rest is fed. */
  readonly values: readonly string[]
}

/**
 * Cuts off what depends on fixed inputs only, so that it is run once for each instance.
 *
 * @param moving  inputs that change: prompts, and what is fed anew at each step
 * @param shapes  of the forward graph; only its values are cut at
 */
export function cutFrozen(graph: Graph, moving: readonly string[], shapes: Shapes): Frozen {
  const moved = downstreamOf(graph, moving)
  const still = graph.inputs.map(({ name }) => name).filter((name) => !moved.has(name))
  const fed = downstreamOf(graph, still)
  const { producer, output } = indexOf(graph)
  const crossing = new Set<string>()
  const ready = (name: string): boolean =>
    !moved.has(name) && fed.has(name) && producer.has(name) && shapes.has(name)
  for (const node of graph.nodes) {
    // Nodes of the backward pass stay with it even where they do not move: their shapes are not known.
    const stays = node.outputs.some((name) => moved.has(name) || (name !== '' && !shapes.has(name)))
    if (!stays) continue
    for (const name of readsOf(node)) if (ready(name)) crossing.add(name)
  }
  for (const name of crossing) if (output.has(name)) crossing.delete(name)
  const values = [...crossing]
  if (values.length === 0) return { rest: graph, values }
  const halves = cut(graph, values, shapes)
  return { prefix: halves.prefix, rest: halves.rest, values }
}
