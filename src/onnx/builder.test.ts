import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Builder } from './builder.ts'
import { builder } from './builder.ts'
import { initializerOf, modelOf, nodeOf } from './graph.ts'
import { openSession } from './open-session.ts'
import { SessionHost } from './session-host.ts'
import { tensorOf } from './tensor.ts'
import { problemsOf } from './verify.ts'

const host = new SessionHost()
after(() => host.close())

/** Runs what `build` appends, for x = 0, 1, … 23 of [2, 3, 4]. */
async function run(opset: number, build: (g: Builder, x: string) => string): Promise<number[]> {
  const g = builder({ opset })
  const x = g.input('x', 'float32', [2, 3, 4])
  g.output(build(g, x))
  const graph = g.graph()
  assert.deepEqual(problemsOf(graph), [], `opset ${opset}`)
  await using session = await openSession(modelOf(graph), { thread: host })
  const data = Float32Array.from({ length: 24 }, (_, i) => i)
  const [result] = Object.values(
    await session.run({ x: { type: 'float32', dims: [2, 3, 4], data } }),
  )
  return Array.from(result?.data as ArrayLike<number | bigint>, Number)
}

/** Operators that are written differently by opset, with what they must give. */
const forms: Readonly<
  Record<string, readonly [(g: Builder, x: string) => string, readonly number[]]>
> = {
  ReduceSum: [(g, x) => g.reduce('ReduceSum', x, [1, 2], false), [66, 210]],
  ReduceMean: [(g, x) => g.reduce('ReduceMean', x, [1, 2]), [5.5, 17.5]],
  ReduceMax: [(g, x) => g.reduce('ReduceMax', x, [0, 1], false), [20, 21, 22, 23]],
  ReduceL2: [
    (g, x) => g.reduce('ReduceL2', g.slice(x, [0, 0, 0], [1, 1, 3], [0, 1, 2]), [2], false),
    [Math.fround(Math.sqrt(5))],
  ],
  Split: [
    (g, x) => g.reduce('ReduceSum', g.split(x, 1, [1, 2])[1] ?? '', [0, 1, 2], false),
    [60 + 156],
  ],
  Squeeze: [
    (g, x) => g.squeeze(g.unsqueeze(g.reduce('ReduceSum', x, [0, 1], false), [0]), [0]),
    [60, 66, 72, 78],
  ],
  Pad: [(g, x) => g.op('Shape', [g.pad(x, [0, 1, 0, 0, 0, -2])]), [2, 4, 2]],
  'Pad with a fill': [
    (g, x) =>
      g.reduce('ReduceSum', g.pad(x, [0, 0, 1, 0, 0, 0], { fill: g.scalar(2) }), [0, 1, 2], false),
    [276 + 12],
  ],
  Slice: [
    (g, x) => g.slice(x, [-1, 0], [-100, 100], [1, 2], [-2, 3]),
    [8, 11, 0, 3, 20, 23, 12, 15],
  ],
  Cast: [(g, x) => g.cast(g.slice(x, [1, 2], [2, 3], [0, 1]), 'int64'), [20, 21, 22, 23]],
  Concat: [(g, x) => g.op('Shape', [g.concat([x, x], -1)]), [2, 3, 8]],
  Transpose: [(g, x) => g.op('Shape', [g.transpose(x, [2, 0, 1])]), [4, 2, 3]],
  Reshape: [(g, x) => g.op('Shape', [g.reshape(x, [-1, 8])]), [3, 8]],
}

describe('each form is valid and right in every opset from 13 to 23:', () => {
  for (const [name, [build, expected]] of Object.entries(forms)) {
    test(name, async () => {
      for (const opset of [13, 17, 18, 21, 23]) {
        assert.deepEqual(await run(opset, build), expected, `opset ${opset}`)
      }
    })
  }
})

describe('a builder', () => {
  test('shares equal small constants, and tells 0 from -0 and types apart', () => {
    const g = builder({ opset: 17 })
    assert.equal(g.scalar(1), g.constant([1], []))
    assert.notEqual(g.scalar(0), g.scalar(-0))
    assert.notEqual(g.scalar(1), g.constant([1]))
    assert.notEqual(g.scalar(1, 'int64'), g.scalar(1, 'int32'))
    const big = new Float32Array(100)
    assert.notEqual(g.constant(big), g.constant(big))
  })

  test('gives names that neither the graph nor the builder used', () => {
    const first = builder({ opset: 17 }, { prefix: 'p' })
    const x = first.input('x', 'float32', [1])
    first.output(first.op('Neg', [x]), 'float32')
    const second = builder(first.graph(), { prefix: 'p' })
    assert.notEqual(second.prefix, first.prefix)
    second.output(second.op('Abs', [x], {}, { name: 'n' }))
    second.output(second.op('Abs', [x], {}, { name: 'n' }))
    assert.deepEqual(problemsOf(second.graph()), [])
  })

  test('refuses a name that is taken', () => {
    const g = builder({ opset: 17 })
    const x = g.input('x', 'float32', [1])
    assert.throws(() => g.input('x', 'float32', [1]), { code: 'E_ONNX_NAME' })
    assert.throws(() => g.op('Neg', [x], {}, { outputs: ['x'] }), { code: 'E_ONNX_NAME' })
    assert.throws(
      () => g.add(tensorOf('x', 'float32', [1])),
      /The initialiser "x" is already a value/,
    )
    assert.throws(() => g.append(nodeOf('Neg', [x], ['x'])), { code: 'E_ONNX_NAME' })
    g.output(x)
    assert.throws(() => g.output(x), /"x" is an output already/)
  })

  test('leaves the graph it began with as it was', () => {
    const g = builder({ opset: 17 })
    g.output(g.op('Neg', [g.input('x', 'float32', [1])]))
    const before = g.graph()
    const text = JSON.stringify(before)
    const more = builder(before)
    more.op('Abs', ['x'])
    more.scalar(3)
    assert.equal(JSON.stringify(before), text)
    assert.ok(
      Object.isFrozen(before) && Object.isFrozen(before.nodes) && Object.isFrozen(before.nodes[0]),
    )
  })

  test('takes constants of every type from plain numbers', () => {
    const g = builder({ opset: 17 })
    const name = g.constant([1.5, -2], [2], 'float16')
    const found = initializerOf(g.graph(), name)
    assert.deepEqual([found?.type, found?.dims], ['float16', [2]])
    assert.throws(
      () => g.constant(new Uint16Array(2)),
      /a type beside it for a constant of 16-bit patterns/,
    )
  })
})
