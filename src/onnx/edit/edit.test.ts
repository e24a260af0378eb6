import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { attributesOf } from '../attribute.ts'
import { builder } from '../builder.ts'
import type { Graph } from '../graph.ts'
import { graphOf, indexOf, initializerOf, modelOf, nodeOf, valueInfo, withParts } from '../graph.ts'
import { openSession } from '../open-session.ts'
import type { RunTensors } from '../session.ts'
import { SessionHost } from '../session-host.ts'
import { inferShapes } from '../shapes.ts'
import { tensorOf } from '../tensor.ts'
import { problemsOf } from '../verify.ts'
import { inlineConstants } from './constants.ts'
import { cut } from './cut.ts'
import { merge } from './merge.ts'
import { liftOpset } from './opset.ts'
import { inOrder } from './order.ts'
import { withOutputs } from './outputs.ts'
import { prune } from './prune.ts'
import { rename } from './rename.ts'
import { splice } from './splice.ts'

const host = new SessionHost()
after(() => host.close())

/** y = tanh(x · w) + |x · w|, with an If that captures the product. */
function sample(): Graph {
  const branch = (op: string): Graph =>
    graphOf({ nodes: [nodeOf(op, ['h'], ['inner'])], outputs: [valueInfo('inner', 'float32')] })
  const attributes = attributesOf({ then_branch: branch('Abs'), else_branch: branch('Neg') })
  return graphOf({
    inputs: [valueInfo('x', 'float32', [2, 3])],
    initializers: [
      tensorOf('w', 'float32', [1, -2, 3, -4, 5, -6, 7, -8, 9], [3, 3]),
      tensorOf('flag', 'bool', [1], []),
    ],
    nodes: [
      nodeOf('MatMul', ['x', 'w'], ['h'], { name: 'project' }),
      nodeOf('Tanh', ['h'], ['t']),
      nodeOf('If', ['flag'], ['a'], { attributes }),
      nodeOf('Add', ['t', 'a'], ['y']),
    ],
    outputs: [valueInfo('y', 'float32', [2, 3])],
  })
}

const data = Float32Array.of(0.1, -0.2, 0.3, 0.05, 0.2, -0.1)
const x = { type: 'float32', dims: [2, 3], data } as const

async function run(graph: Graph, feeds: RunTensors = { x }): Promise<RunTensors> {
  await using session = await openSession(modelOf(graph), { thread: host })
  return session.run(feeds)
}

describe('splice', () => {
  test('puts nodes between a value and its consumers, captures included', async () => {
    const graph = splice(sample(), 'h', (g, h) => g.op('Mul', [h, g.scalar(2)]))
    const scaled = withParts(sample(), {
      initializers: [
        tensorOf('w', 'float32', [2, -4, 6, -8, 10, -12, 14, -16, 18], [3, 3]),
        tensorOf('flag', 'bool', [1], []),
      ],
    })
    assert.deepEqual((await run(graph)).y?.data, (await run(scaled)).y?.data)
    assert.equal(indexOf(graph).producer.get('h')?.name, 'project', 'the producer keeps its name')
  })

  test('works on an input, and leaves the plain value to an output of that name', async () => {
    const input = splice(sample(), 'x', (g, value) => g.op('Neg', [value]))
    const negative = { x: { ...x, data: data.map((v) => -v) } }
    assert.deepEqual((await run(input)).y?.data, (await run(sample(), negative)).y?.data)
    const both = withOutputs(sample(), ['h', 'y'])
    const spliced = splice(both, 'h', (g, h) => g.op('Mul', [h, g.scalar(0)]))
    const found = await run(spliced)
    assert.deepEqual(found.h?.data, (await run(both)).h?.data)
    assert.deepEqual([...(found.y?.data as Float32Array)].map(Math.abs), [0, 0, 0, 0, 0, 0])
  })

  test('only for some consumers, when asked', () => {
    const before = sample()
    const consumers = [before.nodes[1]!]
    const graph = splice(before, 'h', (g, h) => g.op('Neg', [h]), { consumers })
    assert.deepEqual(
      graph.nodes.map(({ op }) => op),
      ['MatMul', 'Neg', 'Tanh', 'If', 'Add'],
    )
    assert.deepEqual(
      indexOf(graph)
        .consumers.get('h')
        ?.map(({ op }) => op),
      ['Neg', 'If'],
    )
  })

  test('leaves the old graph as it was and shares what it did not touch', () => {
    const before = sample()
    const text = JSON.stringify(before.nodes)
    const graph = splice(before, 't', (g, t) => g.op('Neg', [t]))
    assert.equal(JSON.stringify(before.nodes), text)
    assert.equal(graph.nodes[0], before.nodes[0])
    assert.equal(initializerOf(graph, 'w'), initializerOf(before, 'w'))
  })

  test('refuses a name that is not there, and one inside a subgraph', () => {
    assert.throws(() => splice(sample(), 'q', (_, v) => v), { code: 'E_ARGUMENT' })
    assert.throws(() => splice(sample(), 'inner', (_, v) => v), {
      code: 'E_ONNX_SUBGRAPH',
      message: '"inner" lies inside the subgraph of If -> "a".',
    })
  })
})

