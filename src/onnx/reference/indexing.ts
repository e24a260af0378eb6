import { intAttribute, stringAttribute } from '../attribute.ts'
import type { Kernel } from './evaluate.ts'
import { at, axisOf, coordsOf, count, flatOf, nd } from './nd.ts'
import type { Nd } from './nd.ts'

const wrap = (i: number, d: number): number => (i < 0 ? i + d : i)

const gather: Kernel = (node, [x, index]) => {
  const axis = axisOf(intAttribute(node, 'axis', 0), x.dims.length)
  const dims = [...x.dims.slice(0, axis), ...index.dims, ...x.dims.slice(axis + 1)]
  const pick = (i: number): number => {
    const c = coordsOf(i, dims)
    const inner = c.slice(axis, axis + index.dims.length)
    const row = wrap(at(index, flatOf(inner, index.dims)), x.dims[axis] ?? 1)
    return at(x, flatOf([...c.slice(0, axis), row, ...c.slice(axis + index.dims.length)], x.dims))
  }
  return [nd(dims, pick, x.type)]
}

const gatherElements: Kernel = (node, [x, index]) => {
  const axis = axisOf(intAttribute(node, 'axis', 0), x.dims.length)
  const pick = (i: number): number => {
    const row = wrap(at(index, i), x.dims[axis] ?? 1)
    return at(x, flatOf(coordsOf(i, index.dims).with(axis, row), x.dims))
  }
  return [nd(index.dims, pick, x.type)]
}

/** Where the rows that an index array of GatherND names begin, and how long they are. */
function rowsOf(x: Nd, index: Nd, batch: number): { starts: number[]; size: number } {
  const width = index.dims.at(-1) ?? 1
  const size = count(x.dims.slice(batch + width))
  const rows = index.data.length / width
  const perBatch = rows / count(index.dims.slice(0, batch))
  const starts = Array.from({ length: rows }, (_, r) => {
    let flat = Math.floor(r / perBatch)
    for (let j = 0; j < width; j++) {
      const d = x.dims[batch + j] ?? 1
      flat = flat * d + wrap(at(index, r * width + j), d)
    }
    return flat * size
  })
  return { starts, size }
}

const gatherNd: Kernel = (node, [x, index]) => {
  const batch = intAttribute(node, 'batch_dims', 0)
  const { starts, size } = rowsOf(x, index, batch)
  const dims = [...index.dims.slice(0, -1), ...x.dims.slice(batch + (index.dims.at(-1) ?? 1))]
  return [nd(dims, (i) => at(x, (starts[Math.floor(i / size)] ?? 0) + (i % size)), x.type)]
}

const combine: Readonly<Record<string, (old: number, now: number) => number>> = {
  none: (_, now) => now,
  add: (old, now) => old + now,
  mul: (old, now) => old * now,
  max: Math.max,
  min: Math.min,
}

const scatterElements: Kernel = (node, [x, index, updates]) => {
  const axis = axisOf(intAttribute(node, 'axis', 0), x.dims.length)
  const join = combine[stringAttribute(node, 'reduction', 'none')] ?? combine['none']
  const data = x.data.slice()
  index.data.forEach((row, i) => {
    const place = coordsOf(i, index.dims).with(axis, wrap(row, x.dims[axis] ?? 1))
    const flat = flatOf(place, x.dims)
    data[flat] = join?.(data[flat] ?? 0, at(updates, i)) ?? NaN
  })
  return [{ ...x, data }]
}

const scatterNd: Kernel = (node, [x, index, updates]) => {
  const join = combine[stringAttribute(node, 'reduction', 'none')] ?? combine['none']
  const { starts, size } = rowsOf(x, index, 0)
  const data = x.data.slice()
  for (let i = 0; i < updates.data.length; i++) {
    const flat = (starts[Math.floor(i / size)] ?? 0) + (i % size)
    data[flat] = join?.(data[flat] ?? 0, at(updates, i)) ?? NaN
  }
  return [{ ...x, data }]
}

const topK: Kernel = (node, [x, k]) => {
  const axis = axisOf(intAttribute(node, 'axis', -1), x.dims.length)
  const sign = intAttribute(node, 'largest', 1) === 1 ? -1 : 1
  const dims = x.dims.with(axis, at(k, 0))
  const ranked = (i: number): { value: number; row: number } => {
    const coords = coordsOf(i, dims)
    const line = Array.from({ length: x.dims[axis] ?? 1 }, (_, row) => ({
      row,
      value: at(x, flatOf(coords.with(axis, row), x.dims)),
    }))
    line.sort((a, b) => sign * (a.value - b.value) || a.row - b.row)
    return line[coords[axis] ?? 0] ?? { value: NaN, row: -1 }
  }
  return [nd(dims, (i) => ranked(i).value, x.type), nd(dims, (i) => ranked(i).row, 'int64')]
}

const oneHot: Kernel = (node, [index, depth, values]) => {
  const n = at(depth, 0)
  const rank = index.dims.length + 1
  const axis = axisOf(intAttribute(node, 'axis', -1), rank)
  const dims = [...index.dims.slice(0, axis), n, ...index.dims.slice(axis)]
  const pick = (i: number): number => {
    const c = coordsOf(i, dims)
    const want = wrap(at(index, flatOf(c.toSpliced(axis, 1), index.dims)), n)
    return at(values, Number(want === c[axis]))
  }
  return [nd(dims, pick, values.type)]
}

/** What reads and writes by index. */
export const indexing: Readonly<Record<string, Kernel>> = {
  Gather: gather,
  GatherElements: gatherElements,
  GatherND: gatherNd,
  ScatterElements: scatterElements,
  ScatterND: scatterNd,
  TopK: topK,
  OneHot: oneHot,
}
