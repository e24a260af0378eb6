import type { ElementType } from '../element-types.ts'

/** An array in double precision, row-major; whole numbers and truth values are held as doubles too. */
export interface Nd {
  readonly dims: readonly number[]
  readonly data: Float64Array
  readonly type: ElementType
}

/** The number of elements of the dims. */
export function count(dims: readonly number[]): number {
  return dims.reduce((n, d) => n * d, 1)
}

/** An array of the dims whose elements are `value(i)` in row-major order. */
export function nd(
  dims: readonly number[],
  value: (i: number) => number,
  type: ElementType = 'float32',
): Nd {
  const data = new Float64Array(count(dims))
  for (let i = 0; i < data.length; i++) data[i] = value(i)
  return { dims, data, type }
}

/** Element `i` of the flat data. */
export function at(x: Nd, i: number): number {
  return x.data[i] ?? NaN
}

/** Row-major strides. */
export function stridesOf(dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length).fill(1)
  for (let i = dims.length - 2; i >= 0; i--) strides[i] = (strides[i + 1] ?? 1) * (dims[i + 1] ?? 1)
  return strides
}

/** The coordinates of flat index `i`. */
export function coordsOf(i: number, dims: readonly number[]): number[] {
  const coords = new Array<number>(dims.length).fill(0)
  for (let k = dims.length - 1, rest = i; k >= 0; k--) {
    const d = dims[k] ?? 1
    coords[k] = rest % d
    rest = Math.floor(rest / d)
  }
  return coords
}

/** The flat index of coordinates. */
export function flatOf(coords: readonly number[], dims: readonly number[]): number {
  return coords.reduce((flat, c, k) => flat * (dims[k] ?? 1) + c, 0)
}

/** The axis as a number from 0. */
export function axisOf(axis: number, rank: number): number {
  return axis < 0 ? axis + rank : axis
}

/** The dims that both broadcast to. */
export function broadcastDims(...all: readonly (readonly number[])[]): number[] {
  const rank = Math.max(...all.map((dims) => dims.length))
  return Array.from({ length: rank }, (_, i) => {
    const sizes = all.map((dims) => dims[i - rank + dims.length] ?? 1)
    const large = sizes.find((d) => d !== 1) ?? 1
    if (sizes.some((d) => d !== 1 && d !== large)) {
      throw new Error(`[${all.join('] and [')}] do not broadcast`)
    }
    return large
  })
}

/** `x` repeated to the dims it broadcasts to. */
export function expandTo(x: Nd, dims: readonly number[]): Nd {
  if (x.dims.length === dims.length && x.dims.every((d, i) => d === dims[i])) return x
  const shift = dims.length - x.dims.length
  return nd(
    dims,
    (i) => {
      const coords = coordsOf(i, dims)
      return at(
        x,
        flatOf(
          x.dims.map((d, k) => (d === 1 ? 0 : (coords[k + shift] ?? 0))),
          x.dims,
        ),
      )
    },
    x.type,
  )
}

/** Element by element over operands that broadcast. */
export function zip(xs: readonly Nd[], f: (...values: number[]) => number, type?: ElementType): Nd {
  const dims = broadcastDims(...xs.map((x) => x.dims))
  const full = xs.map((x) => expandTo(x, dims))
  return nd(dims, (i) => f(...full.map((x) => at(x, i))), type ?? full[0]?.type)
}

/** Element by element. */
export function map(x: Nd, f: (value: number) => number, type?: ElementType): Nd {
  return nd(x.dims, (i) => f(at(x, i)), type ?? x.type)
}

/** The same elements under other dims. */
export function reshape(x: Nd, dims: readonly number[]): Nd {
  if (count(dims) !== x.data.length) throw new Error(`[${x.dims}] is no [${dims}]`)
  return { ...x, dims }
}

/** Axes in another order. */
export function permute(x: Nd, perm: readonly number[]): Nd {
  const dims = perm.map((p) => x.dims[p] ?? 1)
  return nd(
    dims,
    (i) => {
      const coords = coordsOf(i, dims)
      const source = new Array<number>(dims.length)
      perm.forEach((p, k) => (source[p] = coords[k] ?? 0))
      return at(x, flatOf(source, x.dims))
    },
    x.type,
  )
}

/** Groups along the axes folded by `f`; `keep` leaves axes of size one. */
export function fold(
  x: Nd,
  axes: readonly number[],
  f: (values: readonly number[]) => number,
  keep = true,
): Nd {
  const reduced = new Set(axes.map((a) => axisOf(a, x.dims.length)))
  const kept = x.dims.map((d, k) => (reduced.has(k) ? 1 : d))
  const groups = Array.from({ length: count(kept) }, (): number[] => [])
  for (let i = 0; i < x.data.length; i++) {
    const coords = coordsOf(i, x.dims).map((c, k) => (reduced.has(k) ? 0 : c))
    groups[flatOf(coords, kept)]?.push(at(x, i))
  }
  const dims = keep ? kept : kept.filter((_, k) => !reduced.has(k))
  return nd(dims, (i) => f(groups[i] ?? []), x.type)
}

/** The product of matrices in the last two axes, others broadcast; one-axis operands as ONNX has them. */
export function matmul(a: Nd, b: Nd): Nd {
  if (a.dims.length === 1) {
    const y = matmul(reshape(a, [1, ...a.dims]), b)
    return reshape(
      y,
      y.dims.filter((_, k) => k !== y.dims.length - 2),
    )
  }
  if (b.dims.length === 1) {
    const y = matmul(a, reshape(b, [...b.dims, 1]))
    return reshape(y, y.dims.slice(0, -1))
  }
  const [m, k] = a.dims.slice(-2) as [number, number]
  const n = b.dims[b.dims.length - 1] ?? 1
  const lead = broadcastDims(a.dims.slice(0, -2), b.dims.slice(0, -2))
  const full = [expandTo(a, [...lead, m, k]), expandTo(b, [...lead, k, n])] as const
  return nd(
    [...lead, m, n],
    (i) => {
      const [batch, row, col] = [Math.floor(i / (m * n)), Math.floor(i / n) % m, i % n]
      let sum = 0
      for (let j = 0; j < k; j++) {
        sum += at(full[0], (batch * m + row) * k + j) * at(full[1], (batch * k + j) * n + col)
      }
      return sum
    },
    a.type,
  )
}
