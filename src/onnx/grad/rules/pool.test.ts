import { test } from 'node:test'
import type { Draw } from '../check-gradient.ts'
import { checkGradients } from '../check-gradient.ts'

interface Window {
  readonly kernel_shape: readonly number[]
  readonly strides: readonly number[]
  readonly pads: readonly number[]
  readonly ceil_mode: number
}

function window(draw: Draw, axes: number): Window {
  const kernel = Array.from({ length: axes }, () => draw.int(1, 3))
  // Windows that begin behind the picture are counted differently from version to version.
  const ceil = draw.int(0, 1)
  return {
    kernel_shape: kernel,
    strides: kernel.map((k) => draw.int(1, ceil === 1 ? k : 3)),
    pads: [...kernel, ...kernel].map((k) => (ceil === 1 ? 0 : draw.int(0, k - 1))),
    ceil_mode: ceil,
  }
}

test('MaxPool sends gradients to the winners of overlapping windows', async () => {
  await checkGradients((draw) => {
    const axes = draw.int(1, 2)
    const attributes = window(draw, axes)
    return {
      wrt: {
        x: draw.normal([draw.int(1, 2), 2, ...attributes.kernel_shape.map(() => draw.int(4, 6))]),
      },
      build: (b) => b.op('MaxPool', ['x'], { ...attributes }),
    }
  }, 20)
})

test('AveragePool shares by what each window counts', async () => {
  await checkGradients((draw) => {
    const attributes = window(draw, draw.int(1, 2))
    return {
      wrt: {
        x: draw.normal([draw.int(1, 2), 2, ...attributes.kernel_shape.map(() => draw.int(4, 6))]),
      },
      build: (b) =>
        b.op('AveragePool', ['x'], {
          ...attributes,
          ceil_mode: 0,
          count_include_pad: draw.int(0, 1),
        }),
    }
  }, 30)
})

test('GlobalAveragePool and GlobalMaxPool are differentiated', async () => {
  for (const op of ['GlobalAveragePool', 'GlobalMaxPool']) {
    await checkGradients(
      (draw) => ({
        wrt: { x: draw.normal(draw.dims(4, 3)) },
        build: (b) => b.op(op, ['x']),
      }),
      6,
    )
  }
})
