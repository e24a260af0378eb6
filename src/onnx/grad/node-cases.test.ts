import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { seededRandom } from '../../base/index.ts'
import { builder } from '../builder.ts'
import { withInputShapes } from '../edit/outputs.ts'
import type { ElementType } from '../element-types.ts'
import { elementTypeOf, elementTypes, isFloat } from '../element-types.ts'
import type { Graph, Model } from '../graph.ts'
import { opsetOf, withGraph, withParts } from '../graph.ts'
import { lowerGraph } from '../lower/lower.ts'
import { openSession } from '../open-session.ts'
import { readModel } from '../read-model.ts'
import { evaluate, shapesOf } from '../reference/evaluate.ts'
import type { Nd } from '../reference/nd.ts'
import { tensorOf } from '../tensor.ts'
import type { RunTensor, RunTensors } from '../session.ts'
import { writeModel } from '../write-model.ts'
import { centralDifferences, relativeError } from './check-gradient.ts'
import { gradient } from './gradient.ts'
import { ruleOf } from './rules/table.ts'

type Packed = readonly [type: number, dims: readonly number[], base64: string]

interface NodeCase {
  readonly model: string
  readonly inputs: readonly Packed[]
  readonly outputs: readonly Packed[]
}

const path = join(import.meta.dirname, '../../../test/fixtures/onnx/node-cases.json.gz')
const cases = JSON.parse(gunzipSync(readFileSync(path)).toString()) as Record<string, NodeCase>

/** Cases whose operands lie on kinks or ties, where differences say nothing, with the reason. */
const kinks: Readonly<Record<string, string>> = {
  test_elu_example: 'one operand is 0, the kink',
  test_leakyrelu_example: 'one operand is 0, the kink',
  test_selu_example: 'one operand is 0, the kink',
  test_reduce_min_default_axes_keepdims_example: 'two operands tie',
  test_reshape_allowzero_reordered: 'there are no elements',
  test_resize_downsample_scales_cubic_antialias:
    'the reference has no antialiasing; see the adjoint',
}

/** Forms without a gradient: they are refused by name. */
const refused = new Set([
  'test_scatter_elements_with_reduction_max',
  'test_scatternd_max',
  'test_scatternd_min',
])

/** Where the runtime itself differs from ONNX. */
const differs: Readonly<Record<string, string>> = {
  test_resize_downsample_scales_cubic_align_corners:
    'the runtime takes the given factor, not the sizes',
}

function unpack([type, dims, base64]: Packed): RunTensor {
  const name = elementTypeOf(type) as ElementType
  const { buffer } = new Uint8Array(Buffer.from(base64, 'base64'))
  return { type: name, dims, data: new elementTypes[name].array(buffer) }
}

function toNd({ type, dims, data }: RunTensor): Nd {
  return { type, dims, data: Float64Array.from(data as Iterable<number>, Number) }
}

/** Inputs that are no floats become constants, as rules need to know axes and indices. */
function settled(graph: Graph, feeds: RunTensors): Graph {
  const fixed = Object.entries(feeds).filter(
    ([name, { type }]) => !isFloat(type) || constantOperand(graph, name),
  )
  const names = new Set(fixed.map(([name]) => name))
  return withParts(graph, {
    inputs: graph.inputs.filter(({ name }) => !names.has(name)),
    initializers: [
      ...graph.initializers,
      ...fixed.map(([name, { type, dims, data }]) =>
        tensorOf(name, type, data as Float32Array, dims),
      ),
    ],
  })
}

async function checkForward(model: Model, feeds: RunTensors, one: NodeCase): Promise<void> {
  await using session = await openSession(readModel(writeModel(model)), { thread: 'here' })
  const results = await session.run(feeds)
  model.graph.outputs.forEach(({ name }, i) => {
    const want = unpack(one.outputs[i] as Packed)
    assert.deepEqual(results[name]?.dims, want.dims, name)
    const [got, due] = [results[name], want].map((tensor) =>
      Array.from(tensor?.data as Iterable<number>, Number),
    ) as [number[], number[]]
    // Infinities are equal or wrong; what is left is compared by size.
    const finite = due.map((_, k) => k).filter((k) => got[k] !== due[k])
    const error = relativeError(
      finite.map((k) => got[k] ?? NaN),
      finite.map((k) => due[k] ?? NaN),
    )
    assert.ok(finite.length === 0 || error < 1e-3, `${name} is off by ${error}`)
  })
}

