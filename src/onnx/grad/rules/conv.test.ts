import { test } from 'node:test'
import type { Draw, GradientCase } from '../check-gradient.ts'
import { checkGradients } from '../check-gradient.ts'

interface Shape {
  readonly kernel: readonly number[]
  readonly attributes: Readonly<Record<string, number | readonly number[] | string>>
}

function shape(draw: Draw, axes: number, group: number): Shape {
  const each = (make: () => number): number[] => Array.from({ length: axes }, make)
  const kernel = each(() => draw.int(1, 3))
  const auto = draw.pick(['NOTSET', 'NOTSET', 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID'])
  const dilations = each(() => (auto === 'NOTSET' ? draw.int(1, 2) : 1))
  const pads = [...kernel, ...kernel].map((k) => draw.int(0, k))
  return {
    kernel,
    attributes: {
      strides: each(() => draw.int(1, 3)),
      dilations,
      group,
      ...(auto === 'NOTSET' ? { pads } : { auto_pad: auto }),
    },
  }
}

function conv(draw: Draw, axes: number, group: number, each: number): GradientCase {
  const { kernel, attributes } = shape(draw, axes, group)
  const out = group * draw.int(1, 2)
  const space = kernel.map(() => draw.int(5, axes === 1 ? 9 : 6))
  const bias: GradientCase['wrt'] = draw.yes() ? { b: draw.normal([out]) } : {}
  return {
    wrt: {
      x: draw.normal([draw.int(1, 2), group * each, ...space]),
      w: draw.normal([out, each, ...kernel]),
      ...bias,
    },
    build: (g) => g.op('Conv', ['x', 'w', ...Object.keys(bias)], attributes),
  }
}

test('Conv in one axis is differentiated with every stride, dilation, pad and group', async () => {
  await checkGradients((draw) => conv(draw, 1, draw.int(1, 3), draw.int(1, 2)), 40)
})

test('Conv in two axes is differentiated with every stride, dilation, pad and group', async () => {
  await checkGradients((draw) => conv(draw, 2, draw.int(1, 2), draw.int(1, 2)), 25)
})

test('a depthwise Conv is differentiated', async () => {
  await checkGradients((draw) => conv(draw, 2, 3, 1), 6)
})

test('a patch embedding, whose kernel is as wide as its stride, is differentiated', async () => {
  await checkGradients(
    (draw) => ({
      wrt: { x: draw.normal([2, 2, 16, 16]), w: draw.normal([1, 2, 8, 8]) },
      build: (b) => b.op('Conv', ['x', 'w'], { strides: [8, 8] }),
    }),
    1,
  )
})

test('ConvTranspose is differentiated with every stride, dilation, pad, output padding and group', async () => {
  const make =
    (axes: number) =>
    (draw: Draw): GradientCase => {
      const group = draw.int(1, 2)
      const each = (value: () => number): number[] => Array.from({ length: axes }, value)
      const kernel = each(() => draw.int(1, 3))
      const strides = each(() => draw.int(1, 3))
      const dilations = each(() => draw.int(1, 2))
      const extra = strides.map((s) => draw.int(0, s - 1))
      const out = draw.int(1, 2)
      const bias: GradientCase['wrt'] = draw.yes() ? { b: draw.normal([out * group]) } : {}
      const attributes = {
        strides,
        dilations,
        group,
        output_padding: extra,
        pads: [...kernel, ...kernel].map((k) => draw.int(0, k - 1)),
      }
      return {
        wrt: {
          x: draw.normal([draw.int(1, 2), group * draw.int(1, 2), ...each(() => draw.int(3, 4))]),
          w: draw.normal([group, out, ...kernel]),
          ...bias,
        },
        build: (g) => g.op('ConvTranspose', ['x', 'w', ...Object.keys(bias)], attributes),
      }
    }
  const fit = (made: GradientCase): GradientCase => {
    const x = made.wrt['x']
    const w = made.wrt['w']
    if (x === undefined || w === undefined) return made
    const channels = x.dims[1] ?? 1
    const dims = [channels, ...w.dims.slice(1)]
    const size = dims.reduce((n, d) => n * d, 1)
    const data = Float64Array.from({ length: size }, (_, i) => Math.sin(i + (w.data[0] ?? 0)))
    return { ...made, wrt: { ...made.wrt, w: { ...w, dims, data } } }
  }
  await checkGradients((draw) => fit(make(1)(draw)), 30)
  await checkGradients((draw) => fit(make(2)(draw)), 12)
})
