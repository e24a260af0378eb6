import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import protobuf from 'protobufjs'
import { decodeMessage } from './decode.ts'
import { encodeMessage } from './encode.ts'
import { readModel } from './read-model.ts'
import { memorySource } from './source.ts'
import { tensorNumbers } from './tensor.ts'
import { writeModel } from './write-model.ts'

/** The protocol as protobufjs reads it: an oracle that shares nothing with our codec. */
const { root } = protobuf.parse(
  `syntax = "proto2";
  message Model { optional int64 ir_version = 1; optional string producer_name = 2;
    optional string producer_version = 3; optional string domain = 4; optional int64 model_version = 5;
    optional string doc_string = 6; optional Graph graph = 7; repeated OperatorSetId opset_import = 8;
    repeated Entry metadata_props = 14; }
  message OperatorSetId { optional string domain = 1; optional int64 version = 2; }
  message Entry { optional string key = 1; optional string value = 2; }
  message Graph { repeated Node node = 1; optional string name = 2; repeated Tensor initializer = 5;
    optional string doc_string = 10; repeated ValueInfo input = 11; repeated ValueInfo output = 12;
    repeated ValueInfo value_info = 13; }
  message Node { repeated string input = 1; repeated string output = 2; optional string name = 3;
    optional string op_type = 4; repeated Attribute attribute = 5; optional string doc_string = 6;
    optional string domain = 7; optional string overload = 8; repeated Entry metadata_props = 9; }
  message Attribute { optional string name = 1; optional float f = 2; optional int64 i = 3;
    optional bytes s = 4; optional Tensor t = 5; optional Graph g = 6; repeated float floats = 7;
    repeated int64 ints = 8; repeated bytes strings = 9; repeated Tensor tensors = 10;
    repeated Graph graphs = 11; optional string doc_string = 13; optional int32 type = 20;
    optional string ref_attr_name = 21; }
  message Tensor { repeated int64 dims = 1; optional int32 data_type = 2;
    repeated float float_data = 4 [packed = true]; repeated int32 int32_data = 5 [packed = true];
    repeated bytes string_data = 6; repeated int64 int64_data = 7 [packed = true];
    optional string name = 8; optional bytes raw_data = 9;
    repeated double double_data = 10 [packed = true]; repeated uint64 uint64_data = 11 [packed = true];
    optional string doc_string = 12; repeated Entry external_data = 13;
    optional int32 data_location = 14; repeated Entry metadata_props = 16; }
  message ValueInfo { optional string name = 1; optional Type type = 2; optional string doc_string = 3; }
  message Type { optional TensorType tensor_type = 1; optional string denotation = 6; }
  message TensorType { optional int32 elem_type = 1; optional Shape shape = 2; }
  message Shape { repeated Dim dim = 1; }
  message Dim { optional int64 dim_value = 1; optional string dim_param = 2; optional string denotation = 3; }`,
  { keepCase: true },
)
const oracle = root.lookupType('Model')

/** An int64 in the form that protobufjs takes. */
const long = (value: bigint): protobuf.Long => {
  const { Long } = protobuf.util as unknown as { Long: { fromString(text: string): protobuf.Long } }
  return Long.fromString(value.toString())
}

const name = fc.string({ maxLength: 12, unit: 'grapheme' })
const int64 = fc.oneof(
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  fc.bigInt(-300n, 300n),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n, 2n ** 53n - 1n, 2n ** 49n, -1n, 0n),
)
const float = fc.float({ noNaN: true })
const sparse = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>
const list = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(item, { maxLength: 4, minLength: 1 })

