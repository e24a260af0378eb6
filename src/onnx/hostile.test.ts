import assert from 'node:assert/strict'
import { writeFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { isFault } from '../base/index.ts'
import { builder } from './builder.ts'
import { encodeMessage } from './encode.ts'
import { graphOf, modelOf, nodeOf, valueInfo } from './graph.ts'
import type { FieldValue, Message } from './message.ts'
import { openSession } from './open-session.ts'
import { readModel } from './read-model.ts'
import { checkModel } from './verify.ts'
import { writeModel } from './write-model.ts'

/** How many damaged models each property reads; "--fuzz" as an argument reads fifty times as many. */
const runs = 400 * (process.argv.includes('--fuzz') ? 50 : 1)

const folder = await mkdtemp(join(tmpdir(), 'pupil-hostile-'))
after(() => rm(folder, { recursive: true }))

/** A model with a bit of everything: attributes of each kind, subgraphs, texts, every data list. */
function sample(): Uint8Array {
  const g = builder({ opset: 17 })
  const x = g.input('x', 'float32', ['n', 8])
  const w = g.constant(
    Float32Array.from({ length: 400 }, (_, i) => i),
    [8, 50],
  )
  const h = g.op('Relu', [g.op('MatMul', [x, w], {}, { name: 'first' })])
  const branch = (op: string): ReturnType<typeof graphOf> =>
    graphOf({ nodes: [nodeOf(op, [h], ['inner'])], outputs: [valueInfo('inner', 'float32')] })
  const [c = ''] = g.ops('Constant', [], 1, { value_ints: [1, 2, -3] })
  g.op('LeakyRelu', [h], { alpha: 0.25 })
  g.op('Cast', [c], { to: 1 })
  const flag = g.constant([1], [], 'bool')
  g.op('If', [flag], { then_branch: branch('Abs'), else_branch: branch('Neg') }, { outputs: ['y'] })
  g.output('y', 'float32', ['n', 50])
  return writeModel(modelOf(g.graph(), { metadata: { author: 'us' } }))
}

const good = sample()

/** Reads and checks; any error must be one of ours that tells what to do. */
function readOrFault(bytes: Uint8Array): void {
  try {
    checkModel(readModel(bytes))
  } catch (error) {
    assert.ok(isFault(error), `not a fault: ${String(error)}`)
    assert.equal(error.kind, 'UserFault', error.message)
    assert.ok(error.cure, `${error.code} has a way out`)
    assert.ok(error.message.length < 1000, 'the message stays short')
  }
}

describe('a damaged model gives a clear error or reads, and never crashes:', () => {
  test('cut short anywhere', () => {
    for (let length = 0; length < good.length; length++) readOrFault(good.subarray(0, length))
  })

  test('bytes overwritten', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        (changes) => {
          const bytes = good.slice()
          for (const [at, value] of changes) bytes[at] = value
          readOrFault(bytes)
        },
      ),
      { numRuns: runs },
    )
  })

  test('pieces inserted, doubled and left out', () => {
    fc.assert(
      fc.property(
        fc.nat(good.length),
        fc.nat(good.length),
        fc.uint8Array({ maxLength: 20 }),
        (a, b, junk) => {
          readOrFault(Buffer.concat([good.subarray(0, a), junk, good.subarray(b)]))
        },
      ),
      { numRuns: runs },
    )
  })

  test('bytes that never were a model', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), readOrFault), { numRuns: runs })
  })

  test('the same from a file', async () => {
    const path = join(folder, 'damaged.onnx')
    for (const length of [0, 1, 100, 1000, good.length - 1]) {
      await writeFile(path, good.subarray(0, length))
      assert.throws(
        () => checkModel(readModel(path)),
        (error) => isFault(error),
      )
    }
  })
})

const message = (fields: Readonly<Record<string, FieldValue>>): Message => ({ fields })

