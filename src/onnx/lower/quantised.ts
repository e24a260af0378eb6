import { intAttribute } from '../attribute.ts'
import type { Builder } from '../builder.ts'
import { tensorArray, tensorNumbers } from '../tensor.ts'
import type { LowerContext, Lowering } from './lower.ts'

/**
 * MatMulNBits with 4 bits: weights packed in blocks along the inner axis, low half first.
 *
 * Unpacked here into [K, N] of uint8 beside scales and zero points of whole blocks; DequantizeLinear
 * makes floats of them, exactly.
 */
const matMulNBits: Lowering = (node, context) => {
  const { b, constantOf } = context
  const [x = '', packed = '', scales = '', zeros, , bias] = node.inputs
  const [inner, outer] = [intAttribute(node, 'K', 0), intAttribute(node, 'N', 0)]
  const block = intAttribute(node, 'block_size', 32)
  const weights = constantOf(packed)
  if (weights === undefined || intAttribute(node, 'bits', 4) !== 4) return []
  const blocks = Math.ceil(inner / block)
  const bytes = tensorArray(weights) as Uint8Array
  const values = new Uint8Array(inner * outer)
  for (let n = 0; n < outer; n++) {
    for (let k = 0; k < inner; k++) {
      const at = n * blocks * block + k
      values[k * outer + n] = ((bytes[at >> 1] ?? 0) >> ((at & 1) * 4)) & 15
    }
  }
  const zero = zeroPoints(context, zeros, outer, blocks)
  if (zero === undefined) return []
  const spread = (perBlock: string): string =>
    alongBlocks(b, perBlock, { inner, outer, block, blocks })
  const steps = b.op('Sub', [
    b.cast(b.constant(values, [inner, outer], 'uint8'), 'float32'),
    spread(b.constant(zero, [outer, blocks])),
  ])
  const full = b.op('Mul', [steps, spread(scales)])
  const product = b.op('MatMul', [x, full])
  return [context.has(bias) ? b.op('Add', [product, bias]) : product]
}

/** Zero points by block as floats: 8 where none are given, else packed two to a byte. */
function zeroPoints(
  { constantOf, has }: LowerContext,
  zeros: string | undefined,
  outer: number,
  blocks: number,
): number[] | undefined {
  if (!has(zeros)) return new Array<number>(outer * blocks).fill(8)
  const tensor = constantOf(zeros)
  if (tensor === undefined) return undefined
  if (tensor.type !== 'uint8') return [...tensorNumbers(tensor)]
  const bytes = tensorArray(tensor)
  const row = Math.ceil(blocks / 2)
  return Array.from({ length: outer * blocks }, (_, i) => {
    const [n, k] = [Math.floor(i / blocks), i % blocks]
    return (Number(bytes[n * row + (k >> 1)] ?? 0) >> ((k & 1) * 4)) & 15
  })
}

/** One number for each block of each column, repeated along the inner axis: [outer·blocks] to [inner, outer]. */
function alongBlocks(
  b: Builder,
  perBlock: string,
  sizes: { inner: number; outer: number; block: number; blocks: number },
): string {
  const { inner, outer, block, blocks } = sizes
  const table = b.transpose(b.reshape(perBlock, [outer, blocks]), [1, 0])
  const wide = b.op('Expand', [b.unsqueeze(table, [1]), b.ints([blocks, block, outer])])
  return b.slice(b.reshape(wide, [blocks * block, outer]), [0], [inner], [0])
}

/** Integer weights as floats less their zero point, which may be one for each column. */
function weightsOf({ b, has }: LowerContext, values: string, zero: string | undefined): string {
  const floats = b.cast(values, 'float32')
  return has(zero) ? b.op('Sub', [floats, b.cast(zero, 'float32')]) : floats
}

/** Activations as floats: what a dynamic quantisation gives is the value itself once that is lowered. */
function activationsOf(context: LowerContext, values: string, zero: string | undefined): string {
  const by = context.producerOf(values)
  return by?.op === 'DynamicQuantizeLinear' ? values : weightsOf(context, values, zero)
}

/**
 * Quantised products, straight through: activations are not rounded, so that a gradient passes, and
 * the product is x·W̃ with W̃ the weights as they were stored.
 */
export const quantisedLowerings: Readonly<Record<string, Lowering>> = {
  'com.microsoft.MatMulNBits': matMulNBits,
  DynamicQuantizeLinear: (node, { b }) => [
    b.op('Identity', [node.inputs[0] ?? '']),
    b.op('Identity', [b.scalar(1)]),
    b.op('Identity', [b.constant([0], [], 'uint8')]),
  ],
  MatMulInteger: (node, context) => {
    const [x = '', weights = '', zero, weightZero] = node.inputs
    const left = activationsOf(context, x, zero)
    return [context.b.op('MatMul', [left, weightsOf(context, weights, weightZero)])]
  },
  ConvInteger: (node, context) => {
    const [x = '', weights = '', zero, weightZero] = node.inputs
    const left = activationsOf(context, x, zero)
    return [context.b.op('Conv', [left, weightsOf(context, weights, weightZero)], node.attributes)]
  },
}