const tensor = fc.oneof(
  fc.array(float, { maxLength: 9 }).map((data) => ({
    dims: [long(BigInt(data.length))],
    data_type: 1,
    float_data: data,
    name: 'floats',
  })),
  fc.uint8Array({ maxLength: 30 }).map((raw) => ({
    dims: [long(BigInt(raw.length))],
    data_type: 2,
    raw_data: raw,
  })),
  fc.array(int64, { maxLength: 9 }).map((data) => ({
    dims: [long(BigInt(data.length))],
    data_type: 7,
    int64_data: data.map(long),
  })),
  fc.array(fc.double({ noNaN: true }), { maxLength: 5 }).map((data) => ({
    dims: [long(BigInt(data.length))],
    data_type: 11,
    double_data: data,
  })),
  fc.array(fc.integer({ min: -128, max: 127 }), { maxLength: 9 }).map((data) => ({
    dims: [long(BigInt(data.length))],
    data_type: 3,
    int32_data: data,
  })),
  fc.array(fc.string(), { maxLength: 3 }).map((data) => ({
    dims: [long(BigInt(data.length))],
    data_type: 8,
    string_data: data.map((text) => Buffer.from(text)),
  })),
)
const attribute = fc
  .oneof(
    float.map((f) => ({ f, type: 1 })),
    int64.map((i) => ({ i: long(i), type: 2 })),
    fc.uint8Array({ maxLength: 9 }).map((s) => ({ s, type: 3 })),
    tensor.map((t) => ({ t, type: 4 })),
    list(float).map((floats) => ({ floats, type: 6 })),
    list(int64).map((ints) => ({ ints: ints.map(long), type: 7 })),
    list(fc.uint8Array({ maxLength: 5 })).map((strings) => ({ strings, type: 8 })),
  )
  .chain((value) => name.map((title) => ({ name: title, ...value })))
const node = sparse({
  input: list(name),
  output: list(name),
  name,
  op_type: name,
  attribute: fc.uniqueArray(attribute, { maxLength: 3, minLength: 1, selector: (a) => a.name }),
  doc_string: name,
  domain: name,
  overload: name,
  metadata_props: list(sparse({ key: name, value: name })),
})
const dim = fc.oneof(
  int64.map((value) => ({ dim_value: long(value) })),
  name.map((dim_param) => ({ dim_param })),
  fc.constant({}),
)
const info = sparse({
  name,
  type: sparse({
    tensor_type: sparse({
      elem_type: fc.constantFrom(0, 1, 7, 10, 16, 99),
      shape: fc.oneof(
        fc.constant({}),
        list(dim).map((dims) => ({ dim: dims })),
      ),
    }),
    denotation: name,
  }),
  doc_string: name,
})
const model = fc.record({
  ir_version: fc.integer({ min: 4, max: 13 }).map((v) => long(BigInt(v))),
  producer_name: fc.option(name, { nil: undefined }),
  model_version: fc.option(int64.map(long), { nil: undefined }),
  graph: sparse({
    node: list(node),
    name,
    initializer: list(tensor),
    doc_string: name,
    input: list(info),
    output: list(info),
    value_info: list(info),
  }),
  opset_import: fc.uniqueArray(
    fc.record({
      domain: name,
      version: fc.integer({ min: 1, max: 30 }).map((v) => long(BigInt(v))),
    }),
    { maxLength: 3, minLength: 1, selector: (set) => set.domain },
  ),
})

/** What the oracle writes; absent fields stay absent. */
function written(value: object): Uint8Array {
  const clean = JSON.stringify(value) === undefined ? {} : value
  const fields = Object.fromEntries(Object.entries(clean).filter(([, v]) => v !== undefined))
  return Uint8Array.from(oracle.encode(oracle.create(fields)).finish())
}

describe('the codec against protobufjs', () => {
  test('what protobufjs wrote comes back byte for byte from our messages', () => {
    fc.assert(
      fc.property(model, (value) => {
        const bytes = written(value)
        const ours = encodeMessage('Model', decodeMessage('Model', memorySource(bytes)))
        assert.deepEqual(Buffer.from(ours), Buffer.from(bytes))
      }),
      { numRuns: 300 },
    )
  })

  test('and from our models, which initialisers that are inputs would change', () => {
    fc.assert(
      fc.property(model, (value) => {
        const tensors = new Set(
          (value.graph.initializer ?? []).map((t) => ('name' in t ? t.name : '')),
        )
        fc.pre((value.graph.input ?? []).every((input) => !tensors.has(input.name ?? '')))
        const bytes = written(value)
        assert.deepEqual(Buffer.from(writeModel(readModel(bytes))), Buffer.from(bytes))
      }),
      { numRuns: 300 },
    )
  })

  test('protobufjs reads the same values from what we write after an edit', () => {
    fc.assert(
      fc.property(model, (value) => {
        const read = readModel(written(value))
        const edited = {
          ...read,
          graph: { ...read.graph, nodes: read.graph.nodes.map((n) => ({ ...n })) },
        }
        const back = oracle.toObject(oracle.decode(writeModel(edited)), {
          longs: String,
          bytes: String,
        })
        const nodes = (back.graph?.node ?? []) as { op_type?: string; input?: string[] }[]
        assert.deepEqual(
          nodes.map((n) => [n.op_type ?? '', n.input ?? []]),
          read.graph.nodes.map((n) => [n.op, [...n.inputs]]),
        )
      }),
      { numRuns: 100 },
    )
  })
})

