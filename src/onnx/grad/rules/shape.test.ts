import { test } from 'node:test'
import type { Draw } from '../check-gradient.ts'
import { checkGradients } from '../check-gradient.ts'
import { count } from '../../reference/nd.ts'

const far = 2 ** 31 - 1

function shuffled(draw: Draw, rank: number): number[] {
  const left = Array.from({ length: rank }, (_, k) => k)
  return Array.from({ length: rank }, () => left.splice(draw.int(0, left.length - 1), 1)[0] ?? 0)
}

test('Reshape, Flatten, Squeeze and Unsqueeze put the gradient back in shape', async () => {
  await checkGradients((draw) => {
    const dims = draw.dims(3)
    return {
      wrt: { x: draw.normal(dims) },
      build: (b) => {
        const twice = b.op('Mul', ['x', 'x'])
        switch (draw.int(0, 3)) {
          case 0:
            return b.reshape(twice, [0, -1])
          case 1:
            return b.op('Flatten', [twice], { axis: draw.int(0, 3) })
          case 2:
            return b.squeeze(b.unsqueeze(twice, [1]), [1])
          default:
            return b.reshape(twice, [count(dims)])
        }
      },
    }
  }, 16)
})

test('Transpose is undone by the inverse permutation', async () => {
  await checkGradients((draw) => {
    const rank = draw.int(1, 4)
    return {
      wrt: { x: draw.normal(draw.dims(rank, 3)) },
      build: (b) =>
        draw.yes() ? b.transpose('x', shuffled(draw, rank)) : b.op('Transpose', ['x']),
    }
  })
})

test('Expand and Tile sum what they repeated', async () => {
  await checkGradients((draw) => {
    const dims = draw.dims(3, 3)
    return {
      wrt: { x: draw.normal(draw.under(dims)) },
      build: (b) => b.op('Expand', ['x', b.ints(dims)]),
    }
  })
  await checkGradients((draw) => ({
    wrt: { x: draw.normal(draw.dims(2, 3)) },
    build: (b) => b.op('Tile', ['x', b.ints([draw.int(1, 3), draw.int(1, 3)])]),
  }))
})

test('Concat and Split part and join along any axis, unused parts being zero', async () => {
  await checkGradients((draw) => {
    const dims = draw.dims(3, 3)
    const axis = draw.int(0, 2)
    return {
      wrt: { x: draw.normal(dims), y: draw.normal(dims.with(axis, draw.int(1, 3))) },
      build: (b) => b.concat(['x', 'y', 'x'], draw.yes() ? axis : axis - 3),
    }
  })
  await checkGradients((draw) => {
    const sizes = draw.dims(3, 2)
    const axis = draw.int(0, 1)
    return {
      wrt: { x: draw.normal([2, 2].with(axis, sizes[0]! + sizes[1]! + sizes[2]!)) }, // three were drawn
      build: (b) => {
        const parts = b.split('x', axis, sizes)
        return b.op('Mul', [parts[0] ?? '', b.reduce('ReduceSum', parts[2] ?? '', [0, 1])])
      },
    }
  })
})

test('Slice is differentiated forwards and backwards, with any step', async () => {
  await checkGradients((draw) => {
    const dims = [draw.int(1, 6), draw.int(1, 6)]
    const step = draw.pick([1, 1, 2, 3, -1, -2])
    const axis = draw.int(0, 1)
    const n = dims[axis] ?? 1
    const low = draw.int(0, n - 1)
    const [start, end] =
      step > 0
        ? [draw.yes() ? low : low - n, draw.pick([far, n, low + 1])]
        : [draw.pick([-1, low]), -far]
    return {
      wrt: { x: draw.normal(dims) },
      build: (b) =>
        step === 1
          ? b.slice('x', [start], [end], [axis])
          : b.slice('x', [start], [end], [axis], [step]),
    }
  }, 30)
})

test('Slice without axes takes the first ones', async () => {
  await checkGradients(
    (draw) => ({
      wrt: { x: draw.normal([4, 3, 2]) },
      build: (b) => b.op('Slice', ['x', b.ints([1, 1]), b.ints([3, 3])]),
    }),
    3,
  )
})

test('Pad grows and crops', async () => {
  await checkGradients((draw) => {
    const pads = Array.from({ length: 4 }, () => draw.int(-1, 2))
    return {
      wrt: { x: draw.normal([draw.int(3, 5), draw.int(3, 5)]) },
      build: (b) => b.pad('x', pads, draw.yes() ? { fill: b.scalar(3) } : {}),
    }
  }, 20)
})

test('DepthToSpace in both modes and SpaceToDepth undo one another', async () => {
  await checkGradients((draw) => ({
    wrt: { x: draw.normal([draw.int(1, 2), 8, draw.int(1, 3), draw.int(1, 3)]) },
    build: (b) => b.op('DepthToSpace', ['x'], { blocksize: 2, mode: draw.pick(['DCR', 'CRD']) }),
  }))
  await checkGradients((draw) => ({
    wrt: { x: draw.normal([draw.int(1, 2), 2, 4, 6]) },
    build: (b) => b.op('SpaceToDepth', ['x'], { blocksize: 2 }),
  }))
})

test('CumSum and Trilu are differentiated in every direction', async () => {
  await checkGradients(
    (draw) => ({
      wrt: { x: draw.normal(draw.dims(3)) },
      build: (b) =>
        b.op('CumSum', ['x', b.constant([draw.int(-3, 2)], [], 'int64')], {
          exclusive: draw.int(0, 1),
          reverse: draw.int(0, 1),
        }),
    }),
    16,
  )
  await checkGradients((draw) => ({
    wrt: { x: draw.normal([2, ...draw.dims(2)]) },
    build: (b) =>
      b.op('Trilu', draw.yes() ? ['x'] : ['x', b.constant([draw.int(-2, 2)], [], 'int64')], {
        upper: draw.int(0, 1),
      }),
  }))
})
