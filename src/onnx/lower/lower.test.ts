import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../base/index.ts'
import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import { relativeError } from '../grad/check-gradient.ts'
import { ruleOf } from '../grad/rules/table.ts'
import { modelOf } from '../graph.ts'
import { openSession } from '../open-session.ts'
import type { RunTensor } from '../session.ts'
import { lower } from './lower.ts'

const random = seededRandom('lower')
const ms = { domain: 'com.microsoft' }

function floats(dims: readonly number[], scale = 1): RunTensor {
  const data = Float32Array.from(
    { length: dims.reduce((n, d) => n * d, 1) },
    () => scale * random.normal(),
  )
  return { type: 'float32', dims, data }
}

/** Runs a graph fused and lowered and compares; every operator left must have a rule or be an index. */
async function compare(
  feeds: Readonly<Record<string, RunTensor>>,
  build: (b: Builder) => readonly string[],
  options: { readonly opset?: number; readonly tolerance?: number } = {},
): Promise<void> {
  const b = builder({ opset: options.opset ?? 17 })
  for (const [name, { type, dims }] of Object.entries(feeds)) b.input(name, type, dims)
  const outputs = build(b)
  outputs.forEach((name) => b.output(name))
  const model = modelOf(b.graph())
  const lowered = lower(model)
  const left = lowered.graph.nodes.filter(
    ({ op, domain }) => domain !== '' && ruleOf(op, domain) === undefined,
  )
  assert.deepEqual(
    left.map(({ op }) => op),
    [],
  )
  await using fused = await openSession(model, { thread: 'here' })
  await using plain = await openSession(lowered, { thread: 'here' })
  const [want, got] = [await fused.run(feeds), await plain.run(feeds)]
  for (const name of outputs) {
    assert.deepEqual(got[name]?.dims, want[name]?.dims)
    const error = relativeError(got[name]?.data as Float32Array, want[name]?.data as Float32Array)
    assert.ok(error < (options.tolerance ?? 1e-5), `${name} is off by ${error}`)
  }
}

for (const op of ['Gelu', 'FastGelu', 'QuickGelu']) {
  test(`${op} of the runtime is written out`, async () => {
    await compare({ x: floats([3, 5]) }, (b) => [b.op(op, ['x'], {}, ms)], { tolerance: 1e-4 })
  })
}

test('biases in front of Gelu are added', async () => {
  for (const op of ['BiasGelu', 'FastGelu']) {
    await compare(
      { x: floats([3, 5]), bias: floats([5]) },
      (b) => [b.op(op, ['x', 'bias'], {}, ms)],
      { tolerance: 1e-4 },
    )
  }
})

test('FusedMatMul transposes and scales', async () => {
  for (const [transA, transB] of [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ] as const) {
    await compare(
      { a: floats(transA ? [2, 4, 3] : [2, 3, 4]), c: floats(transB ? [2, 5, 4] : [2, 4, 5]) },
      (b) => [b.op('FusedMatMul', ['a', 'c'], { transA, transB, alpha: 0.5 }, ms)],
    )
  }
})

test('Celu and ThresholdedRelu are written out', async () => {
  for (const op of ['Celu', 'ThresholdedRelu']) {
    await compare({ x: floats([4, 4]) }, (b) => [b.op(op, ['x'], { alpha: 0.7 })])
  }
})

test('SkipLayerNormalization gives the norm and the sum', async () => {
  await compare(
    {
      x: floats([2, 3, 8]),
      skip: floats([2, 3, 8]),
      scale: floats([8]),
      beta: floats([8]),
      bias: floats([8]),
    },
    (b) => {
      const all = b.ops(
        'SkipLayerNormalization',
        ['x', 'skip', 'scale', 'beta', 'bias'],
        4,
        { epsilon: 1e-5 },
        { ...ms, outputs: ['y', '', '', 'sum'] },
      )
      return [all[0] ?? '', all[3] ?? '']
    },
  )
  await compare({ x: floats([2, 3, 8]), skip: floats([2, 3, 8]), scale: floats([8]) }, (b) => [
    b.op('SkipSimplifiedLayerNormalization', ['x', 'skip', 'scale'], { epsilon: 1e-5 }, ms),
  ])
})

