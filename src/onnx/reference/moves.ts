import { intAttribute, intsAttribute, stringAttribute, tensorAttribute } from '../attribute.ts'
import { tensorNumbers } from '../tensor.ts'
import type { Kernel } from './evaluate.ts'
import {
  at,
  axisOf,
  broadcastDims,
  coordsOf,
  count,
  expandTo,
  flatOf,
  nd,
  permute,
  reshape,
} from './nd.ts'
import type { Nd } from './nd.ts'

function reshaped(x: Nd, wish: readonly number[], allowZero: boolean): Nd {
  const dims = wish.map((d, k) => (d === 0 && !allowZero ? (x.dims[k] ?? 1) : d))
  const known = dims.filter((d) => d !== -1).reduce((p, d) => p * d, 1)
  return reshape(
    x,
    dims.map((d) => (d === -1 ? x.data.length / known : d)),
  )
}

/** The part of `x` at start, start + step, ... along each axis. */
export function strided(
  x: Nd,
  starts: readonly number[],
  steps: readonly number[],
  dims: readonly number[],
): Nd {
  return nd(
    dims,
    (i) =>
      at(
        x,
        flatOf(
          coordsOf(i, dims).map((c, k) => (starts[k] ?? 0) + c * (steps[k] ?? 1)),
          x.dims,
        ),
      ),
    x.type,
  )
}

const slice: Kernel = (_, [x, starts, ends, axes, steps]) => {
  const from = x.dims.map(() => 0)
  const step = x.dims.map(() => 1)
  const dims = [...x.dims]
  starts.data.forEach((s, j) => {
    const k = axisOf(axes === undefined ? j : at(axes, j), x.dims.length)
    const d = x.dims[k] ?? 1
    const by = steps === undefined ? 1 : at(steps, j)
    const wrap = (v: number): number => (v < 0 ? v + d : v)
    const clamp = (v: number): number =>
      by > 0 ? Math.min(d, Math.max(0, wrap(v))) : Math.min(d - 1, Math.max(-1, wrap(v)))
    from[k] = clamp(s)
    step[k] = by
    // For a step back an end far below zero means "through the first", which wrapping would lose.
    dims[k] = Math.max(0, Math.ceil((clamp(at(ends, j)) - clamp(s)) / by))
  })
  return [strided(x, from, step, dims)]
}

const pad: Kernel = (node, [x, pads, fill, axes]) => {
  const mode = stringAttribute(node, 'mode', 'constant')
  const rank = x.dims.length
  const begins = x.dims.map(() => 0)
  const dims = [...x.dims]
  const on = axes === undefined ? x.dims.map((_, k) => k) : [...axes.data]
  on.forEach((axis, j) => {
    const k = axisOf(axis, rank)
    begins[k] = at(pads, j)
    dims[k] = (dims[k] ?? 1) + at(pads, j) + at(pads, j + on.length)
  })
  const value = fill === undefined ? 0 : at(fill, 0)
  const place = (v: number, d: number): number => {
    if (v >= 0 && v < d) return v
    if (mode === 'edge') return v < 0 ? 0 : d - 1
    if (mode === 'reflect') return v < 0 ? -v : 2 * (d - 1) - v
    return -1
  }
  const inside = (i: number): number => {
    const coords = coordsOf(i, dims).map((c, k) => place(c - (begins[k] ?? 0), x.dims[k] ?? 1))
    return coords.some((c) => c < 0) ? value : at(x, flatOf(coords, x.dims))
  }
  return [nd(dims, inside, x.type)]
}

const concat: Kernel = (node, inputs) => {
  const xs: readonly Nd[] = inputs
  const axis = axisOf(intAttribute(node, 'axis', 0), inputs[0].dims.length)
  const dims = [...inputs[0].dims]
  dims[axis] = xs.reduce((n, x) => n + (x.dims[axis] ?? 0), 0)
  const pick = (i: number): number => {
    const coords = coordsOf(i, dims)
    let place = coords[axis] ?? 0
    for (const x of xs) {
      const d = x.dims[axis] ?? 0
      if (place < d) return at(x, flatOf(coords.with(axis, place), x.dims))
      place -= d
    }
    return NaN
  }
  return [nd(dims, pick, inputs[0].type)]
}

const split: Kernel = (node, [x, sizes]) => {
  const axis = axisOf(intAttribute(node, 'axis', 0), x.dims.length)
  const d = x.dims[axis] ?? 1
  const parts = node.outputs.length
  const even = Math.ceil(d / parts)
  const each =
    sizes === undefined
      ? Array.from({ length: parts }, (_, i) => Math.min(even, d - i * even))
      : [...sizes.data]
  let start = 0
  return each.map((size) => {
    const part = strided(
      x,
      x.dims.map((_, k) => (k === axis ? start : 0)),
      [],
      x.dims.with(axis, size),
    )
    start += size
    return part
  })
}

const tile: Kernel = (_, [x, repeats]) => {
  const dims = x.dims.map((d, k) => d * at(repeats, k))
  const pick = (i: number): number =>
    at(
      x,
      flatOf(
        coordsOf(i, dims).map((c, k) => c % (x.dims[k] ?? 1)),
        x.dims,
      ),
    )
  return [nd(dims, pick, x.type)]
}