/** One field by hand: its tag and what follows. */
const field = (number: number, wire: number, ...bytes: number[]): number[] => [
  number * 8 + wire,
  ...bytes,
]
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]
const chunk = (number: number, bytes: readonly number[]): number[] => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
]
const roundTrip = (bytes: readonly number[]): number[] => [
  ...encodeMessage('Model', decodeMessage('Model', memorySource(Uint8Array.from(bytes)))),
]

describe('the codec by hand', () => {
  test('keeps unknown fields in their place among the known ones', () => {
    const bytes = [
      ...field(1, 0, 8),
      ...chunk(2, [65]),
      ...varint(9 * 8),
      ...varint(1234567),
      ...[...varint(12 * 8 + 1), 1, 2, 3, 4, 5, 6, 7, 8],
      ...[...varint(13 * 8 + 5), 1, 2, 3, 4],
      ...chunk(14, chunk(1, [66])),
      ...chunk(200, [7, 7, 7]),
    ]
    assert.deepEqual(roundTrip(bytes), bytes)
  })

  test('writes repeated numbers packed or one by one, as they came', () => {
    // Tensor: dims packed (they should not be), float_data and int64_data one by one (they should be packed).
    const tensorBytes = [
      ...chunk(1, [2, 1]),
      ...field(2, 0, 1),
      ...field(4, 5, 0, 0, 128, 63),
      ...field(4, 5, 0, 0, 0, 64),
    ]
    const bytes = [
      ...field(1, 0, 8),
      ...chunk(7, chunk(5, tensorBytes)),
      ...chunk(8, field(2, 0, 17)),
    ]
    assert.deepEqual(roundTrip(bytes), bytes)
    const [tensor] = readModel(Uint8Array.from(bytes)).graph.initializers
    assert.deepEqual([...tensorNumbers(tensor!)], [1, 2])
    assert.deepEqual(tensor?.dims, [2, 1])
  })

  test('keeps long lists of whole numbers as they are, negative and large ones too', () => {
    for (const [kind, values] of [
      ['int32_data', Int32Array.from({ length: 70_000 }, (_, i) => (i % 3) - 1)],
      ['int64_data', BigInt64Array.from({ length: 70_000 }, (_, i) => BigInt(i) ** 4n - 5n)],
      [
        'uint64_data',
        BigUint64Array.from({ length: 70_000 }, (_, i) => 2n ** 64n - BigInt(i) - 1n),
      ],
    ] as const) {
      const bytes = encodeMessage('Tensor', { fields: { [kind]: values } })
      const message = decodeMessage('Tensor', memorySource(bytes))
      assert.deepEqual(message.fields[kind], values)
      assert.deepEqual(Buffer.from(encodeMessage('Tensor', message)), Buffer.from(bytes))
    }
  })

  test('keeps scalars absent that were absent, and empty ones that were there', () => {
    const bytes = [
      ...field(1, 0, 8),
      ...chunk(2, []),
      ...chunk(7, [...chunk(1, chunk(3, [])), ...chunk(2, [])]),
    ]
    assert.deepEqual(roundTrip(bytes), bytes)
    assert.deepEqual([...writeModel(readModel(Uint8Array.from(bytes)))], bytes)
  })

  test('reads negative and large whole numbers of every width', () => {
    const minusOne = [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]
    const message = decodeMessage(
      'Attribute',
      memorySource(Uint8Array.from([...field(3, 0, ...minusOne), ...[160, 1, ...minusOne]])),
    )
    assert.deepEqual(message.fields, { i: -1, type: -1 })
    const largest = [255, 255, 255, 255, 255, 255, 255, 255, 127]
    const { fields } = decodeMessage(
      'Attribute',
      memorySource(Uint8Array.from(field(3, 0, ...largest))),
    )
    assert.equal(fields.i, 2n ** 63n - 1n)
  })
})
