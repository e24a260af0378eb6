import { Bug, expected } from '../base/index.ts'
import type { AttributeShorthand } from './attribute.ts'
import { attributesOf } from './attribute.ts'
import type { ElementType, TypedArray } from './element-types.ts'
import { elementTypes } from './element-types.ts'
import type { Dim, Graph, Node } from './graph.ts'
import { freshPrefix, graphOf, indexOf, nodeOf, opsetOf, valueInfo, withNode } from './graph.ts'
import type { Tensor } from './tensor.ts'
import { tensorBytes, tensorOf } from './tensor.ts'

type Attributes = Readonly<Record<string, AttributeShorthand | undefined>>

export interface OpOptions {
  readonly domain?: string
  /** The name in messages; a number is added when it is taken. */
  readonly name?: string
  /** Names of the outputs; fresh ones where none are given. */
  readonly outputs?: readonly string[]
}

/** Operators that reduce over axes. */
export type ReduceOp =
  | 'ReduceSum'
  | 'ReduceMean'
  | 'ReduceMax'
  | 'ReduceMin'
  | 'ReduceProd'
  | 'ReduceL1'
  | 'ReduceL2'
  | 'ReduceLogSum'
  | 'ReduceLogSumExp'
  | 'ReduceSumSquare'

/** Appends nodes to a graph; names of values in, names of values out. `graph()` gives the result. */
export interface Builder {
  /** The opset of ONNX that nodes are written for. */
  readonly opset: number
  /** What every fresh name begins with. */
  readonly prefix: string
  /** One node, its first output. */
  op(op: string, inputs: readonly string[], attributes?: Attributes, options?: OpOptions): string
  /** One node with `count` outputs. */
  ops(
    op: string,
    inputs: readonly string[],
    count: number,
    attributes?: Attributes,
    options?: OpOptions,
  ): string[]
  /** An initialiser; equal small ones are shared. Plain numbers become float32 unless a type is given. */
  constant(
    values: TypedArray | readonly number[] | readonly bigint[],
    dims?: readonly number[],
    type?: ElementType,
  ): string
  /** A constant of no axes; float32 unless a type is given. */
  scalar(value: number, type?: ElementType): string
  /** An int64 constant of one axis: shapes, axes, pads. */
  ints(values: readonly number[]): string
  /** An initialiser as it is, under its own name. */
  add(tensor: Tensor): string
  /** An existing node as it is, but for its name in messages when that is taken. */
  append(node: Node): void
  /** A reduction over axes, written as the opset wants it. `keep` default true. */
  reduce(op: ReduceOp, x: string, axes: readonly number[], keep?: boolean): string
  /** Pads as ONNX counts them: all begins, then all ends; negative ones crop. Fill default 0 of float32. */
  pad(x: string, pads: readonly number[], options?: { mode?: string; fill?: string }): string
  /** Parts of the given sizes along an axis. */
  split(x: string, axis: number, sizes: readonly number[]): string[]
  slice(
    x: string,
    starts: readonly number[],
    ends: readonly number[],
    axes: readonly number[],
    steps?: readonly number[],
  ): string
  squeeze(x: string, axes: readonly number[]): string
  unsqueeze(x: string, axes: readonly number[]): string
  reshape(x: string, dims: readonly number[]): string
  transpose(x: string, perm: readonly number[]): string
  concat(xs: readonly string[], axis: number): string
  cast(x: string, to: ElementType): string
  /** A new graph input. */
  input(name: string, type: ElementType, shape: readonly Dim[]): string
  /** Makes a value a graph output, under its own name. */
  output(name: string, type?: ElementType, shape?: readonly Dim[]): void
  /** A name that nothing uses yet. */
  fresh(hint: string): string
  /** The graph with everything that was appended, at the end of its nodes. */
  graph(): Graph
}

const sharedUpTo = 16

/**
 * A builder that appends to a graph, or begins an empty one of the given opset.
 *
 * @param options.prefix  hint for what fresh names begin with; a number is added when it is taken
 */
export function builder(
  start: Graph | { readonly opset: number },
  options: { readonly prefix?: string } = {},
): Builder {
  const base = 'nodes' in start ? start : graphOf({ opsets: { '': start.opset } })
  const core = coreOf(base, freshPrefix(base, options.prefix ?? 'g'))
  return Object.freeze({ ...core, ...shorthands(core) })
}

type Core = Pick<
  Builder,
  | 'opset'
  | 'prefix'
  | 'op'
  | 'ops'
  | 'constant'
  | 'add'
  | 'append'
  | 'input'
  | 'output'
  | 'fresh'
  | 'graph'
>

