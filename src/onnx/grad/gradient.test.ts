import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../base/index.ts'
import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import type { Graph } from '../graph.ts'
import { modelOf } from '../graph.ts'
import { openSession } from '../open-session.ts'
import { evaluate, shapesOf } from '../reference/evaluate.ts'
import { count, nd } from '../reference/nd.ts'
import type { Nd } from '../reference/nd.ts'
import { inferShapes } from '../shapes.ts'
import { centralDifferences, relativeError, runFloat32 } from './check-gradient.ts'
import { gradient } from './gradient.ts'
import { recompute, recomputeWithout } from './recompute.ts'
import { flatOps, gradRules, lazyOps } from './rules/table.ts'

const random = seededRandom('gradient')
const normal = (dims: readonly number[]): Nd => nd(dims, () => Math.fround(random.normal()))

function graphOf(
  inputs: Readonly<Record<string, readonly number[]>>,
  build: (b: Builder) => string,
  opset = 17,
): { graph: Graph; loss: string } {
  const b = builder({ opset })
  for (const [name, dims] of Object.entries(inputs)) b.input(name, 'float32', dims)
  const loss = build(b)
  b.output(loss)
  return { graph: b.graph(), loss }
}

const sum = (b: Builder, x: string): string => b.op('ReduceSum', [x], { keepdims: 0 })

test('a value that several nodes read gets the sum of what they send back', async () => {
  const { graph, loss } = graphOf({ x: [3, 4] }, (b) => {
    const y = b.op('Tanh', ['x'])
    const mean = b.reduce('ReduceMean', y, [1])
    const parts = [
      b.op('Mul', [y, y]),
      b.op('Sub', [y, mean]),
      b.op('Mul', [y, mean]),
      b.op('Exp', ['x']),
    ]
    return sum(
      b,
      parts.reduce((a, c) => b.op('Add', [b.op('Sin', [a]), c])),
    )
  })
  const feeds = { x: normal([3, 4]) }
  const made = gradient(graph, { loss, wrt: ['x'], shapes: shapesOf(evaluate(graph, feeds)) })
  const got = evaluate(made.graph, feeds).get(made.gradients['x'] ?? '')?.data ?? []
  assert.ok(relativeError(got, centralDifferences(graph, loss, feeds, ['x'])) < 1e-8)
})

test('values between nodes and initialisers can be trained as well as inputs', async () => {
  const { graph, loss } = graphOf({ x: [2, 3] }, (b) => {
    const w = b.constant([1, 2, 3, 4, 5, 6], [3, 2])
    return sum(b, b.op('Sigmoid', [b.op('MatMul', [b.op('Tanh', ['x']), w])]))
  })
  const w = graph.initializers[0]?.name ?? ''
  const hidden = graph.nodes[0]?.outputs[0] ?? ''
  const feeds = { x: normal([2, 3]) }
  const made = gradient(graph, {
    loss,
    wrt: [w, hidden, 'x'],
    shapes: shapesOf(evaluate(graph, feeds)),
  })
  const results = await runFloat32(made.graph, feeds)
  // tanh′ = 1 − h²: the gradient of x is that of h times it.
  const dh = results[made.gradients[hidden] ?? '']?.data as Float32Array
  const want = [...dh].map((d, i) => d * (1 - Math.tanh(feeds.x.data[i] ?? 0) ** 2))
  assert.ok(relativeError(results[made.gradients['x'] ?? '']?.data as Float32Array, want) < 1e-5)
  assert.deepEqual(results[made.gradients[w] ?? '']?.dims, [3, 2])
})

test('nothing is computed for what no trainable value reaches', () => {
  const { graph, loss } = graphOf({ x: [2, 2], p: [2, 2] }, (b) => {
    const frozen = b.op('Erf', [b.op('Exp', [b.op('MatMul', ['x', 'x'])])])
    return sum(b, b.op('Mul', [frozen, 'p']))
  })
  const feeds = { x: normal([2, 2]), p: normal([2, 2]) }
  const made = gradient(graph, { loss, wrt: ['p'], shapes: shapesOf(evaluate(graph, feeds)) })
  assert.equal(made.graph.nodes.filter(({ op }) => op === 'MatMul').length, 1)
  assert.ok(made.graph.nodes.length <= graph.nodes.length + 6)
})

