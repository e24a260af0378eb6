import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import '@tensorflow/tfjs-backend-cpu'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import { loadGraphModel } from '@tensorflow/tfjs-converter'
import * as tf from '@tensorflow/tfjs-core'
import { seededRandom } from '../../base/index.ts'
import { openSession } from '../open-session.ts'
import type { RunTensor, RunTensors } from '../session.ts'
import { SessionHost } from '../session-host.ts'
import { checkModel } from '../verify.ts'
import type { TfjsFiles } from './convert.ts'
import { convertTfjs, tfjsOperators } from './convert.ts'

const require = createRequire(import.meta.url)
const random = seededRandom(7)
const host = new SessionHost()

before(async () => {
  const wasm = dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json'))
  setWasmPaths(join(wasm, 'wasm-out') + '/')
  await tf.setBackend('cpu')
})
after(() => host.close())

interface TinyWeight {
  readonly shape: readonly number[]
  readonly values: readonly number[]
  readonly dtype?: 'float32' | 'int32'
  readonly quantization?: { readonly dtype: string; readonly scale?: number; readonly min?: number }
}

interface TinyNode {
  readonly op: string
  readonly input: readonly string[]
  readonly attr?: Readonly<Record<string, unknown>>
}

/** A graph for one rule: inputs by name, constants, nodes in order; the last node is the output. */
interface Tiny {
  readonly inputs: Readonly<
    Record<string, { readonly shape: readonly number[]; readonly dtype?: string }>
  >
  readonly weights?: Readonly<Record<string, TinyWeight>>
  readonly nodes: Readonly<Record<string, TinyNode>>
  readonly outputs?: readonly string[]
  /** Makes the elements of the inputs; default normal. */
  readonly fill?: (i: number) => number
}

const noise = (count: number): number[] => Array.from({ length: count }, () => random.normal())
const weight = (...shape: number[]): TinyWeight => ({
  shape,
  values: noise(shape.reduce((a, b) => a * b, 1)),
})
const ints = (...values: number[]): TinyWeight => ({
  shape: [values.length],
  values,
  dtype: 'int32',
})
const int = (value: number): TinyWeight => ({ shape: [], values: [value], dtype: 'int32' })

const text = (value: string): { s: string } => ({ s: Buffer.from(value).toString('base64') })
const texts = (...values: string[]): unknown => ({ list: { s: values.map((v) => text(v).s) } })
const list = (...values: number[]): unknown => ({ list: { i: values.map(String) } })
const whole = (value: number): unknown => ({ i: String(value) })
const T = { type: 'DT_FLOAT' }

const conv = (attr: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  T,
  strides: list(1, 1, 1, 1),
  dilations: list(1, 1, 1, 1),
  padding: text('SAME'),
  data_format: text('NHWC'),
  explicit_paddings: { list: {} },
  ...attr,
})

function filesOf({ inputs, weights = {}, nodes, outputs }: Tiny): TfjsFiles {
  const dims = (shape: readonly number[]): unknown => ({
    shape: { dim: shape.map((size) => ({ size: String(size) })) },
  })
  const names = outputs ?? [Object.keys(nodes).at(-1) ?? '']
  const json = {
    format: 'graph-model',
    signature: {
      inputs: Object.fromEntries(Object.keys(inputs).map((name) => [name, { name: `${name}:0` }])),
      outputs: Object.fromEntries(names.map((name) => [name, { name }])),
    },
    modelTopology: {
      node: [
        ...Object.entries(inputs).map(([name, { shape, dtype = 'DT_FLOAT' }]) => ({
          name,
          op: 'Placeholder',
          attr: { dtype: { type: dtype }, shape: dims(shape) },
        })),
        ...Object.entries(weights).map(([name, { dtype }]) => ({
          name,
          op: 'Const',
          attr: { dtype: { type: dtype === 'int32' ? 'DT_INT32' : 'DT_FLOAT' } },
        })),
        ...Object.entries(nodes).map(([name, node]) => ({ name, attr: {}, ...node })),
      ],
      library: {},
      versions: {},
    },
    weightsManifest: [
      {
        paths: ['weights.bin'],
        weights: Object.entries(weights).map(
          ([name, { shape, dtype = 'float32', quantization }]) => ({
            name,
            shape,
            dtype,
            ...(quantization && { quantization }),
          }),
        ),
      },
    ],
  }
  const parts = Object.values(weights).map(({ values, dtype, quantization }) => {
    const array = quantization
      ? quantization.dtype === 'uint8'
        ? Uint8Array.from(values)
        : Uint16Array.from(values)
      : dtype === 'int32'
        ? Int32Array.from(values)
        : Float32Array.from(values)
    return Buffer.from(array.buffer)
  })
  return { json: Buffer.from(JSON.stringify(json)), shards: [Buffer.concat(parts)] }
}