describe('cut', () => {
  test('the rest run on what the prefix gives equals the whole', async () => {
    const shapes = await inferShapes(modelOf(sample()), { thread: host })
    const whole = await run(sample())
    for (const values of [['h'], ['t', 'h'], ['t', 'a'], ['x']]) {
      const { prefix, rest } = cut(sample(), values, shapes)
      const known: RunTensors = { x, ...(await run(prefix)) }
      const feeds = rest.inputs.map(({ name }) => [name, known[name]!] as const)
      const { y } = await run(rest, Object.fromEntries(feeds))
      assert.deepEqual(y?.data, whole.y?.data, `cut at ${values.join(', ')}`)
    }
  })

  test('each half keeps only what it needs', () => {
    const { prefix, rest } = cut(sample(), ['h'])
    assert.deepEqual(
      [prefix.nodes.map(({ op }) => op), rest.nodes.map(({ op }) => op)],
      [['MatMul'], ['Tanh', 'If', 'Add']],
    )
    assert.deepEqual(
      [prefix.initializers.map(({ name }) => name), rest.initializers.map(({ name }) => name)],
      [['w'], ['flag']],
    )
    assert.deepEqual(
      rest.inputs.map(({ name }) => name),
      ['h'],
    )
  })

  test('a node of which one output is cut stays for the other', () => {
    const g = builder({ opset: 17 })
    const [a = '', b = ''] = g.split(g.input('x', 'float32', [4]), 0, [2, 2])
    g.op('Add', [a, b], {}, { outputs: ['y'] })
    g.output('y', 'float32', [2])
    const { rest } = cut(g.graph(), [a])
    assert.deepEqual(rest.nodes[0]?.outputs, ['', b])
    assert.deepEqual(
      rest.inputs.map(({ name }) => name),
      ['x', a],
    )
  })
})

describe('rename', () => {
  test('reaches nodes, inputs, outputs, initialisers and captures', async () => {
    const names = new Map(Object.entries({ x: 'image', h: 'hidden', y: 'answer', w: 'weight' }))
    const graph = rename(sample(), names)
    const found = await run(graph, { image: x })
    assert.deepEqual(found.answer?.data, (await run(sample())).y?.data)
    for (const name of names.keys()) assert.equal(indexOf(graph).names.has(name), false)
  })

  test('to a name that is taken is our bug', () => {
    assert.throws(() => rename(sample(), new Map([['t', 'a']])), {
      name: 'Bug',
      code: 'E_ONNX_VERIFY',
    })
  })
})

describe('merge', () => {
  test('feeds outputs of one graph into inputs of the other, names apart', async () => {
    const graph = merge(sample(), sample(), { joins: { x: 'y' }, keepJoined: true })
    const found = await run(graph)
    const first = (await run(sample())).y!
    const second = (await run(sample(), { x: first })).y
    const names = graph.outputs.map(({ name }) => name)
    assert.equal(names.length, 2)
    assert.deepEqual(found.y?.data, first.data)
    assert.deepEqual(found[names[1] ?? '']?.data, second?.data)
  })

  test('refuses joins that are not there and opsets that differ', () => {
    assert.throws(
      () => merge(sample(), sample(), { joins: { q: 'y' } }),
      /an input of the second graph/,
    )
    assert.throws(
      () => merge(sample(), sample(), { joins: { x: 'h' } }),
      /an output of the first graph/,
    )
    const newer = withParts(sample(), { opsets: { '': 18 } })
    assert.throws(() => merge(sample(), newer), {
      code: 'E_ONNX_OPSET',
      message: /import ONNX 17 and 18/,
    })
  })
})