test('an operator without a rule is named with its path to the trainable value', () => {
  const { graph, loss } = graphOf({ x: [2, 3] }, (b) =>
    sum(b, b.op('Hardmax', [b.op('Exp', [b.op('Neg', ['x'])])], {}, { name: 'pick' })),
  )
  const shapes = new Map(
    ['x', ...graph.nodes.flatMap((node) => node.outputs)].map((name) => [
      name,
      { type: 'float32' as const, dims: name === loss ? [] : [2, 3] },
    ]),
  )
  assert.throws(() => gradient(graph, { loss, wrt: ['x'], shapes }), {
    code: 'E_GRAD_OP',
    message:
      'Hardmax#2 "pick" has no gradient. Path: Hardmax#2 "pick" <- Exp#1 -> "g/Exp_0" <- Neg#0 -> "g/Neg_0" <- "x".',
  })
})

test('operators of other domains are named with their domain', () => {
  const { graph, loss } = graphOf({ x: [2] }, (b) =>
    sum(b, b.op('QuickGelu', ['x'], {}, { domain: 'com.microsoft' })),
  )
  const shapes = new Map(
    ['x', ...graph.nodes.flatMap((n) => n.outputs)].map((name) => [
      name,
      { type: 'float32' as const, dims: name === loss ? [] : [2] },
    ]),
  )
  assert.throws(
    () => gradient(graph, { loss, wrt: ['x'], shapes }),
    /com\.microsoft\.QuickGelu#0.* has no gradient/,
  )
})

test('a loss that does not depend on a trainable value is an error, never a silent zero', () => {
  for (const lost of [(b: Builder) => b.op('Round', ['x']), (b: Builder) => b.constant([1, 2])]) {
    const { graph, loss } = graphOf({ x: [2] }, (b) => sum(b, b.op('Exp', [lost(b)])))
    const feeds = { x: normal([2]) }
    assert.throws(
      () => gradient(graph, { loss, wrt: ['x'], shapes: shapesOf(evaluate(graph, feeds)) }),
      {
        code: 'E_GRAD_UNREACHED',
        message: `The loss "${loss}" does not depend on "x".`,
      },
    )
  }
})

test('a loss of several numbers, an unknown value and an old opset are refused', () => {
  const { graph, loss } = graphOf({ x: [2] }, (b) => b.op('Exp', ['x']))
  const shapes = shapesOf(evaluate(graph, { x: normal([2]) }))
  assert.throws(() => gradient(graph, { loss, wrt: ['x'], shapes }), { code: 'E_GRAD_LOSS' })
  assert.throws(() => gradient(graph, { loss, wrt: ['nobody'], shapes }), { code: 'E_GRAD_VALUE' })
  const old = graphOf({ x: [2] }, (b) => sum(b, 'x'), 13)
  assert.throws(() => gradient(old.graph, { loss: old.loss, wrt: ['x'], shapes }), {
    code: 'E_GRAD_OPSET',
  })
})

test('the table has no rule for what has no gradient, and lazy operators all have a rule', () => {
  const ruled = new Set(Object.keys(gradRules))
  assert.deepEqual(
    [...flatOps].filter((op) => ruled.has(op)),
    [],
  )
  assert.deepEqual(
    [...lazyOps].filter((op) => !ruled.has(op)),
    [],
  )
})

test('a gradient is a graph like any other: the second derivative of a cube is six times the place', async () => {
  const { graph, loss } = graphOf({ x: [5] }, (b) =>
    sum(b, b.op('Mul', [b.op('Mul', ['x', 'x']), 'x'])),
  )
  const feeds = { x: normal([5]) }
  const once = gradient(graph, { loss, wrt: ['x'], shapes: shapesOf(evaluate(graph, feeds)) })
  const b = builder(once.graph)
  const total = sum(b, once.gradients['x'] ?? '')
  const grown = b.graph()
  const twice = gradient(grown, {
    loss: total,
    wrt: ['x'],
    shapes: shapesOf(evaluate(grown, feeds)),
  })
  const results = await runFloat32(twice.graph, feeds)
  const want = [...feeds.x.data].map((v) => 6 * v)
  assert.ok(relativeError(results[twice.gradients['x'] ?? '']?.data as Float32Array, want) < 1e-5)
})

