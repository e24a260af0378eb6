import { liftOpset } from '../edit/opset.ts'
import type { Model } from '../graph.ts'
import { opsetOf, withGraph } from '../graph.ts'
import type { ShapeOptions, Specialised } from '../shapes.ts'
import { specialise } from '../shapes.ts'
import { lower } from './lower.ts'

/** Gradients are written for at least this opset. */
export const gradientOpset = 17

/**
 * A model ready for prompts and gradients: fused and quantised operators in primitives, opset at least
 * 17, sizes written in, every shape known. Names of values stay; weights are not touched.
 *
 * @param sizes  for each input that has free sizes, all of its sizes
 */
export async function prepare(
  model: Model,
  sizes: Readonly<Record<string, readonly number[]>> = {},
  options: ShapeOptions = {},
): Promise<Specialised> {
  const primitive = lower(model)
  const { graph } = primitive
  const lifted =
    opsetOf(graph) < gradientOpset
      ? withGraph(primitive, liftOpset(graph, gradientOpset))
      : primitive
  return specialise(lifted, sizes, options)
}
