import { test } from 'node:test'
import { checkGradients } from '../check-gradient.ts'
import type { Draw } from '../check-gradient.ts'
import type { ReduceOp } from '../../builder.ts'

const reductions =
  'ReduceSum ReduceMean ReduceSumSquare ReduceL1 ReduceL2 ReduceLogSumExp ReduceMax ReduceMin'.split(
    ' ',
  ) as ReduceOp[]

function someAxes(draw: Draw, rank: number): number[] {
  const axes = Array.from({ length: rank }, (_, k) => k).filter(() => draw.yes())
  return axes.length === 0 ? [rank - 1] : axes.map((k) => (draw.yes() ? k : k - rank))
}

for (const op of reductions) {
  test(`${op} is differentiated over any axes, kept or dropped`, async () => {
    await checkGradients((draw) => {
      const rank = draw.int(1, 4)
      const axes = someAxes(draw, rank)
      return {
        wrt: { a: draw.normal(draw.dims(rank, 3), 0.1) },
        build: (b) => b.reduce(op, 'a', axes, draw.yes()),
        opset: draw.pick([17, 18]),
      }
    }, 16)
  })
}

test('ReduceLogSum takes positive numbers', async () => {
  await checkGradients((draw) => ({
    wrt: { a: draw.uniform(draw.dims(3, 3), 0.2, 3) },
    build: (b) => b.reduce('ReduceLogSum', 'a', [draw.int(0, 2)], draw.yes()),
  }))
})

test('a mean over an axis, broadcast back, sums right on an axis that stayed folded', async () => {
  await checkGradients((draw) => {
    const dims = draw.dims(3)
    return {
      wrt: { a: draw.normal(dims), b: draw.normal(draw.under(dims)) },
      build: (b) =>
        b.reduce('ReduceMean', b.op('Mul', [b.op('Add', ['a', 'b']), 'b']), [1, 2], draw.yes()),
    }
  })
})

for (const op of ['Softmax', 'LogSoftmax']) {
  test(`${op} is differentiated along any axis`, async () => {
    await checkGradients((draw) => {
      const rank = draw.int(1, 3)
      return {
        wrt: { a: draw.normal(draw.dims(rank, 5)) },
        build: (b) => b.op(op, ['a'], { axis: draw.int(-rank, rank - 1) }),
      }
    })
  })
}