function coreOf(base: Graph, prefix: string): Core {
  const nodes = [...base.nodes]
  const inputs = [...base.inputs]
  const outputs = [...base.outputs]
  const initializers = [...base.initializers]
  const opsets: Record<string, number> = { ...base.opsets }
  const { fresh, claim, distinct } = namesOf(base, prefix)

  const ops: Builder['ops'] = (op, ins, count, attributes = {}, settings = {}) => {
    const names = Array.from({ length: count }, (_, i) => settings.outputs?.[i] ?? fresh(op))
    settings.outputs?.forEach((name) => name !== '' && claim(name, 'The output'))
    const { domain = '', name = '' } = settings
    if (domain !== '' && opsets[domain] === undefined) opsets[domain] = 1
    const parts = { domain, name: distinct(name), attributes: attributesOf(attributes) }
    nodes.push(nodeOf(op, ins, names, parts))
    return names
  }

  const constant = constants((tensor) => {
    const name = fresh('const')
    initializers.push(Object.freeze({ ...tensor, name }))
    return name
  })

  return {
    opset: opsetOf(base),
    prefix,
    fresh,
    ops,
    constant,
    op: (kind, ins, attributes, settings) => {
      const [first] = ops(kind, ins, settings?.outputs?.length ?? 1, attributes, settings)
      // At least one output was asked for.
      return first!
    },
    add: (tensor) => {
      claim(tensor.name, 'The initialiser')
      initializers.push(tensor)
      return tensor.name
    },
    append: (node) => {
      node.outputs.forEach((name) => name !== '' && claim(name, 'The output'))
      const name = distinct(node.name)
      nodes.push(name === node.name ? node : withNode(node, { name }))
    },
    input: (name, type, shape) => {
      claim(name, 'The input')
      inputs.push(valueInfo(name, type, shape))
      return name
    },
    output: (name, type, shape) => {
      if (outputs.some((output) => output.name === name)) {
        throw new Bug('E_ONNX_NAME', `"${name}" is an output already.`)
      }
      outputs.push(valueInfo(name, type, shape))
    },
    graph: () => graphOf({ ...base, nodes, inputs, outputs, initializers, opsets }),
  }
}

interface Names {
  fresh(hint: string): string
  /** Takes a name, which must be free. */
  claim(name: string, what: string): void
  /** A name for a node that no other node has: the runtime wants that. */
  distinct(name: string): string
}

function namesOf(base: Graph, prefix: string): Names {
  const taken = new Set(indexOf(base).names)
  const nodes = new Set(base.nodes.map((node) => node.name))
  const counts = new Map<string, number>()
  const next = (hint: string): number => {
    const count = counts.get(hint) ?? 0
    counts.set(hint, count + 1)
    return count
  }
  return {
    fresh: (hint) => {
      const start = `${prefix}${hint}_`
      let name = start + next(start)
      while (taken.has(name)) name = start + next(start)
      taken.add(name)
      return name
    },
    claim: (name, what) => {
      if (taken.has(name)) throw new Bug('E_ONNX_NAME', `${what} "${name}" is already a value.`)
      taken.add(name)
    },
    distinct: (name) => {
      let free = name
      while (free !== '' && nodes.has(free)) free = `${name}_${next(`node ${name}`) + 1}`
      nodes.add(free)
      return free
    },
  }
}

/** Makes constants with `add`, equal small ones once. */
function constants(add: (tensor: Tensor) => string): Builder['constant'] {
  const shared = new Map<string, string>()
  return (values, dims, type) => {
    const tensor = tensorOf('', type ?? typeOfArray(values), values, dims)
    if (values.length > sharedUpTo) return add(tensor)
    const key = keyOf(tensor)
    const name = shared.get(key) ?? add(tensor)
    shared.set(key, name)
    return name
  }
}

/** What can be said with `op`, `ops` and `constant`, in the form of the opset. */
function shorthands({ opset, op, ops, constant }: Core): Omit<Builder, keyof Core> {
  const ints: Builder['ints'] = (values) => constant(values, [values.length], 'int64')

  /** Axes as an input where the opset has them so, else as an attribute. */
  const withAxes = (
    kind: string,
    x: string,
    axes: readonly number[],
    since: number,
    rest: Attributes = {},
  ): string =>
    opset >= since ? op(kind, [x, ints(axes)], rest) : op(kind, [x], { ...rest, axes: [...axes] })

  return {
    ints,
    scalar: (value, type = 'float32') => constant([value], [], type),
    reduce: (kind, x, axes, keep = true) =>
      withAxes(kind, x, axes, kind === 'ReduceSum' ? 13 : 18, { keepdims: keep ? 1 : 0 }),
    pad: (x, pads, { mode, fill } = {}) =>
      op('Pad', [x, ints(pads), ...(fill === undefined ? [] : [fill])], { mode }),
    split: (x, axis, sizes) => ops('Split', [x, ints(sizes)], sizes.length, { axis }),
    slice: (x, starts, ends, axes, steps) => {
      const parts = [starts, ends, axes, ...(steps === undefined ? [] : [steps])]
      return op('Slice', [x, ...parts.map(ints)])
    },
    squeeze: (x, axes) => withAxes('Squeeze', x, axes, 13),
    unsqueeze: (x, axes) => withAxes('Unsqueeze', x, axes, 13),
    reshape: (x, dims) => op('Reshape', [x, ints(dims)]),
    transpose: (x, perm) => op('Transpose', [x], { perm }),
    concat: (xs, axis) => op('Concat', xs, { axis }),
    cast: (x, to) => op('Cast', [x], { to: elementTypes[to].id }),
  }
}

/** The same text for tensors of the same type, dims and bit pattern. */
function keyOf(tensor: Tensor): string {
  return `${tensor.type}[${tensor.dims.join()}]${tensorBytes(tensor).join()}`
}

function typeOfArray(values: TypedArray | readonly number[] | readonly bigint[]): ElementType {
  if (values instanceof Float64Array) return 'float64'
  if (values instanceof Int8Array) return 'int8'
  if (values instanceof Uint8Array) return 'uint8'
  if (values instanceof Int16Array) return 'int16'
  if (values instanceof Int32Array) return 'int32'
  if (values instanceof Uint32Array) return 'uint32'
  if (values instanceof BigInt64Array) return 'int64'
  if (values instanceof BigUint64Array) return 'uint64'
  if (values instanceof Uint16Array) {
    throw expected('a type beside it', 'a constant of 16-bit patterns', values, 'Say float16.')
  }
  return 'float32'
}