/** A model with one tensor, or one graph, as a message of our own making. */
const withGraph = (graph: Readonly<Record<string, FieldValue>>): Uint8Array =>
  encodeMessage(
    'Model',
    message({
      ir_version: 8,
      graph: message(graph),
      opset_import: [message({ domain: '', version: 17 })],
    }),
  )
const withTensor = (tensor: Readonly<Record<string, FieldValue>>): Uint8Array =>
  withGraph({ initializer: [message({ data_type: 1, name: 'w', ...tensor })] })

const header = (number: number, length: number): Uint8Array => {
  const bytes = [number * 8 + 2]
  let left = length
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128)
  return Uint8Array.from([...bytes, left])
}

/** A model with these bytes as its graph. */
const wrapped = (graph: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.of(8, 8), header(7, graph.length), graph])

describe('sizes that lie', () => {
  test('are refused by name before anything is allocated', () => {
    const cases: readonly (readonly [Readonly<Record<string, FieldValue>>, RegExp])[] = [
      [{ dims: [2 ** 40], raw_data: new Uint8Array(8) }, /"w" needs 4398046511104 bytes/],
      [{ dims: [2 ** 40, 2 ** 40] }, /"w" has more elements than can be/],
      [{ dims: [2n ** 62n] }, /"w" has the size 4611686018427387904/],
      [{ dims: [-1], raw_data: new Uint8Array(4) }, /"w" has the size -1/],
      [{ dims: [3], raw_data: new Uint8Array(8) }, /needs 12 bytes for \[3\] float32 but has 8/],
      [
        { dims: [1], data_type: 99, raw_data: new Uint8Array(4) },
        /the element type 99, which is unknown/,
      ],
      [{ dims: [1], int64_data: [1] }, /is float32 but its data are int64_data/],
      [
        { dims: [1], raw_data: new Uint8Array(4), float_data: new Uint8Array(4) },
        /has its data twice/,
      ],
    ]
    const before = process.memoryUsage().rss
    for (const [tensor, text] of cases) {
      assert.throws(() => readModel(withTensor(tensor)), { code: 'E_ONNX_TENSOR', message: text })
    }
    assert.ok(process.memoryUsage().rss - before < 64e6)
  })

  test('and files of nothing but empty nodes or numbers stay within bounds', () => {
    // Two bytes each: a node without anything in it.
    const nodes = new Uint8Array(8e6)
    for (let i = 0; i < nodes.length; i += 2) nodes[i] = 10
    assert.throws(() => readModel(wrapped(nodes)), {
      code: 'E_ONNX_DAMAGED',
      message: /there is more in it than any model has/,
    })
    const tensor = encodeMessage(
      'Tensor',
      message({ name: 'w', data_type: 3, dims: [1e6], int32_data: new Int32Array(1e6) }),
    )
    const read = readModel(wrapped(Buffer.concat([header(5, tensor.length), tensor])))
    assert.equal(read.graph.initializers[0]?.dims[0], 1e6)
    const before = process.memoryUsage().arrayBuffers
    assert.ok(before < 200e6, `${before} bytes of arrays`)
  })

  test('of a field are told with byte offset, node and tensor', () => {
    const bytes = encodeMessage(
      'Model',
      message({
        ir_version: 8,
        graph: message({
          node: [
            message({
              op_type: 'Constant',
              name: 'the_node',
              attribute: [message({ t: message({ name: 'w', raw_data: new Uint8Array(9) }) })],
            }),
          ],
        }),
      }),
    )
    // The last length of the file is that of raw_data, right before its nine bytes.
    bytes[bytes.length - 10] = 100
    assert.throws(() => readModel(bytes), {
      code: 'E_ONNX_DAMAGED',
      message: `This is no ONNX model, or it is damaged: at byte ${bytes.length - 9} of ${bytes.length} (Graph > Node 0 "the_node" > Attribute 0 > Tensor "w"), raw_data says 100 bytes but 9 are left.`,
    })
  })
})