const squeeze: Kernel = (node, [x, axes]) => {
  const given = axes === undefined ? intsAttribute(node, 'axes') : [...axes.data]
  const drop = given?.map((a) => axisOf(a, x.dims.length))
  return [
    reshape(
      x,
      x.dims.filter((d, k) => (drop === undefined ? d !== 1 : !drop.includes(k))),
    ),
  ]
}

const unsqueeze: Kernel = (node, [x, axes]) => {
  const given = axes === undefined ? (intsAttribute(node, 'axes') ?? []) : [...axes.data]
  const rank = x.dims.length + given.length
  const fresh = given.map((a) => axisOf(a, rank))
  const rest = [...x.dims]
  return [
    reshape(
      x,
      Array.from({ length: rank }, (_, k) => (fresh.includes(k) ? 1 : (rest.shift() ?? 1))),
    ),
  ]
}

const flatten: Kernel = (node, [x]) => {
  const axis = intAttribute(node, 'axis', 1)
  const lead = count(x.dims.slice(0, axis < 0 ? axis + x.dims.length : axis))
  return [reshape(x, [lead, x.data.length / lead])]
}

const depthToSpace: Kernel = (node, [x]) => {
  const b = intAttribute(node, 'blocksize', 1)
  const [n, c, h, w] = x.dims as [number, number, number, number]
  const rest = c / b / b
  const dcr = stringAttribute(node, 'mode', 'DCR') === 'DCR'
  const six = dcr
    ? permute(reshape(x, [n, b, b, rest, h, w]), [0, 3, 4, 1, 5, 2])
    : permute(reshape(x, [n, rest, b, b, h, w]), [0, 1, 4, 2, 5, 3])
  return [reshape(six, [n, rest, h * b, w * b])]
}

const spaceToDepth: Kernel = (node, [x]) => {
  const b = intAttribute(node, 'blocksize', 1)
  const [n, c, h, w] = x.dims as [number, number, number, number]
  const six = permute(reshape(x, [n, c, h / b, b, w / b, b]), [0, 3, 5, 1, 2, 4])
  return [reshape(six, [n, c * b * b, h / b, w / b])]
}

const shapeOf: Kernel = (node, [x]) => {
  const rank = x.dims.length
  const cut = (v: number): number => Math.min(rank, Math.max(0, v < 0 ? v + rank : v))
  const dims = x.dims.slice(
    cut(intAttribute(node, 'start', 0)),
    cut(intAttribute(node, 'end', rank)),
  )
  return [nd([dims.length], (i) => dims[i] ?? 0, 'int64')]
}

const trilu: Kernel = (node, [x, k]) => {
  const shift = k === undefined ? 0 : at(k, 0)
  const upper = intAttribute(node, 'upper', 1) === 1
  const keep = (i: number): boolean => {
    const [row = 0, col = 0] = coordsOf(i, x.dims).slice(-2)
    return upper ? col - row >= shift : col - row <= shift
  }
  return [nd(x.dims, (i) => (keep(i) ? at(x, i) : 0), x.type)]
}

/** What moves elements about without changing them. */
export const moves: Readonly<Record<string, Kernel>> = {
  Reshape: (node, [x, dims]) => [
    reshaped(x, [...dims.data], intAttribute(node, 'allowzero', 0) === 1),
  ],
  Flatten: flatten,
  Squeeze: squeeze,
  Unsqueeze: unsqueeze,
  Transpose: (node, [x]) => [
    permute(x, intsAttribute(node, 'perm') ?? x.dims.map((_, k) => x.dims.length - 1 - k)),
  ],
  Expand: (_, [x, dims]) => [expandTo(x, broadcastDims(x.dims, [...dims.data]))],
  Tile: tile,
  Concat: concat,
  Split: split,
  Slice: slice,
  Pad: pad,
  DepthToSpace: depthToSpace,
  SpaceToDepth: spaceToDepth,
  Trilu: trilu,
  Shape: shapeOf,
  Size: (_, [x]) => [nd([], () => x.data.length, 'int64')],
  ConstantOfShape: (node, [dims]) => {
    const value = tensorAttribute(node, 'value')
    const fill = value === undefined ? 0 : (tensorNumbers(value)[0] ?? 0)
    return [nd([...dims.data], () => fill, value?.type ?? 'float32')]
  },
  Constant: (node) => {
    const value = tensorAttribute(node, 'value')
    if (value === undefined) throw new Error('only tensors as constants')
    return [{ dims: value.dims, data: tensorNumbers(value), type: value.type }]
  },
  Range: (_, [start, limit, delta]) => [
    nd(
      [Math.max(0, Math.ceil((at(limit, 0) - at(start, 0)) / at(delta, 0)))],
      (i) => at(start, 0) + i * at(delta, 0),
      start.type,
    ),
  ],
  EyeLike: (node, [x]) => [
    nd(x.dims, (i) => {
      const [row = 0, col = 0] = coordsOf(i, x.dims)
      return Number(col - row === intAttribute(node, 'k', 0))
    }),
  ],
}
