import { floatAttribute, intAttribute, intsAttribute, stringAttribute } from '../attribute.ts'
import type { Node } from '../graph.ts'
import type { Kernel } from './evaluate.ts'
import { at, coordsOf, count, flatOf, nd } from './nd.ts'
import type { Nd } from './nd.ts'

interface Window {
  readonly kernel: readonly number[]
  readonly strides: readonly number[]
  readonly dilations: readonly number[]
  readonly begins: readonly number[]
  readonly ends: readonly number[]
}

function windowOf(node: Node, space: readonly number[], kernel: readonly number[]): Window {
  const ones = space.map(() => 1)
  const strides = intsAttribute(node, 'strides') ?? ones
  const dilations = intsAttribute(node, 'dilations') ?? ones
  const auto = stringAttribute(node, 'auto_pad', 'NOTSET')
  if (auto.startsWith('SAME')) {
    const total = space.map((n, k) => {
      const s = strides[k] ?? 1
      const reach = (dilations[k] ?? 1) * ((kernel[k] ?? 1) - 1) + 1
      // Transposed, the large side is n times the stride.
      if (node.op === 'ConvTranspose') return Math.max(0, reach - s)
      return Math.max(0, (Math.ceil(n / s) - 1) * s + reach - n)
    })
    const small = total.map((t) => Math.floor(t / 2))
    const large = total.map((t) => Math.ceil(t / 2))
    const [begins, ends] = auto === 'SAME_UPPER' ? [small, large] : [large, small]
    return { kernel, strides, dilations, begins, ends }
  }
  const pads =
    (auto === 'VALID' ? undefined : intsAttribute(node, 'pads')) ??
    [...space, ...space].map(() => 0)
  const n = space.length
  return { kernel, strides, dilations, begins: pads.slice(0, n), ends: pads.slice(n) }
}

function outputDims(w: Window, space: readonly number[], ceil = false): number[] {
  return space.map((n, k) => {
    const reach = (w.dilations[k] ?? 1) * ((w.kernel[k] ?? 1) - 1) + 1
    const begin = w.begins[k] ?? 0
    const room = n + begin + (w.ends[k] ?? 0) - reach
    const steps = room / (w.strides[k] ?? 1)
    const out = (ceil ? Math.ceil(steps) : Math.floor(steps)) + 1
    // A window that would begin in the padding behind the picture is left out.
    return ceil && (out - 1) * (w.strides[k] ?? 1) >= n + begin ? out - 1 : out
  })
}

/** Calls back with each place inside the picture under the window of output `place`, and the tap. */
function under(
  w: Window,
  space: readonly number[],
  place: readonly number[],
  visit: (from: readonly number[], tap: number) => void,
): void {
  for (let tap = 0; tap < count(w.kernel); tap++) {
    const from = coordsOf(tap, w.kernel).map(
      (t, k) =>
        (place[k] ?? 0) * (w.strides[k] ?? 1) - (w.begins[k] ?? 0) + t * (w.dilations[k] ?? 1),
    )
    if (from.every((c, k) => c >= 0 && c < (space[k] ?? 0))) visit(from, tap)
  }
}

const conv: Kernel = (node, [x, weight, bias]) => {
  const space = x.dims.slice(2)
  const w = windowOf(node, space, weight.dims.slice(2))
  const [batch, , out, each] = [x.dims[0] ?? 1, 0, weight.dims[0] ?? 1, weight.dims[1] ?? 1]
  const groups = intAttribute(node, 'group', 1)
  const taps = count(w.kernel)
  const dims = [batch, out, ...outputDims(w, space)]
  return [
    nd(dims, (i) => {
      const [b = 0, o = 0, ...place] = coordsOf(i, dims)
      const first = Math.floor((o * groups) / out) * each
      let total = bias === undefined ? 0 : at(bias, o)
      under(w, space, place, (from, tap) => {
        for (let c = 0; c < each; c++) {
          total +=
            at(x, flatOf([b, first + c, ...from], x.dims)) * at(weight, (o * each + c) * taps + tap)
        }
      })
      return total
    }),
  ]
}

const convTranspose: Kernel = (node, [x, weight, bias]) => {
  const space = x.dims.slice(2)
  const kernel = weight.dims.slice(2)
  const w = windowOf(node, space, kernel)
  const extra = intsAttribute(node, 'output_padding') ?? space.map(() => 0)
  const groups = intAttribute(node, 'group', 1)
  const each = weight.dims[1] ?? 1
  const [batch, channels] = [x.dims[0] ?? 1, x.dims[1] ?? 1]
  const size = space.map(
    (n, k) =>
      (n - 1) * (w.strides[k] ?? 1) +
      (w.dilations[k] ?? 1) * ((kernel[k] ?? 1) - 1) +
      1 +
      (extra[k] ?? 0) -
      (w.begins[k] ?? 0) -
      (w.ends[k] ?? 0),
  )
  const dims = [batch, each * groups, ...size]
  const y = nd(dims, (i) => (bias === undefined ? 0 : at(bias, coordsOf(i, dims)[1] ?? 0)))
  x.data.forEach((value, i) => {
    const [b = 0, c = 0, ...place] = coordsOf(i, x.dims)
    const first = Math.floor((c * groups) / channels) * each
    under(w, size, place, (to, tap) => {
      for (let o = 0; o < each; o++) {
        const flat = flatOf([b, first + o, ...to], dims)
        y.data[flat] =
          (y.data[flat] ?? 0) + value * at(weight, (c * each + o) * count(kernel) + tap)
      }
    })
  })
  return [y]
}