/** Runs the files in TensorFlow.js. */
async function oracle(files: TfjsFiles, feeds: RunTensors, outputs: string[]): Promise<RunTensors> {
  const json = JSON.parse(Buffer.from(files.json).toString()) as {
    modelTopology: object
    weightsManifest: { weights: tf.io.WeightsManifestEntry[] }[]
    signature?: object
    userDefinedMetadata?: object
  }
  const bytes = Uint8Array.from(Buffer.concat(files.shards))
  const model = await loadGraphModel(
    tf.io.fromMemory({
      modelTopology: json.modelTopology,
      weightSpecs: json.weightsManifest.flatMap(({ weights }) => weights),
      weightData: bytes.buffer,
      format: 'graph-model',
      ...(json.signature && { signature: json.signature }),
      ...(json.userDefinedMetadata && { userDefinedMetadata: json.userDefinedMetadata as {} }),
    }),
  )
  const given = Object.fromEntries(
    Object.entries(feeds).map(([name, { type, dims, data }]) => [
      name,
      tf.tensor(data as Float32Array, [...dims], type as 'float32' | 'int32'),
    ]),
  )
  const results = model.execute(given, outputs)
  const all = Array.isArray(results) ? results : [results]
  const found = all.map((result, i): [string, RunTensor] => [
    outputs[i] ?? '',
    {
      type: result.dtype as 'float32',
      dims: result.shape,
      data: result.dataSync() as Float32Array,
    },
  ])
  Object.values(given).forEach((tensor) => tensor.dispose())
  all.forEach((tensor) => tensor.dispose())
  model.dispose()
  return Object.fromEntries(found)
}

function compare(ours: RunTensors, theirs: RunTensors, tolerance: number): void {
  for (const [name, expected] of Object.entries(theirs)) {
    const found = ours[name]
    assert.deepEqual(found?.dims, expected.dims, `the shape of ${name}`)
    let worst = 0
    for (let i = 0; i < expected.data.length; i++) {
      const [a, b] = [Number(found?.data[i]), Number(expected.data[i])]
      worst = Math.max(worst, Math.abs(a - b) / Math.max(1, Math.abs(b)))
    }
    assert.ok(worst <= tolerance, `${name} differs by ${worst}, more than ${tolerance}`)
  }
}

async function agree(tiny: Tiny, tolerance = 1e-5): Promise<void> {
  const files = filesOf(tiny)
  const fill = tiny.fill ?? ((): number => random.normal())
  const feeds = Object.fromEntries(
    Object.entries(tiny.inputs).map(([name, { shape, dtype }]): [string, RunTensor] => {
      const size = shape.reduce((a, b) => a * b, 1)
      const values = Array.from({ length: size }, (_, i) => fill(i))
      return dtype === 'DT_INT32'
        ? [name, { type: 'int32', dims: shape, data: Int32Array.from(values) }]
        : [name, { type: 'float32', dims: shape, data: Float32Array.from(values) }]
    }),
  )
  const model = checkModel(convertTfjs(files, { name: 'tiny' }))
  await using session = await openSession(model, { thread: host })
  const outputs = session.outputs.map(({ name }) => name)
  compare(await session.run(feeds), await oracle(files, feeds, outputs), tolerance)
}

const x4 = { x: { shape: [1, 7, 6, 4] } }

const one = (
  op: string,
  attr: Readonly<Record<string, unknown>> = {},
  rest: Partial<Tiny> = {},
): Tiny => ({
  inputs: x4,
  nodes: { y: { op, input: ['x', ...Object.keys(rest.weights ?? {})], attr: { T, ...attr } } },
  ...rest,
})