describe('prune', () => {
  test('drops what the outputs do not need, and inputs only when asked', () => {
    const graph = withOutputs(sample(), ['t'])
    const pruned = prune(graph)
    assert.deepEqual(
      pruned.nodes.map(({ op }) => op),
      ['MatMul', 'Tanh'],
    )
    assert.deepEqual(
      pruned.initializers.map(({ name }) => name),
      ['w'],
    )
    const bare = withParts(graph, { outputs: [valueInfo('w')] })
    assert.equal(prune(bare).inputs.length, 1)
    assert.equal(prune(bare, { keepInputs: false }).inputs.length, 0)
  })

  test('keeps what only a subgraph captures', () => {
    const graph = prune(withOutputs(sample(), ['a']))
    assert.deepEqual(
      graph.nodes.map(({ op }) => op),
      ['MatMul', 'If'],
    )
  })
})

describe('inOrder', () => {
  test('sorts any shuffled graph and leaves a sorted one as it is', () => {
    const sorted = sample()
    assert.equal(inOrder(sorted), sorted)
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (order) => {
        const nodes = order.map((i) => sorted.nodes[i]!)
        assert.deepEqual(problemsOf(inOrder(withParts(sorted, { nodes }))), [])
      }),
    )
  })

  test('names a node on a cycle', () => {
    const nodes = [nodeOf('Add', ['x', 'b'], ['a']), nodeOf('Neg', ['a'], ['b'])]
    assert.throws(() => inOrder(withParts(sample(), { nodes })), {
      code: 'E_ONNX_CYCLE',
      message: /cycle through (Add#0 -> "a"|Neg#1 -> "b")/,
    })
  })

  test('goes through a chain of fifty thousand nodes', () => {
    const nodes = Array.from({ length: 50_000 }, (_, i) => nodeOf('Neg', [`v${i}`], [`v${i + 1}`]))
    const graph = graphOf({
      inputs: [valueInfo('v0')],
      nodes: nodes.toReversed(),
      outputs: [valueInfo('v50000')],
    })
    assert.deepEqual(inOrder(graph).nodes, nodes)
  })
})

test('inlineConstants makes initialisers of every kind of Constant', async () => {
  const value = (attributes: Parameters<typeof attributesOf>[0], name: string) =>
    nodeOf('Constant', [], [name], { attributes: attributesOf(attributes) })
  const graph = graphOf({
    inputs: [valueInfo('x', 'float32', [2, 3])],
    nodes: [
      value({ value: tensorOf('anything', 'float32', [1, 2, 3]) }, 'a'),
      value({ value_float: 2 }, 'b'),
      value({ value_ints: [1] }, 'c'),
      nodeOf('Add', ['x', 'a'], ['s']),
      nodeOf('Mul', ['s', 'b'], ['m']),
      nodeOf('ReduceSum', ['m', 'c'], ['y']),
    ],
    outputs: [valueInfo('y', 'float32')],
  })
  const inlined = inlineConstants(graph)
  assert.deepEqual(
    inlined.initializers.map(({ name, dims }) => [name, dims]),
    [
      ['a', [3]],
      ['b', []],
      ['c', [1]],
    ],
  )
  assert.deepEqual((await run(inlined)).y?.data, (await run(graph)).y?.data)
})

describe('liftOpset', () => {
  test('relabels graphs of 13 to 15 whose operators kept their meaning', async () => {
    for (const opset of [13, 14, 15, 16]) {
      const old = withParts(sample(), { opsets: { '': opset } })
      const lifted = liftOpset(old, 17)
      assert.equal(lifted.opsets[''], 17)
      assert.deepEqual((await run(lifted)).y?.data, (await run(old)).y?.data)
    }
  })

  test('refuses what changed in between, and what it cannot reach', () => {
    const norm = nodeOf('BatchNormalization', ['x', 'w', 'w', 'w', 'w'], ['y', 'm', 'v'], {
      name: 'bn',
    })
    const training = withParts(sample(), { nodes: [norm], opsets: { '': 13 } })
    assert.throws(() => liftOpset(training, 17), {
      code: 'E_ONNX_OPSET',
      message: 'BatchNormalization "bn" changed its meaning between 13 and 17.',
    })
    for (const [from, to] of [
      [12, 17],
      [17, 18],
      [17, 16],
    ] as const) {
      const graph = withParts(sample(), { opsets: { '': from } })
      assert.throws(() => liftOpset(graph, to), { code: 'E_ONNX_OPSET' })
    }
  })
})
