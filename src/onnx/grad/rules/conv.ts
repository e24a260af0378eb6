import type { Node } from '../../graph.ts'
import { sizeOf } from '../../tensor.ts'
import type { GradBuilder, GradRule } from '../rule.ts'
import { first, inputOf } from '../rule.ts'
import { upTo } from '../value.ts'
import type { Value } from '../value.ts'
import { reachOf, tapsOf, windowAttributes, windowOf } from '../window.ts'
import type { Window } from '../window.ts'
import { outputOf } from './elementwise.ts'

/** Above so many taps one convolution with swapped roles writes fewer nodes than a product for each. */
const tapsUpTo = 49

const far = -(2 ** 31)

/** W [O, C/G, k] as [C, O/G, k], turned round in space: what a convolution reads backwards. */
function turned(weight: Value, group: number, g: GradBuilder): Value {
  const [out = 1, each = 1, ...kernel] = weight.dims
  const rank = kernel.length
  const grouped = g.reshape(weight, [group, out / group, each, ...kernel])
  const swapped = g.transpose(grouped, [0, 2, 1, ...upTo(rank).map((k) => k + 3)])
  const flat = g.reshape(swapped, [group * each, out / group, ...kernel])
  const axes = upTo(rank).filter((k) => (kernel[k] ?? 1) > 1)
  if (axes.length === 0) return flat
  const name = g.builder.slice(
    flat.name,
    axes.map(() => -1),
    axes.map(() => far),
    axes.map((k) => k + 2),
    axes.map(() => -1),
  )
  return { ...flat, name }
}

/** The picture's gradient. Stride 1: an ordinary convolution of dy; else the transposed one. */
function convInput(x: Value, weight: Value, dy: Value, w: Window, g: GradBuilder): Value {
  const space = x.dims.slice(2)
  if (w.strides.every((s) => s === 1)) {
    const pads = (given: readonly number[]): number[] => given.map((p, k) => reachOf(w, k) - 1 - p)
    const [begins, ends] = [pads(w.begins), pads(w.ends)]
    const crop = (all: readonly number[]): number[] => [0, 0, ...all.map((p) => Math.min(0, p))]
    const back = {
      ...w,
      begins: begins.map((p) => Math.max(0, p)),
      ends: ends.map((p) => Math.max(0, p)),
    }
    const inner = g.pad(dy, crop(begins), crop(ends))
    return g.node('Conv', [inner, turned(weight, w.group, g)], x.dims, windowAttributes(back))
  }
  const extra = space.map(
    (n, k) =>
      n -
      (((dy.dims[k + 2] ?? 1) - 1) * (w.strides[k] ?? 1) -
        (w.begins[k] ?? 0) -
        (w.ends[k] ?? 0) +
        reachOf(w, k)),
  )
  return g.node('ConvTranspose', [dy, weight], x.dims, {
    ...windowAttributes(w),
    output_padding: extra,
  })
}

/** dW by a product for each tap: dy [G, O/G, N·m] · x under the tap [G, N·m, C/G]. */
function weightByTaps(
  x: Value,
  dims: readonly number[],
  dy: Value,
  w: Window,
  g: GradBuilder,
): Value {
  const [out = 1, each = 1] = dims
  const rank = w.kernel.length
  const space = upTo(rank).map((k) => k + 2)
  const result = dy.dims.slice(2)
  const rows = sizeOf(result) * (dy.dims[0] ?? 1)
  const need = result.map((m, k) => (m - 1) * (w.strides[k] ?? 1) + reachOf(w, k))
  // Cells behind the last window are cropped, so that the slices below end inside.
  const behind = need.map((n, k) => n - (x.dims[k + 2] ?? 1) - (w.begins[k] ?? 0))
  const padded = g.pad(x, [0, 0, ...w.begins], [0, 0, ...behind])
  const last = g.transpose(padded, [0, ...space, 1])
  const left = g.reshape(g.transpose(dy, [1, 0, ...space]), [w.group, out / w.group, rows])
  const pieces = tapsOf(w.kernel).map((tap) => {
    const starts = tap.map((t, k) => t * (w.dilations[k] ?? 1))
    const ends = starts.map((s, k) => s + ((result[k] ?? 1) - 1) * (w.strides[k] ?? 1) + 1)
    const whole = starts.every((s, k) => s === 0 && ends[k] === need[k] && w.strides[k] === 1)
    const name = whole
      ? last.name
      : g.builder.slice(
          last.name,
          starts,
          ends,
          upTo(rank).map((k) => k + 1),
          w.strides,
        )
    const under: Value = { ...last, name, dims: [x.dims[0] ?? 1, ...result, w.group * each] }
    const right = g.transpose(g.reshape(under, [rows, w.group, each]), [1, 0, 2])
    return g.reshape(g.matmul(left, right), [out, each, 1])
  })
  return g.reshape(g.concat(pieces, 2), dims)
}