const two = (op: string, rest: Partial<Tiny> = {}): Tiny => ({
  inputs: { a: { shape: [2, 3, 4] }, b: { shape: [1, 3, 1] } },
  nodes: { y: { op, input: ['a', 'b'], attr: { T } } },
  ...rest,
})

const reduction = (op: string, keep: boolean): Tiny =>
  one(op, { keep_dims: { b: keep } }, { weights: { axes: ints(1, 2) } })

const strided = (
  masks: Readonly<Record<string, number>>,
  begin: number[],
  end: number[],
  step: number[],
): Tiny =>
  one(
    'StridedSlice',
    {
      ...Object.fromEntries(
        ['begin_mask', 'end_mask', 'ellipsis_mask', 'new_axis_mask', 'shrink_axis_mask'].map(
          (name) => [name, whole(masks[name] ?? 0)],
        ),
      ),
    },
    { weights: { begin: ints(...begin), end: ints(...end), step: ints(...step) } },
  )

const cases: Readonly<Record<string, Tiny>> = {
  'Conv2D, SAME, stride 2': one('Conv2D', conv({ strides: list(1, 2, 2, 1) }), {
    weights: { w: weight(3, 3, 4, 5) },
  }),
  'Conv2D, VALID, dilated': one(
    'Conv2D',
    conv({ padding: text('VALID'), dilations: list(1, 2, 2, 1) }),
    {
      weights: { w: weight(3, 2, 4, 5) },
    },
  ),
  'Conv2D, explicit padding': one(
    'Conv2D',
    conv({ padding: text('EXPLICIT'), explicit_paddings: list(0, 0, 1, 2, 0, 1, 0, 0) }),
    { weights: { w: weight(3, 3, 4, 5) } },
  ),
  ...Object.fromEntries(
    ['Relu', 'Relu6', 'Elu', 'Sigmoid'].map((activation) => [
      `_FusedConv2D with bias and ${activation}`,
      one('_FusedConv2D', conv({ num_args: whole(1), fused_ops: texts('BiasAdd', activation) }), {
        weights: { w: weight(3, 3, 4, 5), bias: weight(5) },
      }),
    ]),
  ),
  '_FusedConv2D with LeakyRelu': one(
    '_FusedConv2D',
    conv({
      num_args: whole(1),
      fused_ops: texts('BiasAdd', 'LeakyRelu'),
      leakyrelu_alpha: { f: 0.3 },
    }),
    { weights: { w: weight(1, 1, 4, 5), bias: weight(5) } },
  ),
  '_FusedConv2D with Prelu': one(
    '_FusedConv2D',
    conv({ num_args: whole(2), fused_ops: texts('BiasAdd', 'Prelu') }),
    { weights: { w: weight(1, 1, 4, 5), bias: weight(5), slope: weight(5) } },
  ),
  DepthwiseConv2dNative: one('DepthwiseConv2dNative', conv({ strides: list(1, 2, 2, 1) }), {
    weights: { w: weight(3, 3, 4, 2) },
  }),
  FusedDepthwiseConv2dNative: one(
    'FusedDepthwiseConv2dNative',
    conv({ num_args: whole(1), fused_ops: texts('BiasAdd', 'Relu6') }),
    { weights: { w: weight(5, 3, 4, 1), bias: weight(4) } },
  ),
  ...Object.fromEntries(
    (
      [
        ['SAME', 2, 14, 11],
        ['SAME', 2, 13, 12],
        ['SAME', 1, 7, 6],
        ['VALID', 2, 15, 13],
      ] as const
    ).map(([padding, stride, h, w]): [string, Tiny] => [
      `Conv2DBackpropInput, ${padding}, stride ${stride}, to ${h}×${w}`,
      {
        inputs: x4,
        weights: { size: ints(1, h, w, 5), w: weight(3, 3, 5, 4) },
        nodes: {
          y: {
            op: 'Conv2DBackpropInput',
            input: ['size', 'w', 'x'],
            attr: conv({ padding: text(padding), strides: list(1, stride, stride, 1) }),
          },
        },
      },
    ]),
  ),
  MatMul: {
    inputs: { x: { shape: [3, 4] } },
    weights: { w: weight(4, 5) },
    nodes: { y: { op: 'MatMul', input: ['x', 'w'], attr: { T } } },
  },
  'MatMul, both transposed': {
    inputs: { x: { shape: [4, 3] } },
    weights: { w: weight(5, 4) },
    nodes: {
      y: {
        op: 'MatMul',
        input: ['x', 'w'],
        attr: { T, transpose_a: { b: true }, transpose_b: { b: true } },
      },
    },
  },
  _FusedMatMul: {
    inputs: { x: { shape: [3, 4] } },
    weights: { w: weight(4, 5), bias: weight(5) },
    nodes: {
      y: {
        op: '_FusedMatMul',
        input: ['x', 'w', 'bias'],
        attr: { T, num_args: whole(1), fused_ops: texts('BiasAdd', 'Relu') },
      },
    },
  },
  ...Object.fromEntries(
    (['align_corners', 'half_pixel_centers', 'neither'] as const).flatMap((mode) =>
      (
        [
          [14, 12],
          [5, 9],
        ] as const
      ).map(([h, w]): [string, Tiny] => [
        `ResizeBilinear, ${mode}, to ${h}×${w}`,
        one(
          'ResizeBilinear',
          mode === 'neither'
            ? { align_corners: { b: false }, half_pixel_centers: { b: false } }
            : { [mode]: { b: true } },
          { weights: { size: ints(h, w) } },
        ),
      ]),
    ),
  ),
  'MaxPool, SAME': one('MaxPool', conv({ ksize: list(1, 3, 3, 1), strides: list(1, 2, 2, 1) })),
  'MaxPool, VALID': one('MaxPool', conv({ ksize: list(1, 2, 2, 1), padding: text('VALID') })),
  'AvgPool, SAME': one('AvgPool', conv({ ksize: list(1, 3, 3, 1), strides: list(1, 2, 2, 1) })),
  Pad: one(
    'Pad',
    {},
    { weights: { pads: { shape: [4, 2], values: [0, 0, 1, 2, 0, 3, 2, 0], dtype: 'int32' } } },
  ),
  PadV2: one(
    'PadV2',
    {},
    {
      weights: {
        pads: { shape: [4, 2], values: [0, 0, 1, 0, 0, 1, 0, 0], dtype: 'int32' },
        value: { shape: [], values: [7] },
      },
    },
  ),
  ...Object.fromEntries(
    ['Mean', 'Max', 'Min', 'Sum', 'Prod'].flatMap((op) => [
      [op, reduction(op, false)],
      [`${op}, axes kept`, reduction(op, true)],
    ]),
  ),
  TopKV2: {
    inputs: { x: { shape: [2, 9] } },
    weights: { k: int(4) },
    nodes: {
      top: { op: 'TopKV2', input: ['x', 'k'], attr: { T, sorted: { b: true } } },
      rank: { op: 'Cast', input: ['top:1'], attr: { SrcT: { type: 'DT_INT32' }, DstT: T } },
      y: { op: 'AddV2', input: ['top', 'rank'], attr: { T } },
    },
  },
  GatherV2: {
    inputs: { x: { shape: [3, 5] } },
    weights: { at: ints(4, 0, 0), axis: int(1) },
    nodes: {
      y: { op: 'GatherV2', input: ['x', 'at', 'axis'], attr: { Tparams: T, batch_dims: whole(0) } },
    },
  },
  'FloorDiv and FloorMod of whole numbers': {
    inputs: { x: { shape: [12], dtype: 'DT_INT32' } },
    weights: { by: int(5) },
    nodes: {
      div: { op: 'FloorDiv', input: ['x', 'by'], attr: { T: { type: 'DT_INT32' } } },
      mod: { op: 'FloorMod', input: ['x', 'by'], attr: { T: { type: 'DT_INT32' } } },
    },
    outputs: ['div', 'mod'],
    fill: (i) => i * 3,
  },
  'StridedSlice with begin and end masks': strided(
    { begin_mask: 3, end_mask: 9 },
    [9, 9, 1, 0],
    [9, 5, 4, 9],
    [1, 1, 2, 1],
  ),
  'StridedSlice that shrinks axes': strided(
    { shrink_axis_mask: 9 },
    [0, 1, 0, 3],
    [1, 5, 6, 0],
    [1, 1, 1, 1],
  ),
  'StridedSlice backwards': strided(
    { begin_mask: 2, end_mask: 2 },
    [0, 0, 0, 3],
    [1, 0, 6, 0],
    [1, -1, 1, -2],
  ),
  Slice: one('Slice', {}, { weights: { begin: ints(0, 2, 1, 0), size: ints(1, 3, -1, 2) } }),
  SplitV: {
    inputs: x4,
    weights: { sizes: ints(2, 5), axis: int(1) },
    nodes: {
      parts: { op: 'SplitV', input: ['x', 'sizes', 'axis'], attr: { T, num_split: whole(2) } },
      y: { op: 'Identity', input: ['parts:1'], attr: { T } },
    },
  },
  Split: {
    inputs: x4,
    weights: { axis: int(3) },
    nodes: {
      parts: { op: 'Split', input: ['axis', 'x'], attr: { T, num_split: whole(2) } },
      y: { op: 'Sub', input: ['parts', 'parts:1'], attr: { T } },
    },
  },
  ConcatV2: {
    inputs: { a: { shape: [2, 3] }, b: { shape: [2, 1] } },
    weights: { axis: int(1) },
    nodes: { y: { op: 'ConcatV2', input: ['a', 'b', 'axis'], attr: { T, N: whole(2) } } },
  },
  Pack: {
    inputs: { a: { shape: [2, 3] }, b: { shape: [2, 3] } },
    nodes: { y: { op: 'Pack', input: ['a', 'b'], attr: { T, N: whole(2), axis: whole(1) } } },
  },
  Unpack: {
    inputs: { x: { shape: [2, 3, 4] } },
    nodes: {
      parts: { op: 'Unpack', input: ['x'], attr: { T, num: whole(3), axis: whole(1) } },
      y: { op: 'Sub', input: ['parts:2', 'parts'], attr: { T } },
    },
  },
  ExpandDims: one('ExpandDims', {}, { weights: { axis: int(-1) } }),
  Squeeze: {
    ...one('Squeeze', { squeeze_dims: list(0, 2) }),
    inputs: { x: { shape: [1, 3, 1, 2] } },
  },
  'Squeeze of all': {
    ...one('Squeeze', { squeeze_dims: { list: {} } }),
    inputs: { x: { shape: [1, 3, 1, 2] } },
  },
  Reshape: one('Reshape', {}, { weights: { shape: ints(-1, 14) } }),
  Transpose: one('Transpose', {}, { weights: { perm: ints(0, 3, 1, 2) } }),
  'Cast to whole numbers': one('Cast', { SrcT: T, DstT: { type: 'DT_INT32' } }),
  ArgMax: one('ArgMax', { output_type: { type: 'DT_INT32' } }, { weights: { axis: int(3) } }),
  AddN: {
    inputs: { a: { shape: [2, 3] }, b: { shape: [2, 3] }, c: { shape: [2, 3] } },
    nodes: { y: { op: 'AddN', input: ['a', 'b', 'c'], attr: { T, N: whole(3) } } },
  },
  BiasAdd: one('BiasAdd', { data_format: text('NHWC') }, { weights: { bias: weight(4) } }),
  Prelu: one('Prelu', {}, { weights: { slope: weight(4) } }),
  LeakyRelu: one('LeakyRelu', { alpha: { f: 0.15 } }),
  Equal: {
    inputs: { a: { shape: [2, 3] }, b: { shape: [2, 3] } },
    nodes: {
      same: { op: 'Equal', input: ['a', 'b'], attr: { T } },
      y: { op: 'Cast', input: ['same'], attr: { SrcT: { type: 'DT_BOOL' }, DstT: T } },
    },
    fill: (i) => i % 2,
  },
  Greater: {
    inputs: { a: { shape: [2, 3] }, b: { shape: [2, 3] } },
    nodes: {
      more: { op: 'Greater', input: ['a', 'b'], attr: { T } },
      y: { op: 'Cast', input: ['more'], attr: { SrcT: { type: 'DT_BOOL' }, DstT: T } },
    },
  },
  ...Object.fromEntries(
    ['Add', 'AddV2', 'Sub', 'Mul', 'RealDiv', 'Maximum', 'Minimum', 'SquaredDifference'].map(
      (op) => [op, two(op)],
    ),
  ),
  ...Object.fromEntries(
    [
      'Relu',
      'Relu6',
      'Elu',
      'Sigmoid',
      'Tanh',
      'Abs',
      'Square',
      'Exp',
      'Neg',
      'Floor',
      'Softmax',
      'Identity',
    ].map((op) => [op, one(op)]),
  ),
  ...Object.fromEntries(
    ['Sqrt', 'Rsqrt', 'Reciprocal', 'Log'].map((op) => [
      op,
      one(op, {}, { fill: (i) => 0.1 + (i % 9) }),
    ]),
  ),
  'SparseToDense and a sum as the shape of Reshape': {
    inputs: { x: { shape: [1, 2, 2, 3] } },
    weights: {
      at: { shape: [1], values: [0], dtype: 'int32' },
      size: ints(3),
      one: int(1),
      zero: int(0),
      others: ints(0, -1, 3),
    },
    nodes: {
      dense: {
        op: 'SparseToDense',
        input: ['at', 'size', 'one', 'zero'],
        attr: { T: { type: 'DT_INT32' }, Tindices: { type: 'DT_INT32' } },
      },
      shape: { op: 'AddV2', input: ['dense', 'others'], attr: { T: { type: 'DT_INT32' } } },
      y: { op: 'Reshape', input: ['x', 'shape'], attr: { T } },
    },
  },
  'a float16 weight': {
    ...two('Mul'),
    weights: {
      w: {
        shape: [4],
        values: [0x3c00, 0xc100, 0x0001, 0x3555],
        quantization: { dtype: 'float16' },
      },
    },
    nodes: { y: { op: 'Mul', input: ['a', 'w'], attr: { T } } },
  },
  'a uint8 weight': {
    ...two('Mul'),
    weights: {
      w: {
        shape: [4],
        values: [0, 1, 128, 255],
        quantization: { dtype: 'uint8', scale: 0.0123, min: -1.5 },
      },
    },
    nodes: { y: { op: 'Mul', input: ['a', 'w'], attr: { T } } },
  },
}

