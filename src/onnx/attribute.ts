import { expected } from '../base/index.ts'
import type { Graph, Node } from './graph.ts'
import type { Message } from './message.ts'
import type { Tensor } from './tensor.ts'

interface AttributeValues {
  readonly float: number
  readonly int: number | bigint
  /** Text; bytes where they are no UTF-8. */
  readonly string: string | Uint8Array
  readonly tensor: Tensor
  readonly graph: Graph
  readonly floats: readonly number[]
  readonly ints: readonly (number | bigint)[]
  readonly strings: readonly (string | Uint8Array)[]
  readonly tensors: readonly Tensor[]
  readonly graphs: readonly Graph[]
  /** A reference, a type or a sparse tensor, as the file says it. */
  readonly other: Message
}

export type AttributeType = keyof AttributeValues

/** The value of an attribute with its type. */
export type Attribute = {
  readonly [K in AttributeType]: {
    readonly type: K
    readonly value: AttributeValues[K]
    readonly rest?: Message
  }
}[AttributeType]

/** Names that hold a float, whatever number is given for them; the others hold a float only for a fraction. */
const floatNames: ReadonlySet<string> = new Set(
  (
    'alpha beta gamma epsilon momentum scale softcap bias lambd ratio high low mean clip cubic_coeff_a ' +
    'extrapolation_value mask_filter_value sample_size score value_float threshold spatial_scale'
  ).split(' '),
)
const floatsNames: ReadonlySet<string> = new Set(['value_floats', 'activation_alpha', 'scales'])

/** What a builder takes for an attribute: the plain value, or an attribute with its type. */
export type AttributeShorthand =
  number | bigint | string | readonly number[] | readonly string[] | Tensor | Graph | Attribute

/**
 * An attribute from a plain value: text, tensor or graph by what it is; a number is an int unless it
 * is a fraction or the name is one that ONNX uses for floats (`alpha`, `epsilon`, ...).
 */
export function attributeOf(name: string, value: AttributeShorthand): Attribute {
  if (typeof value === 'string') return Object.freeze({ type: 'string', value })
  if (typeof value === 'bigint') return Object.freeze({ type: 'int', value })
  if (typeof value === 'number') {
    const float = floatNames.has(name) || !Number.isInteger(value)
    return Object.freeze({ type: float ? 'float' : 'int', value })
  }
  if (isList(value)) return listAttribute(name, value)
  if ('value' in value) return Object.freeze(value)
  return 'nodes' in value
    ? Object.freeze({ type: 'graph', value })
    : Object.freeze({ type: 'tensor', value })
}

function isList(value: AttributeShorthand): value is readonly number[] | readonly string[] {
  return Array.isArray(value)
}

function listAttribute(name: string, value: readonly number[] | readonly string[]): Attribute {
  if (value.some((item) => typeof item === 'string')) {
    return Object.freeze({ type: 'strings', value: Object.freeze([...(value as string[])]) })
  }
  const numbers = value as readonly number[]
  const float = floatsNames.has(name) || numbers.some((item) => !Number.isInteger(item))
  return Object.freeze({ type: float ? 'floats' : 'ints', value: Object.freeze([...numbers]) })
}

/** Attributes from plain values; those that are undefined are left out. */
export function attributesOf(
  values: Readonly<Record<string, AttributeShorthand | undefined>>,
): Readonly<Record<string, Attribute>> {
  return Object.freeze(
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, attributeOf(name, value)]],
      ),
    ),
  )
}

function find<T extends AttributeType>(
  node: Node,
  name: string,
  type: T,
): AttributeValues[T] | undefined {
  const attribute = Object.hasOwn(node.attributes, name) ? node.attributes[name] : undefined
  if (attribute === undefined) return undefined
  if (attribute.type !== type) {
    throw expected(
      `an attribute of type ${type}`,
      `${name} of ${node.op} "${node.name}"`,
      attribute.type,
    )
  }
  // The tag was compared just above; TypeScript does not narrow by a type parameter.
  return attribute.value as AttributeValues[T]
}

/** The whole number of that name, or the fallback. */
export function intAttribute(node: Node, name: string, fallback: number): number {
  return Number(find(node, name, 'int') ?? fallback)
}

/** The number of that name, or the fallback. */
export function floatAttribute(node: Node, name: string, fallback: number): number {
  return find(node, name, 'float') ?? fallback
}

/** The text of that name, or the fallback. */
export function stringAttribute(node: Node, name: string, fallback: string): string {
  const value = find(node, name, 'string') ?? fallback
  return typeof value === 'string' ? value : new TextDecoder().decode(value)
}

/** The whole numbers of that name; undefined when there are none. */
export function intsAttribute(node: Node, name: string): readonly number[] | undefined {
  return find(node, name, 'ints')?.map(Number)
}

/** The numbers of that name; undefined when there are none. */
export function floatsAttribute(node: Node, name: string): readonly number[] | undefined {
  return find(node, name, 'floats')
}

/** The texts of that name; undefined when there are none. */
export function stringsAttribute(node: Node, name: string): readonly string[] | undefined {
  const decoder = new TextDecoder()
  return find(node, name, 'strings')?.map((s) => (typeof s === 'string' ? s : decoder.decode(s)))
}

/** The tensor of that name; undefined when there is none. */
export function tensorAttribute(node: Node, name: string): Tensor | undefined {
  return find(node, name, 'tensor')
}

/** The graph of that name; undefined when there is none. */
export function graphAttribute(node: Node, name: string): Graph | undefined {
  return find(node, name, 'graph')
}