test('segments computed again give the same gradient, waiting for the gradient behind them', async () => {
  const streams: string[] = ['x']
  const { graph, loss } = graphOf({ x: [3, 6] }, (b) => {
    for (let i = 0; i < 4; i++) {
      const x = streams.at(-1) ?? ''
      const normal = b.op('LayerNormalization', [x, b.constant(new Float32Array(6).fill(1))])
      const inner = b.op('Sigmoid', [b.op('Exp', [b.op('MatMul', [normal, constant(b, [6, 6])])])])
      streams.push(b.op('Add', [x, b.op('Tanh', [inner])]))
    }
    return sum(b, b.op('Sin', [streams.at(-1) ?? '']))
  })
  const feeds = { x: normal([3, 6]) }
  const shapes = await inferShapes(modelOf(graph), { thread: 'here' })
  const made = gradient(graph, { loss, wrt: ['x'], shapes })
  const spare = recompute(made, shapes, streams)
  assert.ok(spare.nodes.length > made.graph.nodes.length + 8)
  // Only boundaries are read by the backward pass now: no inner value of the first pass is.
  const forward = new Set(graph.nodes.flatMap((node) => node.outputs))
  const kept = new Set(
    spare.nodes
      .filter(({ outputs }) => !forward.has(outputs[0] ?? ''))
      .flatMap(({ inputs }) => inputs),
  )
  assert.deepEqual(
    [...kept].filter((name) => forward.has(name) && !streams.includes(name)),
    [],
  )
  const name = made.gradients['x'] ?? ''
  await using session = await openSession(modelOf(spare), {
    thread: 'here',
    threads: 1,
    without: recomputeWithout,
  })
  const input = {
    x: { type: 'float32' as const, dims: [3, 6], data: Float32Array.from(feeds.x.data) },
  }
  const [got, want] = [await session.run(input), await runFloat32(made.graph, feeds)]
  assert.ok(relativeError(got[name]?.data as Float32Array, want[name]?.data as Float32Array) < 1e-6)
})

/** Linear operators: ⟨op(x′), dy⟩ = ⟨x′, dx⟩ for any x′, at sizes that differences could not afford. */
const linear: Readonly<Record<string, { dims: readonly number[]; build: (b: Builder) => string }>> =
  {
    'Conv 3×3 stride 2': {
      dims: [2, 16, 33, 31],
      build: (b) =>
        b.op('Conv', ['x', constant(b, [24, 16, 3, 3])], { strides: [2, 2], pads: [1, 0, 1, 2] }),
    },
    'Conv grouped, dilated': {
      dims: [1, 12, 20, 20],
      build: (b) =>
        b.op('Conv', ['x', constant(b, [24, 4, 3, 3])], { group: 3, dilations: [2, 2] }),
    },
    'ConvTranspose stride 2': {
      dims: [2, 8, 15, 14],
      build: (b) =>
        b.op('ConvTranspose', ['x', constant(b, [8, 6, 4, 4])], {
          strides: [2, 2],
          pads: [1, 1, 1, 1],
        }),
    },
    'Resize linear': {
      dims: [1, 3, 24, 18],
      build: (b) => b.op('Resize', ['x', '', '', b.ints([1, 3, 37, 50])], { mode: 'linear' }),
    },
    'Resize cubic, smaller': {
      dims: [1, 3, 40, 40],
      build: (b) => b.op('Resize', ['x', '', '', b.ints([1, 3, 13, 21])], { mode: 'cubic' }),
    },
    'Resize linear, smaller, antialiased': {
      dims: [1, 2, 40, 36],
      build: (b) =>
        b.op('Resize', ['x', '', '', b.ints([1, 2, 13, 17])], { mode: 'linear', antialias: 1 }),
    },
    'Gather from a long table': {
      dims: [600, 32],
      build: (b) =>
        b.op('Gather', [
          'x',
          b.constant(
            Array.from({ length: 900 }, () => random.below(600)),
            [900],
            'int64',
          ),
        ]),
    },
    AveragePool: {
      dims: [2, 8, 30, 30],
      build: (b) =>
        b.op('AveragePool', ['x'], { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] }),
    },
    'MatMul of batches': {
      dims: [4, 40, 64],
      build: (b) => b.op('MatMul', ['x', constant(b, [64, 48])]),
    },
    CumSum: { dims: [20, 50], build: (b) => b.op('CumSum', ['x', b.constant([1], [], 'int64')]) },
  }