test('Attention with packed weights, masks and causality is written out', async () => {
  const feeds = { x: floats([2, 4, 6]), w: floats([6, 18], 0.4), bias: floats([18]) }
  for (const unidirectional of [0, 1]) {
    await compare(feeds, (b) => [
      b.op('Attention', ['x', 'w', 'bias'], { num_heads: 2, unidirectional }, ms),
    ])
  }
  await compare(feeds, (b) => [
    b.op(
      'Attention',
      ['x', 'w', 'bias', b.constant([1, 1, 1, 0, 1, 1, 0, 0], [2, 4], 'int32')],
      { num_heads: 2 },
      ms,
    ),
  ])
})

test('MultiHeadAttention with other keys, a bias and past states is written out', async () => {
  await compare(
    { q: floats([2, 3, 8]), k: floats([2, 5, 8]), v: floats([2, 5, 8]), bias: floats([24]) },
    (b) => [b.op('MultiHeadAttention', ['q', 'k', 'v', 'bias'], { num_heads: 2 }, ms)],
  )
  await compare(
    {
      q: floats([1, 2, 8]),
      k: floats([1, 2, 8]),
      v: floats([1, 2, 8]),
      pk: floats([1, 2, 3, 4]),
      pv: floats([1, 2, 3, 4]),
    },
    (b) =>
      b.ops('MultiHeadAttention', ['q', 'k', 'v', '', '', '', 'pk', 'pv'], 3, { num_heads: 2 }, ms),
  )
})

test('GroupQueryAttention with rotation inside is written out', async () => {
  const empty = (b: Builder): string => b.constant([], [2, 2, 0, 16])
  const tables = [floats([16, 8]), floats([16, 8])] as const
  for (const rotary of [0, 1]) {
    await compare(
      {
        q: floats([2, 5, 64]),
        k: floats([2, 5, 32]),
        v: floats([2, 5, 32]),
        cos: tables[0],
        sin: tables[1],
      },
      (b) => {
        const lengths = b.constant([4, 4], [2], 'int32')
        const total = b.constant([5], [1], 'int32')
        const caches = rotary === 1 ? ['cos', 'sin'] : []
        const [y = ''] = b.ops(
          'GroupQueryAttention',
          ['q', 'k', 'v', empty(b), empty(b), lengths, total, ...caches],
          3,
          { num_heads: 4, kv_num_heads: 2, do_rotary: rotary },
          ms,
        )
        return [y]
      },
    )
  }
})

test('RotaryEmbedding of the runtime turns halves and pairs', async () => {
  for (const interleaved of [0, 1]) {
    await compare({ x: floats([2, 2, 3, 8]), cos: floats([6, 4]), sin: floats([6, 4]) }, (b) => [
      b.op(
        'RotaryEmbedding',
        ['x', b.constant([0, 1, 2, 1, 2, 3], [2, 3], 'int64'), 'cos', 'sin'],
        { interleaved },
        ms,
      ),
    ])
  }
})

test('Attention of ONNX 23 is written out, grouped, capped and causal', async () => {
  const feeds = { q: floats([2, 3, 16]), k: floats([2, 3, 8]), v: floats([2, 3, 8]) }
  for (const rest of [{}, { is_causal: 1 }, { softcap: 2 }, { scale: 0.3 }]) {
    await compare(
      feeds,
      (b) => [b.op('Attention', ['q', 'k', 'v'], { q_num_heads: 4, kv_num_heads: 2, ...rest })],
      { opset: 23 },
    )
  }
})

