import type { AttributeShorthand } from '../attribute.ts'
import type { Builder, ReduceOp } from '../builder.ts'
import type { ElementType } from '../element-types.ts'
import { sizeOf } from '../tensor.ts'
import { axisOf, broadcastDims, padDims, sameDims, upTo } from './value.ts'
import type { Value } from './value.ts'

type Attributes = Readonly<Record<string, AttributeShorthand | undefined>>

/** Formulas as nodes: each call appends a node and knows the dims of what it gives. */
export interface Algebra {
  readonly builder: Builder
  /** A node whose first output has the dims given; type of the first operand unless told. */
  node(
    op: string,
    inputs: readonly Value[],
    dims: readonly number[],
    attributes?: Attributes,
    type?: ElementType,
  ): Value
  /** A constant of no axes in the type of `like`. */
  scalar(value: number, like: Value): Value
  /** A constant in the type of `like`. */
  constant(values: readonly number[], dims: readonly number[], like: Value): Value
  ints(values: readonly number[], dims?: readonly number[]): Value
  zeros(dims: readonly number[], like: Value): Value
  /** One operand, the same dims. */
  map(op: string, x: Value, attributes?: Attributes): Value
  add(a: Value, b: Value): Value
  sub(a: Value, b: Value): Value
  mul(a: Value, b: Value): Value
  div(a: Value, b: Value): Value
  neg(x: Value): Value
  /** x times a number. */
  times(x: Value, factor: number): Value
  /** x plus a number. */
  plus(x: Value, term: number): Value
  /** A truth value for each pair. */
  compare(
    op: 'Equal' | 'Less' | 'LessOrEqual' | 'Greater' | 'GreaterOrEqual' | 'And' | 'Or',
    a: Value,
    b: Value,
  ): Value
  where(mask: Value, a: Value, b: Value): Value
  /** `x` where the mask holds, else zero. */
  masked(x: Value, mask: Value): Value
  cast(x: Value, type: ElementType): Value
  /** Folded along axes, which keep size 1. */
  reduce(op: ReduceOp, x: Value, axes: readonly number[]): Value
  sum(x: Value, axes: readonly number[]): Value
  mean(x: Value, axes: readonly number[]): Value
  reshape(x: Value, dims: readonly number[]): Value
  transpose(x: Value, perm: readonly number[]): Value
  /** The last two axes swapped. */
  flip(x: Value): Value
  /** Repeated to the dims. */
  expand(x: Value, dims: readonly number[]): Value
  matmul(a: Value, b: Value): Value
  /** Ends exclusive, steps of one. */
  slice(x: Value, axis: number, start: number, end: number): Value
  /** Begins and ends by axis; negative ones crop. */
  pad(x: Value, begins: readonly number[], ends: readonly number[]): Value
  concat(xs: readonly Value[], axis: number): Value
  /**
   * A gradient that broadcasts to `full`, summed to what broadcasts to `dims`.
   *
   * Along an axis that is 1 in the gradient already the sum is a product with the size.
   */
  unbroadcast(x: Value, full: readonly number[], dims: readonly number[]): Value
}

type Sources = Pick<Algebra, 'builder' | 'node' | 'scalar' | 'constant' | 'ints' | 'zeros'>
type Arithmetic = Pick<
  Algebra,
  | ('map' | 'add' | 'sub' | 'mul' | 'div' | 'neg' | 'times' | 'plus')
  | ('compare' | 'where' | 'masked' | 'cast' | 'reduce' | 'sum' | 'mean' | 'matmul')
>
type Moves = Omit<Algebra, keyof Sources | keyof Arithmetic>

/** The algebra over a builder. */
export function algebra(builder: Builder): Algebra {
  const sources = sourcesOf(builder)
  const arithmetic = arithmeticOf(sources)
  return { ...sources, ...arithmetic, ...movesOf(sources, arithmetic) }
}

function sourcesOf(builder: Builder): Sources {
  const node: Algebra['node'] = (op, inputs, dims, attributes = {}, type) => {
    const names = inputs.map((x) => x.name)
    const name = builder.op(op, names, attributes)
    return { name, dims, type: type ?? inputs[0]?.type ?? 'float32' }
  }
  const constant: Algebra['constant'] = (values, dims, like) => ({
    name: builder.constant(values, dims, like.type),
    type: like.type,
    dims,
  })
  const scalar: Algebra['scalar'] = (value, like) => constant([value], [], like)
  const ints: Algebra['ints'] = (values, dims = [values.length]) => ({
    name: builder.constant(values, dims, 'int64'),
    type: 'int64',
    dims,
  })
  const zeros: Algebra['zeros'] = (dims, like) =>
    node('Expand', [scalar(0, like), ints(dims)], dims)
  return { builder, node, scalar, constant, ints, zeros }
}

