import { intAttribute, intsAttribute, stringAttribute } from '../attribute.ts'
import type { Node } from '../graph.ts'
import { upTo } from './value.ts'

/** Strides, dilations and pads of a convolution or pooling, `auto_pad` resolved. */
export interface Window {
  readonly kernel: readonly number[]
  readonly strides: readonly number[]
  readonly dilations: readonly number[]
  readonly begins: readonly number[]
  readonly ends: readonly number[]
  readonly group: number
}

/** The window of a node that reads `space` and writes `result` along the spatial axes. */
export function windowOf(
  node: Node,
  kernel: readonly number[],
  space: readonly number[],
  result: readonly number[],
): Window {
  const ones = kernel.map(() => 1)
  const strides = intsAttribute(node, 'strides') ?? ones
  const dilations = intsAttribute(node, 'dilations') ?? ones
  const [begins, ends] = padsOf(node, { kernel, strides, dilations, space, result })
  return { kernel, strides, dilations, begins, ends, group: intAttribute(node, 'group', 1) }
}

interface Sizes {
  readonly kernel: readonly number[]
  readonly strides: readonly number[]
  readonly dilations: readonly number[]
  readonly space: readonly number[]
  readonly result: readonly number[]
}

function padsOf(node: Node, sizes: Sizes): readonly [readonly number[], readonly number[]] {
  const { kernel, strides, dilations, space, result } = sizes
  const auto = stringAttribute(node, 'auto_pad', 'NOTSET')
  const transposed = node.op === 'ConvTranspose'
  const totals = (): number[] =>
    kernel.map((size, k) => {
      // A transposed convolution reads the smaller side: the same equation with sides exchanged.
      const [large, small] = transposed
        ? [result[k] ?? 1, space[k] ?? 1]
        : [space[k] ?? 1, result[k] ?? 1]
      const output = transposed ? (intsAttribute(node, 'output_padding')?.[k] ?? 0) : 0
      const reach = (dilations[k] ?? 1) * (size - 1) + 1
      return Math.max(0, (small - 1) * (strides[k] ?? 1) + reach + output - large)
    })
  const sized = transposed && intsAttribute(node, 'output_shape') !== undefined
  if (auto.startsWith('SAME') || sized) {
    const small = totals().map((t) => Math.floor(t / 2))
    const large = totals().map((t) => Math.ceil(t / 2))
    // For output_shape the larger half is in front unless SAME_UPPER; for the others SAME_LOWER.
    return auto === 'SAME_UPPER' ? [small, large] : [large, small]
  }
  const none = kernel.map(() => 0)
  const pads = auto === 'VALID' ? undefined : intsAttribute(node, 'pads')
  return pads === undefined
    ? [none, none]
    : [pads.slice(0, kernel.length), pads.slice(kernel.length)]
}

/** Cells that one window reaches along an axis. */
export function reachOf(w: Window, k: number): number {
  return (w.dilations[k] ?? 1) * ((w.kernel[k] ?? 1) - 1) + 1
}

/** The attributes of a node with this window. */
export function windowAttributes(w: Window): Readonly<Record<string, number | readonly number[]>> {
  return {
    kernel_shape: w.kernel,
    strides: w.strides,
    dilations: w.dilations,
    pads: [...w.begins, ...w.ends],
    group: w.group,
  }
}

/** The coordinates of every tap, the last axis fastest. */
export function tapsOf(kernel: readonly number[]): number[][] {
  return kernel.reduce<number[][]>(
    (taps, size) => taps.flatMap((tap) => upTo(size).map((t) => [...tap, t])),
    [[]],
  )
}
