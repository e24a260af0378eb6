import { elementTypes } from '../element-types.ts'
import type { Rule } from './context.ts'
import { boolOf, constantInts, emit, intOf, intsOf, unsupported } from './context.ts'
import { tfElementType } from './graph-file.ts'

/** Slices to the end of an axis say so with the largest number. */
const end64 = Number.MAX_SAFE_INTEGER

const reshape: Rule = (context) => [
  emit(context, 'Reshape', [context.input(0), context.g.ints(constantInts(context, 1))]),
]

const transpose: Rule = (context) => [
  emit(context, 'Transpose', [context.input(0)], { perm: constantInts(context, 1) }),
]

const expandDims: Rule = (context) => [
  context.g.unsqueeze(context.input(0), constantInts(context, 1)),
]

const squeeze: Rule = (context) => {
  const axes = intsOf(
    context,
    context.node.attr.squeeze_dims === undefined ? 'axis' : 'squeeze_dims',
  )
  const x = context.input(0)
  return [axes.length === 0 ? emit(context, 'Squeeze', [x]) : context.g.squeeze(x, axes)]
}

const concat: Rule = (context) => {
  const last = context.node.input.length - 1
  const [axis = 0] = constantInts(context, last)
  const parts = Array.from({ length: last }, (_, i) => context.input(i))
  return [emit(context, 'Concat', parts, { axis })]
}

const pack: Rule = (context) => {
  const axis = intOf(context, 'axis', 0)
  const parts = context.inputs().map((x) => context.g.unsqueeze(x, [axis]))
  return [emit(context, 'Concat', parts, { axis })]
}

const unpack: Rule = (context) => {
  const { g } = context
  const axis = intOf(context, 'axis', 0)
  const count = intOf(context, 'num', 1)
  return g
    .ops('Split', [context.input(0)], count, { axis }, { name: context.node.name })
    .map((part) => g.squeeze(part, [axis]))
}

const splitV: Rule = (context) => {
  const [axis = 0] = constantInts(context, 2)
  return context.g.split(context.input(0), axis, constantInts(context, 1))
}

const split: Rule = (context) => {
  const [axis = 0] = constantInts(context, 0)
  const count = intOf(context, 'num_split', 1)
  return context.g.ops('Split', [context.input(1)], count, { axis }, { name: context.node.name })
}

const pad: Rule = (context) => {
  const pairs = constantInts(context, 1)
  const begins = pairs.filter((_, i) => i % 2 === 0)
  const ends = pairs.filter((_, i) => i % 2 === 1)
  const fill = context.node.input.length > 2 ? [context.input(2)] : []
  return [emit(context, 'Pad', [context.input(0), context.g.ints([...begins, ...ends]), ...fill])]
}

const slice: Rule = (context) => {
  const begins = constantInts(context, 1)
  const ends = constantInts(context, 2).map((size, i) =>
    size === -1 ? end64 : (begins[i] ?? 0) + size,
  )
  return [
    context.g.slice(
      context.input(0),
      begins,
      ends,
      begins.map((_, i) => i),
    ),
  ]
}

const stridedSlice: Rule = (context) => {
  for (const mask of ['new_axis_mask', 'ellipsis_mask']) {
    if (intOf(context, mask, 0) !== 0) throw unsupported(context, `has a ${mask}`)
  }
  const [begins, ends, steps] = [1, 2, 3].map((i) => constantInts(context, i)) as [
    number[],
    number[],
    number[],
  ]
  const has = (mask: string, axis: number): boolean => ((intOf(context, mask, 0) >> axis) & 1) === 1
  const squeezed: number[] = []
  begins.forEach((begin, axis) => {
    const back = (steps[axis] ?? 1) < 0
    if (has('shrink_axis_mask', axis)) {
      squeezed.push(axis)
      steps[axis] = 1
      ends[axis] = begin === -1 ? end64 : begin + 1
      return
    }
    if (has('begin_mask', axis)) begins[axis] = back ? end64 : 0
    if (has('end_mask', axis)) ends[axis] = back ? -end64 : end64
  })
  const axes = begins.map((_, axis) => axis)
  const part = context.g.slice(context.input(0), begins, ends, axes, steps)
  return [squeezed.length === 0 ? part : context.g.squeeze(part, squeezed)]
}

const gather: Rule = (context) => {
  if (intOf(context, 'batch_dims', 0) !== 0) throw unsupported(context, 'has batch_dims')
  const axis = context.node.input.length > 2 ? (constantInts(context, 2)[0] ?? 0) : 0
  return [emit(context, 'Gather', [context.input(0), context.input(1)], { axis })]
}

const topK: Rule = (context) => {
  const { g, node } = context
  const count = context.node.input.length > 1 ? constantInts(context, 1) : [intOf(context, 'k', 1)]
  const [values = '', indices = ''] = g.ops(
    'TopK',
    [context.input(0), g.ints([count[0] ?? 1])],
    2,
    { axis: -1, largest: 1, sorted: 1 },
    { name: node.name },
  )
  return [values, g.cast(indices, 'int32')]
}

const cast: Rule = (context) => {
  const type = tfElementType(context.node.attr.DstT?.type)
  if (type === undefined) {
    throw unsupported(context, `makes ${context.node.attr.DstT?.type ?? 'no type'}`)
  }
  return [emit(context, 'Cast', [context.input(0)], { to: elementTypes[type].id })]
}

const reduce =
  (op: 'ReduceMean' | 'ReduceMax' | 'ReduceMin' | 'ReduceSum' | 'ReduceProd'): Rule =>
  (context) => [
    context.g.reduce(op, context.input(0), constantInts(context, 1), boolOf(context, 'keep_dims')),
  ]

const argMax: Rule = (context) => {
  const [axis = 0] = constantInts(context, 1)
  const found = emit(context, 'ArgMax', [context.input(0)], { axis, keepdims: 0 })
  return [context.g.cast(found, 'int32')]
}

/** Rules that move, choose, count or convert elements. */
export const shapeRules: Readonly<Record<string, Rule>> = {
  Reshape: reshape,
  Transpose: transpose,
  ExpandDims: expandDims,
  Squeeze: squeeze,
  ConcatV2: concat,
  Pack: pack,
  Unpack: unpack,
  SplitV: splitV,
  Split: split,
  Pad: pad,
  PadV2: pad,
  Slice: slice,
  StridedSlice: stridedSlice,
  GatherV2: gather,
  TopKV2: topK,
  Cast: cast,
  Mean: reduce('ReduceMean'),
  Max: reduce('ReduceMax'),
  Min: reduce('ReduceMin'),
  Sum: reduce('ReduceSum'),
  Prod: reduce('ReduceProd'),
  ArgMax: argMax,
}