describe('graphs that cannot be', () => {
  const invalid = (graph: Parameters<typeof graphOf>[0], text: RegExp): void => {
    assert.throws(() => checkModel(readModel(writeModel(modelOf(graphOf(graph))))), {
      code: 'E_ONNX_INVALID',
      message: text,
    })
  }
  const y = [valueInfo('y', 'float32')]

  test('cycles, missing values, doubled names and missing outputs are named', () => {
    const cycle = [
      nodeOf('Add', ['x', 'b'], ['a']),
      nodeOf('Neg', ['a'], ['b']),
      nodeOf('Neg', ['b'], ['y']),
    ]
    const x = [valueInfo('x', 'float32')]
    invalid(
      { inputs: x, nodes: cycle, outputs: y },
      /Add#0 -> "a" and Neg#1 -> "b" depend on each other/,
    )
    invalid(
      { inputs: x, nodes: [nodeOf('Add', ['x', 'w'], ['y'])], outputs: y },
      /reads "w", which nothing defines/,
    )
    const twice = [nodeOf('Neg', ['x'], ['y']), nodeOf('Abs', ['x'], ['y'])]
    invalid(
      { inputs: x, nodes: twice, outputs: y },
      /"y" is defined twice, by Neg#0 -> "y" and Abs#1 -> "y"/,
    )
    invalid({ inputs: x, nodes: [], outputs: y }, /nothing makes the output "y"/)
  })

  test('subgraphs nested without end are refused', () => {
    let graph: Message = message({ name: 'innermost' })
    for (let i = 0; i < 40; i++) {
      graph = message({
        node: [message({ attribute: [message({ name: 'g', g: graph, type: 5 })] })],
      })
    }
    assert.throws(() => readModel(withGraph(graph.fields)), {
      code: 'E_ONNX_DAMAGED',
      message: /messages nest deeper than 64/,
    })
  })

  test('names that JavaScript knows are names like any other', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const graph = graphOf({
      inputs: [valueInfo('__proto__', 'float32', [1])],
      nodes: names.slice(1).map((name, i) => nodeOf('Neg', [names[i] ?? ''], [name])),
      outputs: [valueInfo('hasOwnProperty', 'float32', [1])],
    })
    const read = checkModel(
      readModel(writeModel(modelOf(graph, { metadata: { ['__proto__']: 'x' } }))),
    )
    assert.deepEqual(
      read.graph.nodes.map(({ outputs }) => outputs),
      [['constructor'], ['toString'], ['hasOwnProperty']],
    )
    const bad = withGraph({
      node: [
        message({
          op_type: 'constructor',
          output: ['y'],
          attribute: [message({ name: '__proto__', i: 1, type: 2 })],
        }),
      ],
      output: [message({ name: 'y' })],
    })
    assert.throws(() => checkModel(readModel(bad)), {
      code: 'E_ONNX_INVALID',
      message: /is unknown/,
    })
  })

  test('versions outside 3 to 13 are refused', () => {
    for (const version of [0, 2, 14, 2n ** 60n]) {
      const bytes = encodeMessage('Model', message({ ir_version: version, graph: message({}) }))
      assert.throws(() => readModel(bytes), { code: 'E_ONNX_REFUSED', message: /IR version/ })
    }
    const none = encodeMessage('Model', message({ ir_version: 8 }))
    assert.throws(() => readModel(none), {
      code: 'E_ONNX_REFUSED',
      message: 'The model has no graph.',
    })
  })
})

test('what passes the check is either run or refused by the runtime with its reason', async () => {
  const random = fc.sample(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { numRuns: 60, seed: 5 })
  let opened = 0
  for (const [at, value] of random) {
    const bytes = good.slice()
    bytes[at] = value
    let model
    try {
      model = checkModel(readModel(bytes))
    } catch {
      continue
    }
    try {
      await using session = await openSession(model, { thread: 'here' })
      opened += session.inputs.length > 0 ? 1 : 0
    } catch (error) {
      assert.ok(isFault(error) && error.code === 'E_ONNX_REFUSED')
    }
  }
  assert.ok(opened > 0, 'some changes do no harm')
})
