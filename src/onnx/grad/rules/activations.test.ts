import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkGradients, runFloat32 } from '../check-gradient.ts'
import { builder } from '../../builder.ts'
import { evaluate, shapesOf } from '../../reference/evaluate.ts'
import { nd } from '../../reference/nd.ts'
import { gradient } from '../gradient.ts'

const kinked: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Relu: {},
  Abs: {},
  LeakyRelu: { alpha: 0.2 },
  Elu: { alpha: 1.3 },
  Selu: {},
  HardSigmoid: { alpha: 0.3, beta: 0.4 },
}

for (const [op, attributes] of Object.entries(kinked)) {
  test(`${op} is differentiated away from its kink`, async () => {
    await checkGradients(
      (draw) => ({
        wrt: { a: draw.normal(draw.dims(2), 0.05) },
        build: (b) => b.op(op, ['a'], draw.yes() ? {} : attributes),
      }),
      8,
    )
  })
}

test('HardSwish, Mish and both forms of Gelu are differentiated', async () => {
  for (const [op, opset, attributes] of [
    ['HardSwish', 17, {}],
    ['Mish', 18, {}],
    ['Gelu', 20, {}],
    ['Gelu', 20, { approximate: 'tanh' }],
  ] as const) {
    await checkGradients(
      (draw) => ({
        wrt: { a: draw.uniform(draw.dims(2), -2.9, 2.9) },
        build: (b) => b.op(op, ['a'], attributes),
        opset,
      }),
      6,
    )
  }
})

test('PRelu learns its slope', async () => {
  await checkGradients((draw) => {
    const dims = draw.dims(3, 3)
    return {
      wrt: { a: draw.normal(dims, 0.05), s: draw.normal(dims.map((d, k) => (k === 0 ? d : 1))) },
      build: (b) => b.op('PRelu', ['a', 's']),
    }
  })
})

test('Clip passes what lies between its bounds, with either bound left out', async () => {
  await checkGradients((draw) => ({
    wrt: { a: draw.normal(draw.dims(2)) },
    build: (b) =>
      b.op(
        'Clip',
        draw.pick([
          ['a', b.scalar(-0.51), b.scalar(0.77)],
          ['a', b.scalar(-0.51)],
          ['a', '', b.scalar(0.77)],
        ]),
      ),
  }))
})

test('at their kinks the rules do as PyTorch does', async () => {
  const cases: readonly (readonly [string, readonly number[], readonly number[]])[] = [
    ['Relu', [0, -0, 1], [0, 0, 1]],
    ['Abs', [0, -2, 2], [0, -1, 1]],
    ['LeakyRelu', [0, 1], [0.01, 1]],
    ['Clip', [-1, 1, 0, 2], [1, 1, 1, 0]],
    ['Max', [0.5, 0, 1], [0.5, 0, 1]],
    ['ReduceMax', [3, 3, 1], [0.5, 0.5, 0]],
  ]
  for (const [op, values, slopes] of cases) {
    const b = builder({ opset: 17 })
    b.input('x', 'float32', [values.length])
    const y =
      op === 'Clip'
        ? b.op(op, ['x', b.scalar(-1), b.scalar(1)])
        : op === 'Max'
          ? b.op(op, ['x', b.scalar(0.5)])
          : op === 'ReduceMax'
            ? b.reduce(op, 'x', [0])
            : b.op(op, ['x'])
    const loss = b.reduce('ReduceSum', y, [0], false)
    const feeds = { x: nd([values.length], (i) => values[i] ?? 0) }
    const made = gradient(b.graph(), {
      loss,
      wrt: ['x'],
      shapes: shapesOf(evaluate(b.graph(), feeds)),
    })
    const got = await runFloat32(made.graph, feeds)
    assert.deepEqual(
      [...(got[made.gradients['x'] ?? '']?.data as Float32Array)].map((v) => v + 0),
      slopes.map(Math.fround),
      op,
    )
  }
})
