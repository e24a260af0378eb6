import type { Context, Rule } from './context.ts'
import { boolOf, constantInts, emit, intsOf, textOf, textsOf, unsupported } from './context.ts'
import type { TfConstant } from './weights.ts'

/** Channels last to channels first, and back. */
const toPlanes = [0, 3, 1, 2]
const toPixels = [0, 2, 3, 1]

const planes = (context: Context, x: string): string =>
  emit(context, 'Transpose', [x], { perm: toPlanes })
const pixels = (context: Context, x: string): string =>
  emit(context, 'Transpose', [x], { perm: toPixels })

/** Height and width of a list of four in the order of the pixels. */
function inner(context: Context, name: string): [number, number] {
  const [, height = 1, width = 1] = intsOf(context, name)
  return [height, width]
}

function checkLayout(context: Context): void {
  const layout = textOf(context, 'data_format', 'NHWC')
  if (layout !== 'NHWC') throw unsupported(context, `has the layout ${layout}`)
}

type Padding = { readonly auto_pad?: string; readonly pads?: readonly number[] }

function padding(context: Context): Padding {
  const kind = textOf(context, 'padding', 'VALID')
  if (kind === 'SAME') return { auto_pad: 'SAME_UPPER' }
  if (kind === 'VALID') return {}
  const [, , top = 0, bottom = 0, left = 0, right = 0] = intsOf(context, 'explicit_paddings')
  return { pads: [top, left, bottom, right] }
}

/** The constant of input 1 with its axes in another order, as an initialiser. */
function filters(
  context: Context,
  perm: readonly number[],
  dims?: (d: number[]) => number[],
): string {
  const constant = context.constant(1)
  if (constant.dims.length !== 4) throw unsupported(context, 'has filters without four axes')
  const moved = permute(constant, perm)
  return context.g.constant(moved.values, dims?.([...moved.dims]) ?? moved.dims, 'float32')
}

/** A constant of four axes with its axes in another order. */
export function permute({ type, dims, values }: TfConstant, perm: readonly number[]): TfConstant {
  const strides = dims.map((_, axis) => dims.slice(axis + 1).reduce((a, b) => a * b, 1))
  const [a = 1, b = 1, c = 1, d = 1] = perm.map((axis) => dims[axis] ?? 1)
  const [sa = 0, sb = 0, sc = 0, sd = 0] = perm.map((axis) => strides[axis] ?? 0)
  const out = values.slice()
  let at = 0
  for (let i = 0; i < a; i++) {
    for (let j = 0; j < b; j++) {
      for (let k = 0; k < c; k++) {
        const from = i * sa + j * sb + k * sc
        for (let l = 0; l < d; l++) out[at++] = values[from + l * sd] ?? 0
      }
    }
  }
  return { type, dims: [a, b, c, d], values: out }
}

/** What follows a fused convolution or product: the bias first (unless it is in already), then an activation. */
function afterFused(context: Context, x: string, biased = false): string {
  let value = x
  let next = 2
  for (const op of textsOf(context, 'fused_ops')) {
    if (op === 'BiasAdd') {
      const bias = next++
      if (!biased) value = emit(context, 'Add', [value, context.input(bias)])
    } else if (op === 'Prelu') value = emit(context, 'PRelu', [value, context.input(next++)])
    else value = activation(context, op, value)
  }
  return value
}

/** An activation by the name that TensorFlow uses in `fused_ops`. */
export function activation(context: Context, op: string, x: string): string {
  switch (op) {
    case 'Relu':
    case 'Elu':
    case 'Sigmoid':
    case 'Tanh':
      return emit(context, op, [x])
    case 'Relu6':
      return emit(context, 'Clip', [x, context.g.scalar(0), context.g.scalar(6)])
    case 'LeakyRelu': {
      const alpha = context.node.attr.alpha?.f ?? context.node.attr.leakyrelu_alpha?.f ?? 0.2
      return emit(context, 'LeakyRelu', [x], { alpha })
    }
    default:
      throw unsupported(context, `is fused with ${op}`)
  }
}