test('MatMulNBits is dequantised exactly', async () => {
  const [inner, outer, block] = [64, 6, 32]
  const bytes = Uint8Array.from({ length: (outer * inner) / 2 }, () => random.below(256))
  for (const zeros of [false, true]) {
    await compare({ x: floats([2, inner]) }, (b) => {
      const packed = b.constant(bytes, [outer, inner / block, block / 2], 'uint8')
      const scales = b.constant(
        Float32Array.from({ length: (outer * inner) / block }, () => 0.1 + random.next()),
      )
      const zero = b.constant(
        Uint8Array.from({ length: outer }, () => random.below(256)),
        [outer],
        'uint8',
      )
      return [
        b.op(
          'MatMulNBits',
          zeros ? ['x', packed, scales, zero] : ['x', packed, scales],
          { K: inner, N: outer, bits: 4, block_size: block, accuracy_level: 1 },
          ms,
        ),
      ]
    })
  }
})

test('dynamically quantised products are straight-through and near', async () => {
  const weights = Uint8Array.from({ length: 8 * 5 }, () => random.below(256))
  await compare(
    { x: floats([3, 8]) },
    (b) => {
      const [xq = '', xs = '', xz = ''] = b.ops('DynamicQuantizeLinear', ['x'], 3)
      const product = b.op('MatMulInteger', [
        xq,
        b.constant(weights, [8, 5], 'uint8'),
        xz,
        b.constant([128], [], 'uint8'),
      ])
      return [b.op('Mul', [b.cast(product, 'float32'), b.op('Mul', [xs, b.scalar(0.02)])])]
    },
    { tolerance: 2e-2 },
  )
})

test('a graph in half floats computes in float32 and keeps its interface', async () => {
  const b = builder({ opset: 17 })
  b.input('x', 'float32', [2, 4])
  const w = b.constant(
    [1, 2, 3, 4].map((v) => v / 8),
    [4, 1],
    'float16',
  )
  const y = b.op('MatMul', [b.cast('x', 'float16'), w], {}, { outputs: ['y'] })
  b.output(y, 'float16', [2, 1])
  const model = modelOf(b.graph())
  const wide = lower(model)
  assert.deepEqual(
    wide.graph.outputs.map(({ name, type }) => [name, type]),
    [['y', 'float16']],
  )
  await using session = await openSession(wide, { thread: 'here' })
  const { y: got } = await session.run({
    x: { type: 'float32', dims: [2, 4], data: Float32Array.of(1, 1, 1, 1, 2, 0, 0, 0) },
  })
  // 1.25 and 0.25 as patterns of half floats.
  assert.deepEqual([...(got?.data as Uint16Array)], [0x3d00, 0x3400])
})

test('GroupNorm of the runtime, which has no kernel here, equals its definition', async () => {
  const b = builder({ opset: 17 })
  b.input('x', 'float32', [1, 2, 2, 4])
  b.output(
    b.op(
      'GroupNorm',
      ['x', b.constant([1, 2, 3, 4]), b.constant([0, 1, 0, 1])],
      { groups: 2, epsilon: 1e-5 },
      ms,
    ),
  )
  const model = lower(modelOf(b.graph()))
  await using session = await openSession(model, { thread: 'here' })
  const x = floats([1, 2, 2, 4])
  const results = await session.run({ x })
  const data = x.data as Float32Array
  const group = (c: number): number[] =>
    [...data].filter((_, i) => Math.floor((i % 4) / 2) === Math.floor(c / 2))
  const want = [...data].map((v, i) => {
    const c = i % 4
    const all = group(c)
    const mean = all.reduce((s, e) => s + e, 0) / all.length
    const variance = all.reduce((s, e) => s + (e - mean) ** 2, 0) / all.length
    return ((v - mean) / Math.sqrt(variance + 1e-5)) * (c + 1) + (c % 2)
  })
  const [got] = Object.values(results)
  assert.ok(relativeError(got?.data as Float32Array, want) < 1e-5)
})