function pool(
  node: Node,
  x: Nd,
  fold: (values: number[], places: number[], taps: number) => number,
): Nd {
  const space = x.dims.slice(2)
  const w = windowOf(node, space, intsAttribute(node, 'kernel_shape') ?? [])
  const dims = [
    ...x.dims.slice(0, 2),
    ...outputDims(w, space, intAttribute(node, 'ceil_mode', 0) === 1),
  ]
  return nd(dims, (i) => {
    const [b = 0, c = 0, ...place] = coordsOf(i, dims)
    const places: number[] = []
    under(w, space, place, (from) => places.push(flatOf([b, c, ...from], x.dims)))
    // Cells of the padding that the window covers; beyond the padding nothing counts.
    const padded = { ...w, begins: w.begins.map(() => 0), ends: [] }
    let taps = 0
    const wide = space.map((n, k) => n + (w.begins[k] ?? 0) + (w.ends[k] ?? 0))
    under(padded, wide, place, () => taps++)
    return fold(
      places.map((p) => at(x, p)),
      places,
      taps,
    )
  })
}

const maxPool: Kernel = (node, [x]) => {
  const where = (values: number[], places: number[]): number =>
    places[values.indexOf(Math.max(...values))] ?? -1
  return [pool(node, x, (v) => Math.max(...v)), { ...pool(node, x, where), type: 'int64' }]
}

const averagePool: Kernel = (node, [x]) => {
  const all = intAttribute(node, 'count_include_pad', 0) === 1
  return [pool(node, x, (v, _, taps) => v.reduce((s, e) => s + e, 0) / (all ? taps : v.length))]
}

const globalPool =
  (fold: (values: readonly number[]) => number): Kernel =>
  (_, [x]) => {
    const area = count(x.dims.slice(2))
    const dims = x.dims.map((d, k) => (k < 2 ? d : 1))
    return [nd(dims, (i) => fold([...x.data.subarray(i * area, (i + 1) * area)]), x.type)]
  }

/** Where output `i` of a resized axis reads: a place on the axis of `n`. */
function sourceOf(node: Node, i: number, n: number, m: number, scale: number): number {
  switch (stringAttribute(node, 'coordinate_transformation_mode', 'half_pixel')) {
    case 'align_corners':
      return m === 1 ? 0 : (i * (n - 1)) / (m - 1)
    case 'asymmetric':
      return i / scale
    case 'pytorch_half_pixel':
      return m === 1 ? 0 : (i + 0.5) / scale - 0.5
    default:
      return (i + 0.5) / scale - 0.5
  }
}

/** The weights [m, n] by which one axis is resized. */
function resizeWeights(node: Node, n: number, m: number, scale: number): number[][] {
  const mode = stringAttribute(node, 'mode', 'nearest')
  const rounding = stringAttribute(node, 'nearest_mode', 'round_prefer_floor')
  const a = floatAttribute(node, 'cubic_coeff_a', -0.75)
  const clamp = (k: number): number => Math.min(n - 1, Math.max(0, k))
  const inside = intAttribute(node, 'exclude_outside', 0) === 1
  return Array.from({ length: m }, (_, i) => {
    const row = new Array<number>(n).fill(0)
    const put = (k: number, w: number): void => void (row[clamp(k)] = (row[clamp(k)] ?? 0) + w)
    const s = sourceOf(node, i, n, m, scale)
    if (mode === 'nearest') put(nearest(s, rounding), 1)
    else if (mode === 'linear') {
      const low = Math.floor(s)
      put(low, 1 - (s - low))
      put(low + 1, s - low)
    } else {
      const low = Math.floor(s)
      for (let j = -1; j <= 2; j++) {
        if (!inside || low + j === clamp(low + j)) put(low + j, cubic(Math.abs(s - low - j), a))
      }
      const total = row.reduce((sum, w) => sum + w, 0)
      if (inside) return row.map((w) => w / total)
    }
    return row
  })
}

function nearest(s: number, rounding: string): number {
  if (rounding === 'floor') return Math.floor(s)
  if (rounding === 'ceil') return Math.ceil(s)
  return rounding === 'round_prefer_ceil' ? Math.floor(s + 0.5) : Math.ceil(s - 0.5)
}

function cubic(t: number, a: number): number {
  if (t <= 1) return (a + 2) * t ** 3 - (a + 3) * t ** 2 + 1
  return t < 2 ? a * t ** 3 - 5 * a * t ** 2 + 8 * a * t - 4 * a : 0
}

const resize: Kernel = (node, [x, , scales, sizes]) => {
  const bySize = sizes !== undefined && sizes.data.length > 0
  const size = x.dims.map((n, k) => (bySize ? at(sizes, k) : Math.floor(n * at(scales, k))))
  return [
    size.reduce((y, m, k): Nd => {
      const n = x.dims[k] ?? 1
      if (m === n && (bySize || at(scales, k) === 1)) return y
      const rows = resizeWeights(node, n, m, bySize ? m / n : at(scales, k))
      const dims = y.dims.with(k, m)
      return nd(
        dims,
        (i) => {
          const c = coordsOf(i, dims)
          const row = rows[c[k] ?? 0] ?? []
          return row.reduce(
            (t, w, j) => (w === 0 ? t : t + w * at(y, flatOf(c.with(k, j), y.dims))),
            0,
          )
        },
        x.type,
      )
    }, x),
  ]
}

/** What looks through windows over space. */
export const windows: Readonly<Record<string, Kernel>> = {
  Conv: conv,
  ConvTranspose: convTranspose,
  MaxPool: maxPool,
  AveragePool: averagePool,
  GlobalAveragePool: globalPool((v) => v.reduce((s, e) => s + e, 0) / v.length),
  GlobalMaxPool: globalPool((v) => Math.max(...v)),
  Resize: resize,
}
