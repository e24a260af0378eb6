export type { ElementType, TypedArray } from './element-types.ts'
export { byteLengthOf, elementTypes, isFloat } from './element-types.ts'
export type { FileRange, Storage, Tensor } from './tensor.ts'
export {
  fromBfloat16,
  fromFloat16,
  sizeOf,
  tensorArray,
  tensorBytes,
  tensorNumbers,
  tensorOf,
  toBfloat16,
  toFloat16,
} from './tensor.ts'
export type { Attribute, AttributeShorthand } from './attribute.ts'
export {
  attributeOf,
  attributesOf,
  floatAttribute,
  floatsAttribute,
  graphAttribute,
  intAttribute,
  intsAttribute,
  stringAttribute,
  stringsAttribute,
  tensorAttribute,
} from './attribute.ts'
export type { Dim, Graph, Model, Node, Shapes, TensorType, ValueInfo } from './graph.ts'
export {
  consumersOf,
  graphOf,
  initializerOf,
  modelOf,
  nodeOf,
  nodeTitle,
  opsetOf,
  producerOf,
  valueInfo,
  withGraph,
  withNode,
  withParts,
} from './graph.ts'
export type { Builder, OpOptions, ReduceOp } from './builder.ts'
export { builder } from './builder.ts'
