import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { attributeOf } from './attribute.ts'
import type { Builder } from './builder.ts'
import { builder } from './builder.ts'
import type { Model } from './graph.ts'
import { graphOf, initializerOf, modelOf, nodeOf, valueInfo, withGraph } from './graph.ts'
import { openSession } from './open-session.ts'
import { SessionHost } from './session-host.ts'
import { foldShapes, inferShapes, specialise } from './shapes.ts'
import { withOutputs } from './edit/outputs.ts'

const host = new SessionHost()
after(() => host.close())
const options = { thread: host }

/** A linear layer whose result is flattened by a Shape chain, as exporters write a free batch. */
function withShapeChain(): Model {
  const g = builder({ opset: 17 })
  const x = g.input('x', 'float32', ['batch', 4, 32])
  const w = g.constant(
    Float32Array.from({ length: 32 * 32 }, (_, i) => Math.sin(i)),
    [32, 32],
  )
  const h = g.op('Add', [g.op('MatMul', [x, w]), g.constant(new Float32Array(32).fill(0.5))])
  const batch = g.op('Gather', [g.op('Shape', [x]), g.scalar(0, 'int64')], { axis: 0 })
  const dims = g.concat([g.unsqueeze(batch, [0]), g.ints([128])], 0)
  g.op('Reshape', [h, dims], {}, { outputs: ['y'] })
  g.output('y', 'float32', ['batch', 128])
  return modelOf(g.graph())
}

async function run(model: Model, dims: readonly number[]): Promise<Float32Array> {
  const size = dims.reduce((a, b) => a * b, 1)
  const data = Float32Array.from({ length: size }, (_, i) => Math.cos(i))
  await using session = await openSession(model, options)
  const { y } = await session.run({ x: { type: 'float32', dims, data } })
  return y?.data as Float32Array
}

describe('specialise', () => {
  test('folds shape chains and keeps names, weights and results', async () => {
    const model = withShapeChain()
    const { model: folded, shapes } = await specialise(model, { x: [3, 4, 32] }, options)
    assert.deepEqual(
      folded.graph.nodes.map(({ op }) => op),
      ['MatMul', 'Add', 'Reshape'],
    )
    assert.deepEqual(shapes.get('y'), { type: 'float32', dims: [3, 128] })
    assert.deepEqual(shapes.get('x'), { type: 'float32', dims: [3, 4, 32] })
    const [w = ''] = folded.graph.nodes[0]?.inputs.slice(1) ?? []
    assert.equal(
      initializerOf(folded.graph, w),
      initializerOf(model.graph, w),
      'the weight is shared',
    )
    assert.deepEqual(await run(folded, [3, 4, 32]), await run(model, [3, 4, 32]))
  })

  test('inlines an If whose condition follows from shapes', async () => {
    const branch = (op: string): ReturnType<typeof graphOf> =>
      graphOf({
        nodes: [nodeOf(op, ['x'], ['inner'])],
        outputs: [valueInfo('inner', 'float32')],
      })
    const g = builder({ opset: 17 })
    const x = g.input('x', 'float32', ['n', 2])
    const n = g.op('Gather', [g.op('Shape', [x]), g.scalar(0, 'int64')], { axis: 0 })
    const big = g.op('Greater', [n, g.scalar(2, 'int64')])
    g.op(
      'If',
      [big],
      { then_branch: branch('Neg'), else_branch: branch('Abs') },
      { outputs: ['y'] },
    )
    g.output('y', 'float32')
    const { model } = await specialise(modelOf(g.graph()), { x: [3, 2] }, options)
    assert.deepEqual(
      model.graph.nodes.map(({ op }) => op),
      ['Neg'],
    )
  })

  test('needs sizes for the free ones and says which', async () => {
    await assert.rejects(specialise(withShapeChain(), {}, options), {
      code: 'E_ONNX_SHAPES',
      message: 'Inputs have free sizes: x [batch, 4, 32].',
    })
    await assert.rejects(
      specialise(withShapeChain(), { x: [1, 5, 32] }, options),
      /\[batch, 4, 32\] for the shape of input "x"/,
    )
  })
})

describe('inferShapes', () => {
  const cases: Readonly<Record<string, (g: Builder, x: string) => string>> = {
    'a strided convolution': (g, x) =>
      g.op('Conv', [x, g.constant(new Float32Array(8 * 3 * 9), [8, 3, 3, 3])], {
        strides: [2, 2],
        pads: [1, 1, 1, 1],
      }),
    'a transpose and a product': (g, x) => g.op('MatMul', [x, g.transpose(x, [0, 1, 3, 2])]),
    'a top-k': (g, x) => g.ops('TopK', [x, g.ints([2])], 2)[0] ?? '',
    'a mean over axes': (g, x) => g.reduce('ReduceMean', x, [2, 3], false),
    'a split': (g, x) => g.split(x, 1, [1, 2])[1] ?? '',
  }
  for (const [name, build] of Object.entries(cases)) {
    test(`finds what a run shows, for ${name}`, async () => {
      const g = builder({ opset: 17 })
      const x = g.input('x', 'float32', [2, 3, 6, 6])
      g.output(build(g, x))
      const model = modelOf(g.graph())
      const shapes = await inferShapes(model, options)
      const values = model.graph.nodes.flatMap(({ outputs }) => outputs)
      const all = withGraph(model, withOutputs(model.graph, values, shapes))
      await using session = await openSession(all, options)
      const found = await session.run({
        x: { type: 'float32', dims: [2, 3, 6, 6], data: new Float32Array(216) },
      })
      for (const value of values) {
        const { type, dims } = found[value] ?? {}
        assert.deepEqual(shapes.get(value), { type, dims })
      }
    })
  }

  test('names the value whose shape depends on the data, or leaves it out when asked', async () => {
    const g = builder({ opset: 17 })
    const x = g.input('x', 'float32', [2, 3])
    g.op('NonZero', [x], {}, { outputs: ['where'], name: 'finder' })
    g.output('where', 'int64', [2, null])
    const model = modelOf(g.graph())
    await assert.rejects(inferShapes(model, options), {
      code: 'E_ONNX_SHAPES',
      message: 'The shape of "where" of NonZero "finder" depends on the data.',
    })
    const shapes = await inferShapes(model, { ...options, unresolved: 'skip' })
    assert.equal(shapes.has('where'), false)
    assert.deepEqual(shapes.get('x'), { type: 'float32', dims: [2, 3] })
  })
})

test('foldShapes turns Constant nodes into initialisers', async () => {
  const value = attributeOf('value_float', 2)
  const graph = graphOf({
    inputs: [valueInfo('x', 'float32', [3])],
    outputs: [valueInfo('y', 'float32', [3])],
    nodes: [
      nodeOf('Constant', [], ['two'], { attributes: { value_float: value } }),
      nodeOf('Mul', ['x', 'two'], ['y']),
    ],
  })
  const { graph: folded } = await foldShapes(modelOf(graph), options)
  assert.deepEqual(
    folded.nodes.map(({ op }) => op),
    ['Mul'],
  )
  assert.deepEqual(initializerOf(folded, 'two')?.dims, [])
})