function arithmeticOf({ builder, node, scalar }: Sources): Arithmetic {
  const binary = (op: string, a: Value, b: Value, type?: ElementType): Value =>
    node(op, [a, b], broadcastDims(a.dims, b.dims), {}, type)
  const map: Algebra['map'] = (op, x, attributes) => node(op, [x], x.dims, attributes)
  const add: Algebra['add'] = (a, b) => binary('Add', a, b)
  const mul: Algebra['mul'] = (a, b) => binary('Mul', a, b)
  const where: Algebra['where'] = (mask, a, b) =>
    node('Where', [mask, a, b], broadcastDims(mask.dims, broadcastDims(a.dims, b.dims)), {}, a.type)
  const reduce: Algebra['reduce'] = (op, x, axes) => {
    if (axes.length === 0) return x
    const dims = x.dims.map((d, k) => (axes.includes(k) ? 1 : d))
    return { ...x, name: builder.reduce(op, x.name, axes), dims }
  }
  return {
    map,
    add,
    sub: (a, b) => binary('Sub', a, b),
    mul,
    div: (a, b) => binary('Div', a, b),
    neg: (x) => map('Neg', x),
    times: (x, factor) =>
      factor === 1 ? x : factor === -1 ? map('Neg', x) : mul(x, scalar(factor, x)),
    plus: (x, term) => add(x, scalar(term, x)),
    compare: (op, a, b) => binary(op, a, b, 'bool'),
    where,
    masked: (x, mask) => where(mask, x, scalar(0, x)),
    cast: (x, type) => (x.type === type ? x : { ...x, name: builder.cast(x.name, type), type }),
    reduce,
    sum: (x, axes) => reduce('ReduceSum', x, axes),
    mean: (x, axes) => reduce('ReduceMean', x, axes),
    matmul: (a, b) => {
      const lead = broadcastDims(a.dims.slice(0, -2), b.dims.slice(0, -2))
      return node('MatMul', [a, b], [...lead, a.dims.at(-2) ?? 1, b.dims.at(-1) ?? 1])
    },
  }
}

function movesOf({ builder, node, scalar, ints }: Sources, { sum, times }: Arithmetic): Moves {
  const reshape: Algebra['reshape'] = (x, dims) =>
    sameDims(x.dims, dims) ? x : { ...x, name: builder.reshape(x.name, dims), dims }
  const transpose: Algebra['transpose'] = (x, perm) => {
    if (perm.every((p, k) => p === k)) return x
    return { ...x, name: builder.transpose(x.name, perm), dims: perm.map((p) => x.dims[p] ?? 1) }
  }
  return {
    reshape,
    transpose,
    flip: (x) => {
      const rank = x.dims.length
      return transpose(x, [...upTo(rank - 2), rank - 1, rank - 2])
    },
    expand: (x, dims) => (sameDims(x.dims, dims) ? x : node('Expand', [x, ints(dims)], dims)),
    slice: (x, axis, start, end) => {
      const k = axisOf(axis, x.dims.length)
      if (start === 0 && end === x.dims[k]) return x
      const dims = x.dims.with(k, end - start)
      return { ...x, name: builder.slice(x.name, [start], [end], [k]), dims }
    },
    pad: (x, begins, ends) => {
      if ([...begins, ...ends].every((p) => p === 0)) return x
      const dims = x.dims.map((d, k) => d + (begins[k] ?? 0) + (ends[k] ?? 0))
      // The fill has the type of x: the runtime's default is of float32 only.
      const fill = x.type === 'float32' ? {} : { fill: scalar(0, x).name }
      return { ...x, name: builder.pad(x.name, [...begins, ...ends], fill), dims }
    },
    concat: (xs, axis) => {
      const first = xs[0]
      if (first !== undefined && xs.length === 1) return first
      const dims = first?.dims ?? []
      const size = xs.reduce((n, x) => n + (x.dims[axis] ?? 0), 0)
      return node('Concat', xs, dims.with(axis, size), { axis })
    },
    unbroadcast: (x, full, dims) => {
      const have = padDims(x.dims, full.length)
      const want = padDims(dims, full.length)
      const gone = upTo(full.length).filter((k) => want[k] === 1 && full[k] !== 1)
      const repeats = sizeOf(gone.filter((k) => have[k] === 1).map((k) => full[k] ?? 1))
      const shift = full.length - x.dims.length
      const summed = gone.filter((k) => have[k] !== 1).map((k) => k - shift)
      const total = times(sum(x, summed), repeats)
      // What is left of rank beyond the operand's are ones in front.
      const rank = Math.min(total.dims.length, dims.length)
      return reshape(total, total.dims.slice(total.dims.length - rank))
    },
  }
}
