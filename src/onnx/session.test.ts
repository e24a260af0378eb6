import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { builder } from './builder.ts'
import type { Model } from './graph.ts'
import { modelOf } from './graph.ts'
import { openSession } from './open-session.ts'
import { readModel } from './read-model.ts'
import { SessionHost } from './session-host.ts'
import type { RunTensor } from './session.ts'
import { writeLean, writeModel } from './write-model.ts'

const folder = await mkdtemp(join(tmpdir(), 'pupil-session-'))
after(() => rm(folder, { recursive: true }))

/** y = x · w with a weight above 1 kB, so that it can stay in its file. */
function product(): Model {
  const g = builder({ opset: 17 })
  const x = g.input('x', 'float32', ['n', 32])
  const w = g.constant(
    Float32Array.from({ length: 32 * 16 }, (_, i) => (i % 7) - 3),
    [32, 16],
  )
  g.op('MatMul', [x, w], {}, { outputs: ['y'] })
  g.output('y', 'float32', ['n', 16])
  return modelOf(g.graph())
}

const ones = (n: number): RunTensor => ({
  type: 'float32',
  dims: [n, 32],
  data: new Float32Array(n * 32).fill(1),
})

const expectedRow = Array.from({ length: 16 }, (_, j) =>
  Array.from({ length: 32 }, (_, i) => ((i * 16 + j) % 7) - 3).reduce((a, b) => a + b),
)

for (const thread of ['here', 'worker'] as const) {
  describe(`a session in thread "${thread}"`, () => {
    test('runs a built model', async () => {
      await using session = await openSession(product(), { thread })
      const { y } = await session.run({ x: ones(2) })
      assert.deepEqual(y?.dims, [2, 16])
      assert.deepEqual([...(y?.data as Float32Array)], [...expectedRow, ...expectedRow])
      assert.deepEqual(session.inputs, [{ name: 'x', type: 'float32', shape: ['n', 32] }])
    })

    test('maps the weights of a model from its own file', async () => {
      const path = join(folder, `${thread}.onnx`)
      await writeFile(path, writeModel(product()))
      const lean = writeLean(readModel(path))
      assert.ok(lean.bytes.length < 600, `${lean.bytes.length} bytes without weights`)
      await using session = await openSession(path, { thread, preset: 'small-memory' })
      const { y } = await session.run({ x: ones(1) })
      assert.deepEqual([...(y?.data as Float32Array)], expectedRow)
    })

    test('refuses feeds that do not fit, by name', async () => {
      await using session = await openSession(product(), { thread })
      await assert.rejects(session.run({}), {
        code: 'E_ARGUMENT',
        message: /a tensor for input "x"/,
      })
      await assert.rejects(
        session.run({ x: { ...ones(1), dims: [1, 31] } }),
        /dims \[n, 32\] for input "x"/,
      )
      await assert.rejects(
        session.run({ x: ones(1), z: ones(1) }),
        /inputs x for a feed but got "z"/,
      )
      await assert.rejects(session.run({ x: ones(1) }, { fetch: ['q'] }), /one of y for an output/)
    })

    test('says why the runtime refuses a model', async () => {
      const g = builder({ opset: 17 })
      g.output(g.op('NoSuchOp', [g.input('x', 'float32', [1])]), 'float32', [1])
      await assert.rejects(openSession(modelOf(g.graph()), { thread }), {
        code: 'E_ONNX_REFUSED',
        message: /NoSuchOp/,
      })
    })

    test('takes and gives every type that the runtime has, texts included', async () => {
      const given: Readonly<Record<string, RunTensor>> = {
        float64: { type: 'float64', dims: [2], data: Float64Array.of(1.5, -2) },
        float16: { type: 'float16', dims: [2], data: Uint16Array.of(0x3c00, 0xc000) },
        int8: { type: 'int8', dims: [2], data: Int8Array.of(1, -2) },
        uint8: { type: 'uint8', dims: [2], data: Uint8Array.of(1, 254) },
        int32: { type: 'int32', dims: [2], data: Int32Array.of(1, -2) },
        int64: { type: 'int64', dims: [2], data: BigInt64Array.of(1n, -(2n ** 62n)) },
        bool: { type: 'bool', dims: [2], data: Uint8Array.of(1, 0) },
        string: { type: 'string', dims: [2], data: ['plain', 'ünï'] },
        scalar: { type: 'float32', dims: [], data: Float32Array.of(3) },
        empty: { type: 'float32', dims: [0, 4], data: new Float32Array() },
      }
      const g = builder({ opset: 17 })
      for (const [name, { type, dims }] of Object.entries(given)) {
        g.input(name, type, dims)
        g.output(g.op('Identity', [name], {}, { outputs: [`${name}!`] }), type, dims)
      }
      await using session = await openSession(modelOf(g.graph()), { thread })
      const found = await session.run(given)
      for (const [name, tensor] of Object.entries(given)) {
        assert.deepEqual({ ...found[`${name}!`] }, tensor, name)
      }
    })

    test('is an error to run after it was closed', async () => {
      const session = await openSession(product(), { thread })
      await session.close()
      await session.close()
      await assert.rejects(session.run({ x: ones(1) }), { code: 'E_ONNX_CLOSED' })
    })

    test('passes a cancellation on as the reason of the signal', async () => {
      const reason = new Error('enough')
      const signal = AbortSignal.abort(reason)
      await assert.rejects(openSession(product(), { thread, signal }), reason)
      await using session = await openSession(product(), { thread })
      await assert.rejects(session.run({ x: ones(1) }, { signal }), reason)
    })
  })
}

