import { test } from 'node:test'
import { checkGradients } from '../check-gradient.ts'
import type { Draw } from '../check-gradient.ts'
import type { Builder } from '../../builder.ts'
import { count } from '../../reference/nd.ts'

function indices(draw: Draw, dims: readonly number[], below: number): number[] {
  return Array.from({ length: count(dims) }, () => draw.int(-below, below - 1))
}

/** An index that the graph knows, or one that it cannot know before it runs. */
function index(b: Builder, draw: Draw, values: readonly number[], dims: readonly number[]): string {
  const constant = b.constant(values, dims, 'int64')
  if (draw.yes()) return constant
  return b.op('Add', [constant, b.constant([0], [], 'int64')])
}

test('Gather is differentiated for one index, a few, repeated and computed ones', async () => {
  await checkGradients((draw) => {
    const dims = draw.dims(3)
    const axis = draw.int(0, 2)
    const at = draw.pick([[], [1], [3], [2, 2]])
    return {
      wrt: { x: draw.normal(dims) },
      build: (b) =>
        b.op('Gather', ['x', index(b, draw, indices(draw, at, dims[axis] ?? 1), at)], {
          axis: draw.yes() ? axis : axis - 3,
        }),
    }
  }, 30)
})

test('GatherElements adds what was read twice', async () => {
  await checkGradients((draw) => {
    const dims = draw.dims(2)
    const axis = draw.int(0, 1)
    const at = dims.with(axis, draw.int(1, 4))
    return {
      wrt: { x: draw.normal(dims) },
      build: (b) =>
        b.op('GatherElements', ['x', index(b, draw, indices(draw, at, dims[axis] ?? 1), at)], {
          axis,
        }),
    }
  })
})

test('GatherND is differentiated for rows, cells and batches', async () => {
  await checkGradients((draw) => {
    const dims = [2, ...draw.dims(2, 3)]
    const batch = draw.int(0, 1)
    const width = draw.int(1, 3 - batch)
    const rows = Array.from({ length: batch === 1 ? 4 : 3 }, () =>
      dims.slice(batch, batch + width).map((d) => draw.int(-d, d - 1)),
    )
    const at = batch === 1 ? [2, 2, width] : [3, width]
    return {
      wrt: { x: draw.normal(dims) },
      build: (b) => b.op('GatherND', ['x', index(b, draw, rows.flat(), at)], { batch_dims: batch }),
    }
  }, 20)
})

test('ScatterElements is differentiated by data and updates', async () => {
  await checkGradients((draw) => {
    const [rows, columns] = [draw.int(2, 4), draw.int(1, 3)]
    const add = draw.yes()
    const order = Array.from({ length: rows }, (_, i) => i)
    const chosen = order.splice(draw.int(0, rows - 2), 2)
    const at = chosen.flatMap((row) =>
      Array.from({ length: columns }, () => (add ? (chosen[0] ?? 0) : row)),
    )
    return {
      wrt: { x: draw.normal([rows, columns]), u: draw.normal([2, columns]) },
      build: (b) =>
        b.op('ScatterElements', ['x', index(b, draw, at, [2, columns]), 'u'], {
          axis: 0,
          ...(add ? { reduction: 'add' } : {}),
        }),
    }
  })
})

test('ScatterND is differentiated by data and updates', async () => {
  await checkGradients((draw) => {
    const [rows, columns] = [draw.int(2, 4), draw.int(1, 3)]
    const start = draw.int(0, rows - 2)
    return {
      wrt: { x: draw.normal([rows, columns]), u: draw.normal([2, columns]) },
      build: (b) => b.op('ScatterND', ['x', index(b, draw, [start, start + 1], [2, 1]), 'u']),
    }
  })
})

test('TopK sends gradients to the places it chose', async () => {
  await checkGradients((draw) => {
    const dims = draw.dims(2, 5)
    const axis = draw.int(-1, 1)
    return {
      wrt: { x: draw.normal(dims) },
      build: (b) => {
        const k = b.ints([draw.int(1, dims.at(axis) ?? 1)])
        const [values = ''] = b.ops('TopK', ['x', k], 2, { axis, largest: draw.int(0, 1) })
        return values
      },
    }
  })
})