describe('each rule agrees with TensorFlow.js:', () => {
  for (const [name, tiny] of Object.entries(cases)) test(name, () => agree(tiny))

  test('and there is a case for every operator of the table', () => {
    const covered = new Set(
      Object.values(cases).flatMap(({ nodes }) => Object.values(nodes).map(({ op }) => op)),
    )
    const bare = tfjsOperators.filter(
      (op) => !covered.has(op) && op !== 'Const' && op !== 'Placeholder',
    )
    assert.deepEqual(bare, [])
  })
})

const models = join(dirname(require.resolve('@vladmandic/human')), '..', 'models')
const netFiles = (name: string): TfjsFiles => ({
  json: readFileSync(join(models, `${name}.json`)),
  shards: [readFileSync(join(models, `${name}.bin`))],
})

describe('whole nets agree with TensorFlow.js:', () => {
  before(async () => {
    await tf.setBackend('wasm')
  })

  /** A scene with edges and slopes; noise on top, so that no two scores are equal. */
  const picture = (side: number, scale: (v: number) => number): Float32Array =>
    Float32Array.from({ length: side * side * 3 }, (_, i) => {
      const [x, y, c] = [Math.floor(i / 3) % side, Math.floor(i / 3 / side), i % 3]
      const disc = Math.hypot(x - side * 0.4, y - side * 0.5) < side * 0.2 ? 90 : 0
      return scale(Math.min(255, 40 + disc * (c + 1) * 0.5 + (x / side) * 60 + random.next() * 20))
    })

  const nets = [
    { name: 'blazeface', side: 256, scale: (v: number) => v / 127.5 - 1, tolerance: 1e-4 },
    { name: 'centernet', side: 512, scale: (v: number) => v, tolerance: 1e-3 },
    { name: 'facemesh', side: 192, scale: (v: number) => v / 255, tolerance: 1e-3 },
  ]
  for (const { name, side, scale, tolerance } of nets) {
    test(name, async () => {
      const files = netFiles(name)
      const model = checkModel(convertTfjs(files, { name }))
      await using session = await openSession(model, { thread: host })
      const [input] = session.inputs
      const feeds: RunTensors = {
        [input?.name ?? '']: {
          type: 'float32',
          dims: [1, side, side, 3],
          data: picture(side, scale),
        },
      }
      const outputs = session.outputs.map((output) => output.name)
      const [ours, theirs] = [await session.run(feeds), await oracle(files, feeds, outputs)]
      const { 'tower_0/detections': detections, ...maps } = theirs
      compare(ours, maps, tolerance)
      if (detections !== undefined) sameDetections(ours['tower_0/detections'], detections)
    })
  }

  /** Rows of x1, y1, x2, y2, score, class; the order among nearly equal scores may differ. */
  function sameDetections(ours: RunTensor | undefined, theirs: RunTensor): void {
    const rows = (tensor: RunTensor | undefined): number[][] =>
      Array.from({ length: 100 }, (_, i) =>
        Array.from({ length: 6 }, (_, j) => Number(tensor?.data[i * 6 + j])),
      )
    const left = rows(theirs)
    // The last few may be others on either side, where the list of a hundred ends.
    for (const row of rows(ours).slice(0, 90)) {
      const at = left.findIndex((other) =>
        other.every((v, j) => Math.abs(v - (row[j] ?? NaN)) < 1e-3),
      )
      assert.ok(at >= 0, `no such detection: ${row.join(', ')}`)
      left.splice(at, 1)
    }
  }

  test('a value between can be made an output', async () => {
    const features = 'tower_0/extern1/BatchNorm/FusedBatchNorm'
    const model = convertTfjs(netFiles('centernet'), { name: 'centernet', alsoOutputs: [features] })
    await using session = await openSession(model, { thread: host })
    const data = picture(512, (v) => v)
    const feeds: RunTensors = {
      'tower_0/images': { type: 'float32', dims: [1, 512, 512, 3], data },
    }
    const ours = await session.run(feeds, { fetch: [features] })
    assert.deepEqual(ours[features]?.dims, [1, 16, 16, 480])
    compare(ours, await oracle(netFiles('centernet'), feeds, [features]), 1e-4)
  })
})

