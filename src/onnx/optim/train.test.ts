import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Random } from '../../base/index.ts'
import { seededRandom } from '../../base/index.ts'
import { builder } from '../builder.ts'
import { crossEntropy } from '../grad/losses/classify.ts'
import type { Model } from '../graph.ts'
import { initializerOf, modelOf, withGraph, withParts } from '../graph.ts'
import { openSession } from '../open-session.ts'
import type { RunTensors } from '../session.ts'
import { tensorArray, tensorOf } from '../tensor.ts'
import { adamw } from './adam.ts'
import { decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts'
import { applyUpdates, chain } from './optimizer.ts'
import type { Optimizer, Params } from './optimizer.ts'
import { clipByGlobalNorm } from './clip.ts'
import { cosine } from './schedule.ts'
import { sgd } from './sgd.ts'
import type { GraphOptimizer } from './step-graph.ts'
import { train } from './train.ts'

const here = { thread: 'here', threads: 1 } as const
const side = 16
const batchSize = 24

/** A filled circle, square or triangle somewhere, with noise. */
function shape(kind: number, random: Random): Float32Array {
  const r = 3 + 2.5 * random.next()
  const [cx, cy] = [r + random.next() * (side - 2 * r), r + random.next() * (side - 2 * r)]
  const inside = (x: number, y: number): boolean => {
    const [dx, dy] = [x - cx, y - cy]
    if (kind === 0) return dx * dx + dy * dy < r * r
    if (kind === 1) return Math.max(Math.abs(dx), Math.abs(dy)) < 0.85 * r
    return dy < 0.8 * r && Math.abs(dx) < (dy + r) * 0.55
  }
  return Float32Array.from({ length: side * side }, (_, i) => {
    const drawn = inside(i % side, Math.floor(i / side)) ? 1 : 0
    return drawn + 0.1 * random.normal()
  })
}

function drawBatch(_: number, random: Random): RunTensors {
  const kinds = Array.from({ length: batchSize }, () => random.below(3))
  const pictures = new Float32Array(batchSize * side * side)
  kinds.forEach((kind, i) => pictures.set(shape(kind, random), i * side * side))
  return {
    x: { type: 'float32', dims: [batchSize, 1, side, side], data: pictures },
    y: { type: 'int64', dims: [batchSize], data: BigInt64Array.from(kinds, BigInt) },
  }
}

/** Two convolutions with batch norm, pooling, a linear layer; `training` chooses the form of the norms. */
function net(training: boolean): { model: Model; carry: Record<string, string> } {
  const random = seededRandom('net')
  const b = builder({ opset: 17 }, { prefix: 'n' })
  const carry: Record<string, string> = {}
  const weight = (name: string, dims: number[], value: () => number): string => {
    const size = dims.reduce((n, d) => n * d, 1)
    return b.add(tensorOf(name, 'float32', Float32Array.from({ length: size }, value), dims))
  }
  b.input('x', 'float32', [batchSize, 1, side, side])
  const block = (x: string, name: string, from: number, to: number): string => {
    const deviation = Math.sqrt(2 / (9 * from))
    const w = weight(`${name}.w`, [to, from, 3, 3], () => deviation * random.normal())
    const c = b.op('Conv', [x, w], { strides: [2, 2], pads: [1, 1, 1, 1] })
    const [s, o, m, v] = [1, 0, 0, 1].map((start, i) =>
      weight(`${name}.bn${i}`, [to], () => start),
    ) as [string, string, string, string]
    if (!training) return b.op('Relu', [b.op('BatchNormalization', [c, s, o, m, v])])
    const [y = '', m2 = '', v2 = ''] = b.ops('BatchNormalization', [c, s, o, m, v], 3, {
      training_mode: 1,
      momentum: 0.8,
    })
    carry[m] = m2
    carry[v] = v2
    return b.op('Relu', [y])
  }
  const features = block(block('x', 'a', 1, 12), 'b', 12, 24)
  const pooled = b.op('Flatten', [b.op('GlobalAveragePool', [features])])
  const w = weight('head.w', [24, 3], () => 0.2 * random.normal())
  const logits = b.op(
    'Gemm',
    [pooled, w, weight('head.b', [3], () => 0)],
    {},
    { outputs: ['logits'] },
  )
  if (training) {
    b.input('y', 'int64', [batchSize])
    b.output(crossEntropy(b, logits, 'y'))
  }
  b.output(logits)
  return { model: modelOf(b.graph()), carry }
}

const { model, carry } = net(true)
const loss = model.graph.outputs[0]?.name ?? ''
const options = {
  loss,
  carry,
  optimizer: { kind: 'adam', decay: 1e-3 } satisfies GraphOptimizer,
  rate: cosine(0.02, 400),
  batch: drawBatch,
  clip: 5,
  session: here,
  seed: 7,
}

test('a small net learns drawn shapes, with batch norm whose statistics are carried', async () => {
  const trained = await train(model, { ...options, steps: 400 })
  const start = trained.curve.slice(0, 5).reduce((s, v) => s + v, 0) / 5
  assert.ok((trained.curve.at(-1) ?? 9) < 0.5 * start)
  // The same weights in the form for inference, on pictures never seen.
  const plain = net(false).model
  const named = new Map(trained.model.graph.initializers.map((tensor) => [tensor.name, tensor]))
  const filled = withGraph(
    plain,
    withParts(plain.graph, {
      initializers: plain.graph.initializers.map((tensor) => named.get(tensor.name) ?? tensor),
    }),
  )
  await using session = await openSession(filled, here)
  const random = seededRandom('unseen')
  let right = 0
  for (let i = 0; i < 8; i++) {
    const { x, y } = drawBatch(0, random)
    const { logits } = await session.run({ x: x! }) // drawBatch gives x
    const scores = logits?.data as Float32Array
    for (let n = 0; n < batchSize; n++) {
      const row = [...scores.subarray(3 * n, 3 * n + 3)]
      if (row.indexOf(Math.max(...row)) === Number(y?.data[n])) right += 1
    }
  }
  const accuracy = right / (8 * batchSize)
  assert.ok(accuracy > 0.93, `accuracy ${accuracy}`)
})

test('training that was stopped, stored and resumed equals training that was not, bit for bit', async () => {
  const whole = await train(model, { ...options, steps: 12 })
  const first = await train(model, { ...options, steps: 5 })
  const stored = decodeCheckpoint(encodeCheckpoint(first.checkpoint))
  const second = await train(model, { ...options, steps: 12, resume: stored })
  assert.deepEqual([...first.curve, ...second.curve], whole.curve)
  assert.deepEqual(second.checkpoint, whole.checkpoint)
})

test('a checkpoint that was cut short is refused', () => {
  const bytes = encodeCheckpoint({ step: 1, random: 2, values: { w: Float32Array.of(1, 2) } })
  assert.throws(() => decodeCheckpoint(bytes.subarray(0, -1)), { code: 'E_CHECKPOINT' })
  assert.throws(() => decodeCheckpoint(new Uint8Array(9)), { code: 'E_CHECKPOINT' })
})

test('updates in the graph equal the optimisers in TypeScript', async () => {
  const b = builder({ opset: 17 })
  b.input('x', 'float32', [4, 3])
  const w = b.constant(
    Float32Array.from({ length: 6 }, (_, i) => Math.sin(i)),
    [3, 2],
  )
  const y = b.op('MatMul', ['x', w])
  const loss = b.op('ReduceMean', [b.op('Mul', [y, b.op('Sub', [y, b.scalar(1)])])], {
    keepdims: 0,
  })
  b.output(loss)
  const linear = modelOf(b.graph())
  const start = Float32Array.from(tensorArray(initializerOf(linear.graph, w)!) as Float32Array) // it was made above
  const data = (_: number, random: Random): RunTensors => ({
    x: {
      type: 'float32',
      dims: [4, 3],
      data: Float32Array.from({ length: 12 }, () => random.normal()),
    },
  })
  const pairs: readonly (readonly [GraphOptimizer, Optimizer])[] = [
    [{ kind: 'sgd' }, sgd({ rate: 0.1 })],
    [{ kind: 'sgd', momentum: 0.9 }, sgd({ rate: 0.1, momentum: 0.9 })],
    [{ kind: 'adam', decay: 0.1 }, adamw({ rate: 0.1, decay: 0.1 })],
  ]
  for (const [inGraph, outside] of pairs) {
    const trained = await train(linear, {
      loss,
      weights: [w],
      optimizer: inGraph,
      rate: 0.1,
      steps: 6,
      clip: 0.5,
      batch: data,
      session: here,
      seed: 3,
    })
    const random = seededRandom(3).fork('batches')
    const optimizer = chain(clipByGlobalNorm(0.5) as Optimizer, outside)
    let params: Params = { w: start }
    let state = optimizer.init(params)
    for (let step = 0; step < 6; step++) {
      const x = data(step, random)['x']?.data as Float32Array
      const p = params['w'] ?? start
      const grad = new Float32Array(6)
      for (let n = 0; n < 4; n++) {
        for (let j = 0; j < 2; j++) {
          let out = 0
          for (let k = 0; k < 3; k++) out += (x[3 * n + k] ?? 0) * (p[2 * k + j] ?? 0)
          for (let k = 0; k < 3; k++) grad[2 * k + j]! += ((x[3 * n + k] ?? 0) * (2 * out - 1)) / 8 // in range
        }
      }
      const [updates, next] = optimizer.update({ w: grad }, state, params)
      params = applyUpdates(params, updates)
      state = next
    }
    const got = trained.checkpoint.values[w] ?? new Float32Array()
    ;(params['w'] ?? start).forEach((v, i) =>
      assert.ok(Math.abs(v - (got[i] ?? NaN)) < 1e-4, `${inGraph.kind} ${v} ${got[i]}`),
    )
  }
})

test('a signal stops training with its own reason', async () => {
  const stop = new AbortController()
  const reason = new Error('enough')
  const after = (): void => stop.abort(reason)
  await assert.rejects(train(model, { ...options, steps: 50, signal: stop.signal, after }), reason)
})