test('a host holds several sessions and survives a refused one', async () => {
  await using host = new SessionHost()
  const first = await openSession(product(), { thread: host })
  const bad = builder({ opset: 17 })
  bad.output(bad.op('NoSuchOp', [bad.input('x', 'float32', [1])]), 'float32', [1])
  await assert.rejects(openSession(modelOf(bad.graph()), { thread: host }), {
    code: 'E_ONNX_REFUSED',
  })
  const second = await openSession(product(), { thread: host })
  await first.close()
  const { y } = await second.run({ x: ones(1) })
  assert.deepEqual([...(y?.data as Float32Array)], expectedRow)
})

test('an aborted run answers at once and leaves the session usable', async () => {
  await using session = await openSession(product())
  const stop = new AbortController()
  const running = session.run({ x: ones(2000) }, { signal: stop.signal })
  stop.abort(new Error('changed my mind'))
  await assert.rejects(running, /changed my mind/)
  const { y } = await session.run({ x: ones(1) })
  assert.deepEqual([...(y?.data as Float32Array)], expectedRow)
})

test('an aborted opening answers at once, and the host goes on', async () => {
  await using host = new SessionHost()
  const stop = new AbortController()
  const opening = openSession(product(), { thread: host, signal: stop.signal })
  stop.abort(new Error('changed my mind'))
  await assert.rejects(opening, /changed my mind/)
  const session = await openSession(product(), { thread: host })
  const { y } = await session.run({ x: ones(1) })
  assert.deepEqual([...(y?.data as Float32Array)], expectedRow)
})

test('closing a host ends what waits in it with an error', async () => {
  const host = new SessionHost()
  const session = await openSession(product(), { thread: host })
  const running = session.run({ x: ones(2000) })
  const [outcome] = await Promise.allSettled([running, host.close()])
  assert.ok(
    outcome.status === 'fulfilled' || (outcome.reason as { code: string }).code === 'E_ONNX_CLOSED',
  )
  await assert.rejects(session.run({ x: ones(1) }), { code: 'E_ONNX_CLOSED' })
  await session.close()
})

test('a transferred feed is given away, any other is left', async () => {
  await using session = await openSession(product())
  const kept = ones(1)
  await session.run({ x: kept })
  assert.equal(kept.data.length, 32)
  const given = ones(1)
  await session.run({ x: given }, { transfer: true })
  assert.equal(given.data.length, 0)
})

test('a feed that is a view of something larger is sent alone, and the larger thing is left', async () => {
  await using session = await openSession(product())
  const large = new Float32Array(1000).fill(7)
  large.fill(1, 100, 132)
  const x: RunTensor = { type: 'float32', dims: [1, 32], data: large.subarray(100, 132) }
  const { y } = await session.run({ x }, { transfer: true })
  assert.deepEqual([...(y?.data as Float32Array)], expectedRow)
  assert.equal(large.length, 1000)
})

test('a missing file is named', async () => {
  const path = join(folder, 'none.onnx')
  await assert.rejects(openSession(path), {
    code: 'E_ONNX_MISSING',
    message: `There is no model at ${path}.`,
  })
})