describe('what cannot be converted', () => {
  const refused =
    (tiny: Tiny): (() => unknown) =>
    () =>
      convertTfjs(filesOf(tiny), { name: 'tiny' })

  test('an unknown operation is named with its node and model', () => {
    assert.throws(refused(one('Bessel')), {
      code: 'E_TFJS_UNSUPPORTED',
      message:
        'The model "tiny" cannot be converted: Bessel "y" is an operation that the converter does not know.',
    })
  })

  test('a computed shape, a new axis, another layout and batched gathers are refused', () => {
    const computed: Tiny = {
      inputs: { x: { shape: [4] }, s: { shape: [2], dtype: 'DT_INT32' } },
      nodes: { y: { op: 'Reshape', input: ['x', 's'], attr: { T } } },
    }
    assert.throws(refused(computed), /Reshape "y" needs a constant as input 1, but "s" is computed/)
    assert.throws(refused(strided({ new_axis_mask: 1 }, [0], [1], [1])), /has a new_axis_mask/)
    assert.throws(
      refused(
        one('Conv2D', conv({ data_format: text('NCHW') }), { weights: { w: weight(1, 1, 4, 4) } }),
      ),
      /has the layout NCHW/,
    )
  })

  test('a cycle ends in an error', () => {
    const loop: Tiny = {
      inputs: x4,
      nodes: { a: { op: 'Relu', input: ['b'] }, b: { op: 'AddV2', input: ['a', 'x'] } },
    }
    assert.throws(refused(loop), /has a cycle at "(a|b)"/)
  })

  test('damaged files are told apart from unknown operations', () => {
    const good = filesOf(one('Relu', {}, { weights: { w: weight(3) } }))
    const json = Buffer.from('{"modelTopology": 3}')
    assert.throws(() => convertTfjs({ ...good, json }, { name: 'm' }), { code: 'E_TFJS_DAMAGED' })
    assert.throws(
      () => convertTfjs({ ...good, json: Buffer.from('{') }, { name: 'm' }),
      /"m" is no JSON/,
    )
    const shards = [Buffer.alloc(8)]
    assert.throws(
      () => convertTfjs({ ...good, shards }, { name: 'm' }),
      /needs 12 bytes for the weight "w"/,
    )
    const long = [Buffer.alloc(16)]
    assert.throws(
      () => convertTfjs({ ...good, shards: long }, { name: 'm' }),
      /uses 12 of the 16 bytes/,
    )
  })
})