/**
 * dW by one convolution with swapped roles: x [C/G, G·N, n] with dy [O, N, m] as its weights,
 * strides and dilations exchanged; exact for every form, slower than by taps.
 */
function weightBySwap(
  x: Value,
  dims: readonly number[],
  dy: Value,
  w: Window,
  g: GradBuilder,
): Value {
  const [out = 1, each = 1, ...kernel] = dims
  const [batch = 1, , ...space] = x.dims
  const axes = upTo(kernel.length)
  const grouped = g.reshape(x, [batch, w.group, each, ...space])
  const swapped = g.transpose(grouped, [2, 1, 0, ...axes.map((k) => k + 3)])
  const picture = g.reshape(swapped, [each, w.group * batch, ...space])
  const result = dy.dims.slice(2)
  const kernels = g.transpose(dy, [1, 0, ...axes.map((k) => k + 2)])
  const size = space.map((n, k) => {
    const reach = (w.strides[k] ?? 1) * ((result[k] ?? 1) - 1) + 1
    return (
      Math.floor((n + (w.begins[k] ?? 0) + (w.ends[k] ?? 0) - reach) / (w.dilations[k] ?? 1)) + 1
    )
  })
  const window = { ...w, kernel: result, strides: w.dilations, dilations: w.strides }
  const wide = g.node('Conv', [picture, kernels], [each, out, ...size], windowAttributes(window))
  const cut = axes.reduce((v, k) => g.slice(v, k + 2, 0, kernel[k] ?? 1), wide)
  return g.transpose(cut, [1, 0, ...axes.map((k) => k + 2)])
}

/** dW, for a weight of the dims [O, C/G, k], of a convolution that reads x and gives what dy belongs to. */
export function convWeight(
  x: Value,
  dims: readonly number[],
  dy: Value,
  w: Window,
  g: GradBuilder,
): Value {
  const form = sizeOf(w.kernel) <= tapsUpTo ? weightByTaps : weightBySwap
  return form(x, dims, dy, w, g)
}

/** The bias gradient: dy summed over batch and space. */
function convBias(node: Node, dy: Value, g: GradBuilder): Value | null {
  const bias = inputOf(node, 2)
  if (bias === '' || !g.wanted(bias)) return null
  return g.reshape(
    g.sum(
      dy,
      upTo(dy.dims.length).filter((k) => k !== 1),
    ),
    g.value(bias).dims,
  )
}

const conv: GradRule = (node, out, g) => {
  const dy = first(out)
  const [x, weight] = [g.value(inputOf(node, 0)), g.value(inputOf(node, 1))]
  const w = windowOf(
    node,
    weight.dims.slice(2),
    x.dims.slice(2),
    g.value(outputOf(node)).dims.slice(2),
  )
  return [
    g.wanted(x.name) ? convInput(x, weight, dy, w, g) : null,
    g.wanted(weight.name) ? convWeight(x, weight.dims, dy, w, g) : null,
    convBias(node, dy, g),
  ]
}

const convTranspose: GradRule = (node, out, g) => {
  const dy = first(out)
  const [x, weight] = [g.value(inputOf(node, 0)), g.value(inputOf(node, 1))]
  const space = x.dims.slice(2)
  const w = windowOf(node, weight.dims.slice(2), space, dy.dims.slice(2))
  // Output padding may add cells behind the last that any window reaches: they got nothing but the bias.
  const used = space.reduce((v, n, k) => {
    const reach = (n - 1) * (w.strides[k] ?? 1) + reachOf(w, k) - (w.begins[k] ?? 0)
    return g.slice(v, k + 2, 0, Math.min(reach, dy.dims[k + 2] ?? 1))
  }, dy)
  const exact = fitted(w, used, space)
  return [
    g.wanted(x.name) ? g.node('Conv', [used, weight], x.dims, windowAttributes(exact)) : null,
    g.wanted(weight.name) ? convWeight(used, weight.dims, x, exact, g) : null,
    convBias(node, dy, g),
  ]
}

/** The window whose ends make `space` windows over the cells of `dy`. */
function fitted(w: Window, dy: Value, space: readonly number[]): Window {
  const ends = space.map(
    (n, k) =>
      (n - 1) * (w.strides[k] ?? 1) + reachOf(w, k) - (w.begins[k] ?? 0) - (dy.dims[k + 2] ?? 1),
  )
  return { ...w, ends }
}

/** Convolutions in any number of axes, with groups, strides, dilations and uneven pads. */
export const convRules = {
  Conv: conv,
  ConvTranspose: convTranspose,
} satisfies Record<string, GradRule>
