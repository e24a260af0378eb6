import { builder, modelOf } from '../src/onnx/index.ts'
import type { Builder, Model } from '../src/onnx/index.ts'

/** Sizes of a vision transformer that looks like an exported CLIP image encoder. */
export interface VitShape {
  readonly picture: number
  readonly patch: number
  readonly width: number
  readonly layers: number
  readonly heads: number
  readonly embedding: number
}

export const vitB32: VitShape = {
  picture: 224,
  patch: 32,
  width: 768,
  layers: 12,
  heads: 12,
  embedding: 512,
}
export const vitL14: VitShape = {
  picture: 336,
  patch: 14,
  width: 1024,
  layers: 24,
  heads: 16,
  embedding: 768,
}

/** Uniform numbers of the given deviation, cheap: only their size matters here. */
function numbers(count: number, deviation: number, state: { seed: number }): Float32Array {
  const values = new Float32Array(count)
  const range = deviation * Math.sqrt(12)
  let s = state.seed
  for (let i = 0; i < count; i++) {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0
    values[i] = (s / 4294967296 - 0.5) * range
  }
  state.seed = s
  return values
}

/** A model with random weights in the layout of an export: separate projections, bias first, QuickGELU. */
export function vitModel(shape: VitShape): Model {
  const { picture, patch, width, layers, heads, embedding } = shape
  const side = picture / patch
  const tokens = side * side + 1
  const b = builder({ opset: 17 }, { prefix: 'vit' })
  const state = { seed: 1 }
  const weights = (dims: readonly number[], deviation: number): string =>
    b.constant(
      numbers(
        dims.reduce((n, d) => n * d, 1),
        deviation,
        state,
      ),
      dims,
    )
  const linear = (x: string, from: number, to: number): string =>
    b.op('Add', [
      weights([to], 0.02),
      b.op('MatMul', [x, weights([from, to], 1 / Math.sqrt(from))]),
    ])
  const norm = (x: string): string =>
    b.op(
      'LayerNormalization',
      [x, b.constant(new Float32Array(width).fill(1)), weights([width], 0.01)],
      { axis: -1, epsilon: 1e-5 },
    )
  b.input('pixel_values', 'float32', ['batch_size', 3, picture, picture])
  const patches = b.op(
    'Conv',
    ['pixel_values', weights([width, 3, patch, patch], 1 / Math.sqrt(3 * patch * patch))],
    {
      strides: [patch, patch],
    },
  )
  const rows = b.transpose(b.reshape(patches, [0, width, side * side]), [0, 2, 1])
  const batch = b.op('Gather', [b.op('Shape', ['pixel_values']), b.ints([0])], { axis: 0 })
  const start = b.op('Expand', [
    weights([1, 1, width], 0.02),
    b.concat([batch, b.ints([1, width])], 0),
  ])
  let x = norm(b.op('Add', [b.concat([start, rows], 1), weights([1, tokens, width], 0.02)]))
  for (let i = 0; i < layers; i++) x = block(b, x, { width, heads, tokens, linear, norm })
  const row = b.op('Gather', [x, b.constant([0], [], 'int64')], { axis: 1 })
  const y = b.op(
    'MatMul',
    [norm(row), weights([width, embedding], 1 / Math.sqrt(width))],
    {},
    { outputs: ['image_embeds'] },
  )
  b.output(y, 'float32', ['batch_size', embedding])
  return modelOf(b.graph())
}

interface Block {
  readonly width: number
  readonly heads: number
  readonly tokens: number
  readonly linear: (x: string, from: number, to: number) => string
  readonly norm: (x: string) => string
}

function block(b: Builder, x: string, { width, heads, tokens, linear, norm }: Block): string {
  const size = width / heads
  const split = (v: string): string =>
    b.transpose(b.reshape(v, [0, tokens, heads, size]), [0, 2, 1, 3])
  const h = norm(x)
  const q = split(b.op('Mul', [linear(h, width, width), b.scalar(1 / Math.sqrt(size))]))
  const k = b.transpose(b.reshape(linear(h, width, width), [0, tokens, heads, size]), [0, 2, 3, 1])
  const v = split(linear(h, width, width))
  const mix = b.op('MatMul', [b.op('Softmax', [b.op('MatMul', [q, k])], { axis: -1 }), v])
  const joined = b.reshape(b.transpose(mix, [0, 2, 1, 3]), [0, tokens, width])
  const a = b.op('Add', [x, linear(joined, width, width)])
  const wide = linear(norm(a), width, 4 * width)
  const active = b.op('Mul', [wide, b.op('Sigmoid', [b.op('Mul', [wide, b.scalar(1.702)])])])
  return b.op('Add', [a, linear(active, 4 * width, width)])
}
