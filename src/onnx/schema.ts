/**
 * The messages of ONNX as a table: number, name, kind.
 *
 * A star means repeated, a plus repeated and packed. Kinds: `int` (64-bit varint), `int32`, `uint`
 * (64-bit, unsigned), `float`, `double`, `text` (UTF-8), `bytes`, or another message. Documentation
 * and what we only carry along (training, quantisation notes, type protos) is `bytes`.
 */
const table = {
  Model:
    '1 ir_version int, 2 producer_name text, 3 producer_version text, 4 domain text, 5 model_version int, ' +
    '6 doc_string bytes, 7 graph Graph, 8 opset_import* OperatorSetId, 14 metadata_props* Entry, ' +
    '20 training_info* bytes, 25 functions* Function, 26 configuration* bytes',
  Graph:
    '1 node* Node, 2 name text, 5 initializer* Tensor, 10 doc_string bytes, 11 input* ValueInfo, ' +
    '12 output* ValueInfo, 13 value_info* ValueInfo, 14 quantization_annotation* bytes, ' +
    '15 sparse_initializer* SparseTensor, 16 metadata_props* Entry',
  Node:
    '1 input* text, 2 output* text, 3 name text, 4 op_type text, 5 attribute* Attribute, 6 doc_string bytes, ' +
    '7 domain text, 8 overload text, 9 metadata_props* Entry, 10 device_configurations* bytes',
  Attribute:
    '1 name text, 2 f float, 3 i int, 4 s bytes, 5 t Tensor, 6 g Graph, 7 floats* float, 8 ints* int, ' +
    '9 strings* bytes, 10 tensors* Tensor, 11 graphs* Graph, 13 doc_string bytes, 14 tp bytes, ' +
    '15 type_protos* bytes, 20 type int32, 21 ref_attr_name text, 22 sparse_tensor SparseTensor, ' +
    '23 sparse_tensors* SparseTensor',
  Tensor:
    '1 dims* int, 2 data_type int32, 3 segment bytes, 4 float_data+ float, 5 int32_data+ int32, ' +
    '6 string_data* bytes, 7 int64_data+ int, 8 name text, 9 raw_data bytes, 10 double_data+ double, ' +
    '11 uint64_data+ uint, 12 doc_string bytes, 13 external_data* Entry, 14 data_location int32, ' +
    '16 metadata_props* Entry',
  SparseTensor: '1 values Tensor, 2 indices Tensor, 3 dims* int',
  ValueInfo: '1 name text, 2 type Type, 3 doc_string bytes, 4 metadata_props* Entry',
  Type:
    '1 tensor_type TensorType, 4 sequence_type bytes, 5 map_type bytes, 6 denotation text, ' +
    '8 sparse_tensor_type bytes, 9 optional_type bytes',
  TensorType: '1 elem_type int32, 2 shape Shape',
  Shape: '1 dim* Dim',
  Dim: '1 dim_value int, 2 dim_param text, 3 denotation text',
  Function:
    '1 name text, 4 input* text, 5 output* text, 6 attribute* text, 7 node* Node, 8 doc_string bytes, ' +
    '9 opset_import* OperatorSetId, 10 domain text, 11 attribute_proto* Attribute, ' +
    '12 value_info* ValueInfo, 13 overload text, 14 metadata_props* Entry',
  OperatorSetId: '1 domain text, 2 version int',
  Entry: '1 key text, 2 value text',
} as const

export type MessageType = keyof typeof table

export type ScalarKind = 'int' | 'int32' | 'uint' | 'float' | 'double' | 'text' | 'bytes'

export interface FieldSchema {
  readonly number: number
  readonly name: string
  readonly kind: ScalarKind | MessageType
  readonly repeated: boolean
  readonly packed: boolean
}

export interface MessageSchema {
  readonly type: MessageType
  /** By number, ascending. */
  readonly fields: ReadonlyMap<number, FieldSchema>
}

function parseFields(text: string): ReadonlyMap<number, FieldSchema> {
  return new Map(
    text.split(', ').map((line) => {
      const [number = '', name = '', kind = ''] = line.split(' ')
      const repeated = name.endsWith('*') || name.endsWith('+')
      const field: FieldSchema = {
        number: Number(number),
        name: repeated ? name.slice(0, -1) : name,
        kind: kind as FieldSchema['kind'],
        repeated,
        packed: name.endsWith('+'),
      }
      return [field.number, field]
    }),
  )
}

/** The schema of each message. */
export const schemas: { readonly [K in MessageType]: MessageSchema } = Object.freeze(
  Object.fromEntries(
    Object.entries(table).map(([type, text]) => [type, { type, fields: parseFields(text) }]),
  ) as { [K in MessageType]: MessageSchema },
)

/** True for the kinds that are messages themselves. */
export function isMessageType(kind: FieldSchema['kind']): kind is MessageType {
  return kind in table
}
