import { intAttribute, intsAttribute, stringAttribute } from '../../attribute.ts'
import type { Attribute } from '../../attribute.ts'
import type { Node } from '../../graph.ts'
import type { GradBuilder, GradRule } from '../rule.ts'
import { first, inputOf } from '../rule.ts'
import { around, axisOf, upTo } from '../value.ts'
import type { Value } from '../value.ts'
import { constantInts } from './shape.ts'

/** How one axis is resized. */
interface Axis {
  readonly k: number
  readonly n: number
  readonly m: number
  /** The factor that the node gives, when it gives factors and not sizes. */
  readonly scale: number | undefined
}

function axesOf(node: Node, x: Value, y: Value, g: GradBuilder): Axis[] {
  const rank = x.dims.length
  const scales = constantInts(node, 2, g)
  const given = scales !== undefined && scales.length > 0 ? scales : undefined
  const named = (intsAttribute(node, 'axes') ?? upTo(rank)).map((a) => axisOf(a, rank))
  return upTo(rank)
    .map((k) => ({
      k,
      n: x.dims[k] ?? 1,
      m: y.dims[k] ?? 1,
      scale: named.includes(k) ? given?.[named.indexOf(k)] : undefined,
    }))
    .filter(({ n, m, scale }) => n !== m || (scale !== undefined && scale !== 1))
}

/** True when every cell is simply repeated a whole number of times. */
function repeats(node: Node, { n, m, scale }: Axis): boolean {
  if (stringAttribute(node, 'mode', 'nearest') !== 'nearest' || m % n !== 0) return false
  if (scale !== undefined && scale !== m / n) return false
  const transform = stringAttribute(node, 'coordinate_transformation_mode', 'half_pixel')
  const rounding = stringAttribute(node, 'nearest_mode', 'round_prefer_floor')
  return transform === 'asymmetric'
    ? rounding === 'floor'
    : transform === 'half_pixel' && rounding.startsWith('round')
}

/** The weights [n, m] of one axis: an identity matrix put through the same operator, along its last axis. */
function weightsOf(node: Node, { n, m, scale }: Axis, x: Value, g: GradBuilder): Value {
  const eye = g.constant(
    Array.from({ length: n * n }, (_, i) => (i % n === Math.floor(i / n) ? 1 : 0)),
    [1, 1, n, n],
    x,
  )
  const attributes: Record<string, Attribute> = { ...node.attributes }
  delete attributes['axes']
  const sizes =
    scale === undefined
      ? [eye.name, '', '', g.ints([1, 1, n, m]).name]
      : [eye.name, '', g.builder.constant([1, 1, 1, scale], [4], 'float32')]
  return g.reshape({ ...x, name: g.builder.op('Resize', sizes, attributes), dims: [1, 1, n, m] }, [
    n,
    m,
  ])
}

const resize: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const dy = first(out)
  if (stringAttribute(node, 'coordinate_transformation_mode', '') === 'tf_crop_and_resize') {
    g.refuse(node, 'with crops')
  }
  if (intAttribute(node, 'exclude_outside', 0) === 1 && x.dims.length !== 4) {
    g.refuse(node, 'with excluded weights outside four axes')
  }
  return [
    axesOf(node, x, dy, g).reduce((d, axis) => {
      const { k, n, m } = axis
      // The runtime copies when no size changes: the weights could not be had from it.
      if (n === m) g.refuse(node, 'for a factor that leaves the size of an axis as it is')
      const dims = d.dims.with(k, n)
      const [before, , behind] = around(d.dims, k)
      if (repeats(node, axis)) {
        return g.reshape(g.sum(g.reshape(d, [before, n, m / n, behind]), [2]), dims)
      }
      const weights = weightsOf(node, axis, x, g)
      const product =
        behind === 1
          ? g.matmul(g.reshape(d, [before, m]), g.flip(weights))
          : g.matmul(weights, g.reshape(d, [before, m, behind]))
      return g.reshape(product, dims)
    }, dy),
  ]
}

/** Linear and separable: y = R·x along each axis, so dx = Rᵀ·dy. */
export const resizeRules = {
  Resize: resize,
} satisfies Record<string, GradRule>