function constant(b: Builder, dims: readonly number[]): string {
  return b.constant(
    Float32Array.from({ length: count(dims) }, () => random.normal() / 8),
    dims,
  )
}

for (const [name, { dims, build }] of Object.entries(linear)) {
  test(`${name} is its own adjoint's adjoint`, async () => {
    const b = builder({ opset: 18 })
    b.input('x', 'float32', dims)
    const y = build(b)
    const shapes = await inferShapes(modelOf(b.graph()), { thread: 'here' })
    const size = shapes.get(y)?.dims ?? []
    b.input('dy', 'float32', size)
    const loss = sum(b, b.op('Mul', [y, 'dy']))
    const all = await inferShapes(modelOf(b.graph()), { thread: 'here' })
    const made = gradient(b.graph(), { loss, wrt: ['x'], shapes: all, outputs: [y] })
    const [x, dy] = [normal(dims), normal(size)]
    const results = await runFloat32(made.graph, { x, dy })
    const inner = (p: ArrayLike<number>, q: ArrayLike<number>): number => {
      let total = 0
      for (let i = 0; i < p.length; i++) total += (p[i] ?? 0) * (q[i] ?? 0)
      return total
    }
    const forth = results[y]?.data as Float32Array
    const back = results[made.gradients['x'] ?? '']?.data as Float32Array
    const [left, right] = [inner(forth, dy.data), inner(x.data, back)]
    const scale = Math.sqrt(inner(forth, forth) * inner(dy.data, dy.data))
    assert.ok(Math.abs(left - right) < 1e-6 * scale, `${left} and ${right}, of at most ${scale}`)
  })
}

test('scatters and reductions give the same on four threads as on one, fifty times', async () => {
  const rows = 512
  const { graph, loss } = graphOf({ x: [64, 128], p: [4, 3, 16, 16] }, (b) => {
    const index = b.constant(
      Array.from({ length: rows }, () => random.below(64)),
      [rows, 1],
      'int64',
    )
    const moving = b.op('Add', [index, b.constant([0], [], 'int64')])
    const taken = b.op('GatherND', ['x', moving])
    const again = b.op('Gather', ['x', b.reshape(moving, [rows])])
    const [top = ''] = b.ops('TopK', [taken, b.ints([9])], 2, { axis: 1 })
    const pooled = b.op('MaxPool', ['p'], { kernel_shape: [3, 3], strides: [1, 1] })
    return [b.op('Mul', [taken, again]), top, pooled]
      .map((v) => sum(b, b.op('Mul', [v, v])))
      .reduce((a, c) => b.op('Add', [a, c]))
  })
  const feeds = { x: normal([64, 128]), p: normal([4, 3, 16, 16]) }
  const shapes = await inferShapes(modelOf(graph), { thread: 'here' })
  const made = gradient(graph, { loss, wrt: ['x', 'p'], shapes })
  assert.ok(
    !made.graph.nodes.some(({ op, attributes }) => op === 'ScatterND' && 'reduction' in attributes),
  )
  const run = async (threads: number, times: number): Promise<Float32Array[]> => {
    await using session = await openSession(modelOf(made.graph), { thread: 'here', threads })
    const inputs = Object.fromEntries(
      Object.entries(feeds).map(([name, v]) => [
        name,
        { type: 'float32' as const, dims: v.dims, data: Float32Array.from(v.data) },
      ]),
    )
    const got: Float32Array[] = []
    for (let i = 0; i < times; i++) {
      const results = await session.run(inputs)
      got.push(
        Float32Array.from(
          ['x', 'p'].flatMap((name) => [
            ...(results[made.gradients[name] ?? '']?.data as Float32Array),
          ]),
        ),
      )
    }
    return got
  }
  const [one] = await run(1, 1)
  for (const four of await run(4, 50)) assert.ok(relativeError(four, one ?? []) < 1e-6)
})
