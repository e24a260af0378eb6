import { Bug } from '../../base/index.ts'
import type { Graph, Node, Shapes } from '../graph.ts'
import { nodeTitle, opsetOf } from '../graph.ts'
import { tensorNumbers } from '../tensor.ts'
import { elementwise } from './elementwise.ts'
import { indexing } from './indexing.ts'
import { moves } from './moves.ts'
import type { Nd } from './nd.ts'
import { products } from './products.ts'
import { reductions } from './reduce.ts'
import { windows } from './windows.ts'

/** What a node reads. One that was left out is undefined in spite of the type: kernels know their own arity. */
export type Inputs = readonly [Nd, Nd, Nd, Nd, Nd, Nd, ...Nd[]]

/** What an operator gives. */
export type Kernel = (node: Node, inputs: Inputs, opset: number) => readonly Nd[]

const kernels: Readonly<Record<string, Kernel>> = {
  ...elementwise,
  ...reductions,
  ...moves,
  ...indexing,
  ...products,
  ...windows,
}

/**
 * Every value of a graph in double precision, by plain loops over the definitions of the operators.
 *
 * An oracle for tests: slow, small, and independent of the runtime and of our gradient rules.
 *
 * @throws Bug `E_REFERENCE_OP` for an operator that it does not know
 */
export function evaluate(graph: Graph, feeds: Readonly<Record<string, Nd>>): Map<string, Nd> {
  const values = new Map<string, Nd>()
  for (const tensor of graph.initializers) {
    values.set(tensor.name, { dims: tensor.dims, data: tensorNumbers(tensor), type: tensor.type })
  }
  for (const [name, value] of Object.entries(feeds)) values.set(name, value)
  const opset = opsetOf(graph)
  for (const node of graph.nodes) {
    const kernel = node.domain === '' ? kernels[node.op] : undefined
    if (kernel === undefined) {
      throw new Bug('E_REFERENCE_OP', `The reference evaluator knows no ${nodeTitle(node)}.`)
    }
    const inputs = node.inputs.map((name) => (name === '' ? undefined : values.get(name)))
    const results = kernel(node, inputs as unknown as Inputs, opset)
    node.outputs.forEach((name, i) => {
      const result = results[i]
      if (name !== '' && result !== undefined) values.set(name, result)
    })
  }
  return values
}

/** Types and dims of evaluated values. */
export function shapesOf(values: ReadonlyMap<string, Nd>): Shapes {
  return new Map([...values].map(([name, v]) => [name, { type: v.type, dims: v.dims }]))
}
