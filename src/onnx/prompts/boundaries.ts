import type { Graph, Shapes } from '../graph.ts'
import { hasValue } from '../graph.ts'
import { downstreamOf } from './flow.ts'
import { layerOutput, locate } from './locate.ts'

/**
 * Values between the layers of a transformer, in order, each reached from the one before: what a
 * backward pass that computes the layers again keeps. Empty where no layer is found.
 *
 * @param from  only layers that depend on this input
 */
export function boundariesOf(graph: Graph, shapes: Shapes, from?: string): readonly string[] {
  const sites = locate(graph, shapes, from === undefined ? {} : { from })
  const last = sites.at(-1)
  const ends = last === undefined ? [] : [layerOutput(graph, last)]
  const chain: string[] = []
  for (const value of [...sites.map(({ input }) => input), ...ends]) {
    const before = chain.at(-1)
    if (!hasValue(graph, value) || value === before) continue
    if (before === undefined || downstreamOf(graph, [before]).has(value)) chain.push(value)
  }
  return chain
}
