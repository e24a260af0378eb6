import type { Node } from '../graph.ts'
import type { Tensor } from '../tensor.ts'
import type { Algebra } from './algebra.ts'
import type { Value } from './value.ts'

/** What a rule writes with: formulas, and what is known of the forward graph. */
export interface GradBuilder extends Algebra {
  /** A value of the forward graph. */
  value(name: string): Value
  /** The elements of a constant, if it is one. */
  constantOf(name: string): Tensor | undefined
  /** Whether a gradient of the value is wanted. */
  wanted(name: string): boolean
  /** The node's outputs up to `count`, those that the graph did not ask for included. */
  outputsOf(node: Node, count: number): readonly string[]
  /** The gradient repeated to the dims of the value it belongs to. */
  full(gradient: Value, name: string): Value
  /** Throws: this form of the operator has no rule yet; `why` completes "has no gradient ...". */
  refuse(node: Node, why: string): never
}

/**
 * The gradients of a node's inputs from those of its outputs, as nodes of the same graph.
 *
 * `out[i]` is the gradient of output i, null where none arrives; it broadcasts to the output, and has
 * its full dims unless the operator is one of `lazyOps`. The result has an entry for each input; null
 * or nothing where no gradient is due. Each broadcasts to its input.
 */
export type GradRule = (
  node: Node,
  out: readonly (Value | null)[],
  g: GradBuilder,
) => readonly (Value | null)[]

/** The gradient of the first output, which is there whenever the rule of a node with one output is called. */
export function first(out: readonly (Value | null)[]): Value {
  const dy = out[0]
  if (dy === null || dy === undefined) throw new Error('a rule was called without a gradient')
  return dy
}

/** The name of input `i`; empty when it was left out. */
export function inputOf(node: Node, i: number): string {
  return node.inputs[i] ?? ''
}
