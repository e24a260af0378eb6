import { UserFault } from '../../base/index.ts'
import { floatAttribute, intAttribute } from '../attribute.ts'
import type { Builder } from '../builder.ts'
import type { Graph, Node, Shapes } from '../graph.ts'
import { nodeTitle } from '../graph.ts'
import { sizeOf } from '../tensor.ts'
import { constantsOf, nodesBetween } from './flow.ts'
import type { HeadLayout, Projection } from './projection.ts'

const movements = new Set('Reshape Transpose Squeeze Unsqueeze Flatten Identity Dropout'.split(' '))
const rowwise = new Set(
  'LayerNormalization RMSNormalization SimplifiedLayerNormalization ReduceMean Sub Pow Add Sqrt Div Mul Cast Reciprocal'.split(
    ' ',
  ),
)

/** Rows [batch, rows, width] put through copies of the operations that a layer's own rows go through. */
export interface RowCopies {
  /** The rows at `to`, given what they are at `from`. */
  along(from: string, to: string, rows: string): string
  /** The rows behind a projection, channels last. */
  projected(projection: Projection, rows: string): string
}

/** Copies within one graph; the same way or product is copied once for the same rows. */
export function rowCopies(graph: Graph, shapes: Shapes, write: Builder): RowCopies {
  const made = new Map<string, string>()
  const once = (key: string, make: () => string): string => {
    const known = made.get(key)
    if (known !== undefined) return known
    const name = make()
    made.set(key, name)
    return name
  }
  return {
    along: (from, to, rows) =>
      from === to
        ? rows
        : once(`${from} ${to} ${rows}`, () => copyPath(graph, shapes, write, from, to, rows)),
    projected: (projection, rows) => {
      const product = once(`${projection.node.outputs[0]} ${rows}`, () =>
        copyProduct(write, projection.node, rows),
      )
      const key = `${projection.output} ${product}`
      return once(key, () => copyAffine(graph, write, projection, product))
    },
  }
}

function copyPath(
  graph: Graph,
  shapes: Shapes,
  write: Builder,
  from: string,
  to: string,
  rows: string,
): string {
  const copies = new Map([[from, rows]])
  const constant = constantsOf(graph)
  const width = shapes.get(from)?.dims.at(-1) ?? 1
  for (const node of nodesBetween(graph, from, to)) {
    const data = node.inputs.find((name) => copies.has(name)) ?? ''
    const copied = copies.get(data) ?? ''
    const beside = node.inputs.filter((name) => name !== '' && !copies.has(name))
    // A table with a row for each token holds positions, and prompts have none.
    const positions = beside.some((name) => sizeOf(shapes.get(name)?.dims ?? []) > width)
    if (movements.has(node.op) || (node.op === 'Add' && positions)) {
      copies.set(node.outputs[0] ?? '', copied)
      continue
    }
    if (!rowwise.has(node.op) || beside.some((name) => !constant.has(name))) throw notRowwise(node)
    const inputs = node.inputs.map((name) => copies.get(name) ?? name)
    const outputs = write.ops(node.op, inputs, node.outputs.length, node.attributes)
    node.outputs.forEach((name, i) => name !== '' && copies.set(name, outputs[i] ?? ''))
  }
  const end = copies.get(to)
  if (end === undefined) throw new UserFault('E_PROMPT_PATH', `"${from}" does not lead to "${to}".`)
  return end
}

function notRowwise(node: Node): UserFault {
  return new UserFault('E_PROMPT_PATH', `${nodeTitle(node)} does not treat each token by itself.`, {
    fields: { node: nodeTitle(node) },
    cure: 'Use the token form of the injection.',
  })
}

function copyProduct(write: Builder, node: Node, rows: string): string {
  const weights = node.inputs[1] ?? ''
  if (node.op === 'MatMul') return write.op('MatMul', [rows, weights])
  const plain = floatAttribute(node, 'alpha', 1) === 1 && floatAttribute(node, 'beta', 1) === 1
  if (!plain || intAttribute(node, 'transA', 0) === 1) throw notRowwise(node)
  const right = intAttribute(node, 'transB', 0) === 1 ? write.transpose(weights, [1, 0]) : weights
  const product = write.op('MatMul', [rows, right])
  const bias = node.inputs[2] ?? ''
  return bias === '' ? product : write.op('Add', [product, bias])
}

function copyAffine(graph: Graph, write: Builder, projection: Projection, product: string): string {
  const constant = constantsOf(graph)
  return projection.affine.reduce(
    (rows, node) =>
      write.op(
        node.op,
        node.inputs.map((name) => (constant.has(name) ? name : rows)),
      ),
    product,
  )
}

/**
 * Projected rows laid out like the heads of an attention operand: keys [..., size, rows], else [..., rows, size].
 *
 * @param rows  [pictures, count, channels]; one picture stands for all of the batch
 */
export function asHeads(
  write: Builder,
  rows: string,
  layout: HeadLayout,
  sizes: { readonly pictures: number; readonly batch: number; readonly count: number },
  keys: boolean,
): string {
  const { heads, headSize, channels } = layout
  const { pictures, batch, count } = sizes
  const inOrder = channels.every((c, i) => c === i)
  const chosen = inOrder ? rows : write.op('Gather', [rows, write.ints(channels)], { axis: 2 })
  const scaled = layout.scale === 1 ? chosen : write.op('Mul', [chosen, write.scalar(layout.scale)])
  const split = write.reshape(scaled, [pictures, count, heads, headSize])
  const turned = write.transpose(split, keys ? [0, 2, 3, 1] : [0, 2, 1, 3])
  const tail = keys ? [headSize, count] : [count, headSize]
  const all =
    pictures === batch ? turned : write.op('Expand', [turned, write.ints([batch, heads, ...tail])])
  return write.reshape(all, [...layout.lead, ...tail])
}