function convolution(context: Context, weights: string, group: number): readonly string[] {
  const biased =
    textsOf(context, 'fused_ops')[0] === 'BiasAdd' && context.maybeConstant(2)?.dims.length === 1
  const y = emit(
    context,
    'Conv',
    [planes(context, context.input(0)), weights, ...(biased ? [context.input(2)] : [])],
    {
      strides: inner(context, 'strides'),
      dilations: inner(context, 'dilations'),
      group,
      ...padding(context),
    },
  )
  return [afterFused(context, pixels(context, y), biased)]
}

const conv2d: Rule = (context) => {
  checkLayout(context)
  return convolution(context, filters(context, [3, 2, 0, 1]), 1)
}

const depthwise: Rule = (context) => {
  checkLayout(context)
  const [, , channels = 1] = context.constant(1).dims
  const weights = filters(context, [2, 3, 0, 1], ([c = 1, m = 1, h = 1, w = 1]) => [c * m, 1, h, w])
  return convolution(context, weights, channels)
}

/**
 * The transposed convolution; where its size is not the natural one, TensorFlow pads as the forward
 * convolution of that size would.
 */
const conv2dBackprop: Rule = (context) => {
  checkLayout(context)
  const [, height = 0, width = 0] = constantInts(context, 0)
  const [kh = 1, kw = 1] = context.constant(1).dims
  const [sh, sw] = inner(context, 'strides')
  const same = textOf(context, 'padding', 'VALID')
  if (same !== 'SAME' && same !== 'VALID') throw unsupported(context, `has the padding ${same}`)
  const axis = (
    size: number,
    kernel: number,
    stride: number,
  ): readonly [number, number, number] => {
    const count =
      same === 'SAME' ? Math.ceil(size / stride) : Math.ceil((size - kernel + 1) / stride)
    const pad = same === 'SAME' ? Math.max((count - 1) * stride + kernel - size, 0) : 0
    const begin = Math.floor(pad / 2)
    return [begin, pad - begin, size - ((count - 1) * stride + kernel - pad)]
  }
  const [top, bottom, moreHeight] = axis(height, kh, sh)
  const [left, right, moreWidth] = axis(width, kw, sw)
  const y = emit(
    context,
    'ConvTranspose',
    [planes(context, context.input(2)), filters(context, [3, 2, 0, 1])],
    {
      strides: [sh, sw],
      pads: [top, left, bottom, right],
      output_padding: [moreHeight, moreWidth],
    },
  )
  return [pixels(context, y)]
}

const pool =
  (op: 'MaxPool' | 'AveragePool'): Rule =>
  (context) => {
    checkLayout(context)
    const y = emit(context, op, [planes(context, context.input(0))], {
      kernel_shape: inner(context, 'ksize'),
      strides: inner(context, 'strides'),
      ...padding(context),
    })
    return [pixels(context, y)]
  }

const resizeBilinear: Rule = (context) => {
  const { g } = context
  const x = planes(context, context.input(0))
  const outside = emit(context, 'Shape', [x], { start: 0, end: 2 })
  const sizes = g.concat([outside, g.ints(constantInts(context, 1))], 0)
  const mode = boolOf(context, 'align_corners')
    ? 'align_corners'
    : boolOf(context, 'half_pixel_centers')
      ? 'half_pixel'
      : 'asymmetric'
  const y = emit(context, 'Resize', [x, '', '', sizes], {
    mode: 'linear',
    coordinate_transformation_mode: mode,
  })
  return [pixels(context, y)]
}

const product: Rule = (context) => {
  const transposed = (name: string, value: string): string =>
    boolOf(context, name) ? emit(context, 'Transpose', [value], { perm: [1, 0] }) : value
  const a = transposed('transpose_a', context.input(0))
  const b = transposed('transpose_b', context.input(1))
  return [afterFused(context, emit(context, 'MatMul', [a, b]))]
}

/** Rules of convolutions, pools, resizing and products. */
export const convolutionRules: Readonly<Record<string, Rule>> = {
  Conv2D: conv2d,
  _FusedConv2D: conv2d,
  DepthwiseConv2dNative: depthwise,
  FusedDepthwiseConv2dNative: depthwise,
  Conv2DBackpropInput: conv2dBackprop,
  MaxPool: pool('MaxPool'),
  AvgPool: pool('AveragePool'),
  ResizeBilinear: resizeBilinear,
  MatMul: product,
  _FusedMatMul: product,
}