async function checkGradient(model: Model, feeds: RunTensors): Promise<void> {
  const random = seededRandom('nodes')
  const sized = settled(
    withInputShapes(
      model.graph,
      Object.fromEntries(Object.entries(feeds).map(([name, { dims }]) => [name, dims])),
    ),
    feeds,
  )
  const floats = Object.entries(feeds).filter(
    ([name, { type }]) => isFloat(type) && !constantOperand(model.graph, name),
  )
  const operands = Object.fromEntries(floats.map(([name, tensor]) => [name, toNd(tensor)]))
  const lowered = lowerGraph(sized)
  const output = model.graph.outputs[0]?.name ?? ''
  const dims = evaluate(lowered, operands).get(output)?.dims ?? []
  const b = builder(lowered)
  const weights = Float32Array.from({ length: dims.reduce((n, d) => n * d, 1) }, () =>
    random.normal(),
  )
  const loss = b.op('ReduceSum', [b.op('Mul', [output, b.constant(weights, dims)])], {
    keepdims: 0,
  })
  const graph = b.graph()
  const shapes = shapesOf(evaluate(graph, operands))
  const wrt = floats.map(([name]) => name)
  const made = gradient(graph, { loss, wrt, shapes })
  const want = centralDifferences(graph, loss, operands, wrt, 1e-4)
  await using session = await openSession(withGraph(model, made.graph), { thread: 'here' })
  const results = await session.run(Object.fromEntries(floats))
  const got = wrt.flatMap((name) => [
    ...(results[made.gradients[name] ?? '']?.data as Float32Array),
  ])
  const error = relativeError(got, want)
  assert.ok(error < 1e-3, `the gradient is off by ${error}`)
}

/** Operands that are settings, not data: bounds, fills, factors, statistics. */
function constantOperand(graph: Graph, name: string): boolean {
  const node = graph.nodes[0]
  const settings: Readonly<Record<string, readonly number[]>> = {
    Clip: [1, 2],
    Pad: [2],
    Dropout: [1],
    Resize: [1, 2],
    BatchNormalization: [3, 4],
    RotaryEmbedding: [1, 2],
  }
  const i = node?.inputs.indexOf(name) ?? -1
  return settings[node?.op ?? '']?.includes(i) ?? false
}

describe('node cases of ONNX', () => {
  for (const [name, one] of Object.entries(cases)) {
    const model = readModel(new Uint8Array(Buffer.from(one.model, 'base64')))
    const node = model.graph.nodes[0]
    const names = model.graph.inputs.map((input) => input.name)
    const feeds = Object.fromEntries(
      one.inputs.map((packed, i) => [names[i] ?? '', unpack(packed)]),
    )

    if (name in differs) {
      test(`${name}: ${differs[name]}`, () => assert.rejects(checkForward(model, feeds, one)))
    } else {
      test(`${name} through our writer`, () => checkForward(model, feeds, one))
    }

    const ruled =
      ruleOf(node?.op ?? '', node?.domain ?? '') !== undefined && opsetOf(model.graph) >= 16
    if (ruled && !(name in kinks) && isFloat((feeds[names[0] ?? ''] as RunTensor).type)) {
      test(`${name} ${refused.has(name) ? 'refused' : 'differentiated'}`, async () => {
        if (refused.has(name))
          await assert.rejects(checkGradient(model, feeds), { code: 'E_GRAD_OP' })
        else await checkGradient(model, feeds)
      })
    }
  }

  test('what is left out of the differences is named with its reason, and exists', () => {
    for (const name of [...Object.keys(kinks), ...Object.keys(differs), ...refused]) {
      assert.ok(name in cases, name)
    }
  })
})
