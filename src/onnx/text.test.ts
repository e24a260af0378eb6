import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builder } from './builder.ts'
import { describeModel, operatorCounts } from './describe-model.ts'
import type { Model } from './graph.ts'
import { graphOf, modelOf, nodeOf, valueInfo } from './graph.ts'
import { graphText, modelText } from './text.ts'

function sample(): Model {
  const g = builder({ opset: 17 }, { prefix: 'c' })
  const x = g.input('x', 'float32', ['n', 8])
  const w = g.constant(new Float32Array(400), [8, 50])
  g.op('MatMul', [x, w], {}, { outputs: ['h'], name: 'project' })
  g.op('Clip', ['h', '', g.scalar(0.1)], {}, { outputs: ['k'] })
  g.op('Softmax', ['k'], { axis: -1 }, { outputs: ['p'] })
  const branch = graphOf({ nodes: [nodeOf('Neg', ['p'], ['q'])], outputs: [valueInfo('q')] })
  const flag = g.constant([1], [], 'bool')
  g.op('If', [flag], { then_branch: branch, else_branch: branch }, { outputs: ['y'] })
  g.output('y', 'float32', ['n', null])
  return modelOf(g.graph(), { producer: 'hand', metadata: { author: 'us' } })
}

test('a model is printed a line for each value and node, subgraphs indented', () => {
  assert.equal(
    modelText(sample()),
    `model "graph" (IR 8, onnx 17, by hand)
meta   author: us
input  x: float32[n, 8]
const  c/const_0: float32[8, 50]
const  c/const_1: float32[] = 0.1
const  c/const_2: bool[] = 1
h = MatMul(x, c/const_0)  # project
k = Clip(h, _, c/const_1)
p = Softmax(k) {axis: -1}
y = If(c/const_2)
  then_branch: captures p
    q = Neg(p)
    output q
  else_branch: captures p
    q = Neg(p)
    output q
output y: float32[n, ?]`,
  )
})

test('shapes are written behind values, and long graphs cut, when asked', () => {
  const shapes = new Map([['h', { type: 'float32', dims: [2, 50] } as const]])
  const text = graphText(sample().graph, { shapes, limit: 1 })
  assert.match(text, /^h: float32\[2, 50\] = MatMul/m)
  assert.match(text, /^… 3 more nodes$/m)
})

test('operators are counted with those in subgraphs', () => {
  assert.deepEqual(
    operatorCounts(sample().graph).map(({ op, count }) => `${op} ${count}`),
    ['Neg 2', 'Clip 1', 'If 1', 'MatMul 1', 'Softmax 1'],
  )
})

test('a summary measures weights and lists problems', () => {
  const summary = describeModel(sample())
  assert.deepEqual(summary.weights, {
    tensors: 3,
    elements: 402,
    bytes: 1605,
    byType: { float32: 1604, bool: 1 },
    files: [],
  })
  assert.deepEqual(summary.problems, [])
  const broken = modelOf(
    graphOf({ nodes: [nodeOf('Relu', ['x'], ['y'])], outputs: [valueInfo('y')] }),
  )
  assert.deepEqual(
    describeModel(broken).problems.map(({ message }) => message),
    ['Relu#0 -> "y" reads "x", which nothing defines'],
  )
})
