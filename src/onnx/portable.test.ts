import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOf, graphOf, nodeOf } from './graph.ts'
import { portable } from './portable.ts'
import type { Tensor } from './tensor.ts'

const big = new Uint8Array(1 << 16).fill(7)
const tensor = (name: string, storage: Tensor['storage']): Tensor => ({
  name,
  type: 'uint8',
  dims: [4],
  storage,
})
const at = { file: '/models/a.onnx', offset: 12, length: 4 }
const model = modelOf(
  graphOf({
    nodes: [
      nodeOf('Constant', [], ['c'], {
        attributes: {
          value: {
            type: 'tensor',
            value: tensor('', { kind: 'bytes', bytes: big.subarray(8, 12) }),
          },
        },
      }),
    ],
    initializers: [
      tensor('inside', { kind: 'bytes', bytes: big.subarray(0, 4) }),
      tensor('named', { kind: 'bytes', bytes: big.subarray(4, 8), at }),
      tensor('outside', { kind: 'file', at }),
    ],
  }),
)

test('views of something larger are sent alone, and what lies in a file is only named', () => {
  const sent = structuredClone(portable(model))
  const [inside, named, outside] = sent.graph.initializers.map(({ storage }) => storage)
  assert.deepEqual(inside, { kind: 'bytes', bytes: new Uint8Array(4).fill(7) })
  assert.equal(inside?.kind === 'bytes' ? inside.bytes.buffer.byteLength : 0, 4)
  assert.deepEqual(named, { kind: 'file', at })
  assert.deepEqual(outside, { kind: 'file', at })
  const value = sent.graph.nodes[0]?.attributes['value']
  const constant = value?.type === 'tensor' ? value.value.storage : undefined
  assert.equal(constant?.kind === 'bytes' ? constant.bytes.buffer.byteLength : 0, 4)
})

test('what is sent is otherwise the model as it was, which is left alone', () => {
  const before = structuredClone(model)
  const sent = portable(model)
  assert.deepEqual(sent.graph.nodes, model.graph.nodes)
  assert.deepEqual(
    sent.graph.initializers.map(({ name, type, dims }) => ({ name, type, dims })),
    model.graph.initializers.map(({ name, type, dims }) => ({ name, type, dims })),
  )
  assert.deepEqual(structuredClone(model), before)
})
