import { test } from 'node:test'
import type { Draw, GradientCase } from '../check-gradient.ts'
import { checkGradients } from '../check-gradient.ts'

/** Two operands that broadcast to one another, perhaps both ways. */
function pair(draw: Draw, b: 'any' | 'away from zero' = 'any'): GradientCase['wrt'] {
  const dims = draw.dims(draw.int(0, 3))
  const [p, q] = draw.yes() ? [dims, draw.under(dims)] : [draw.under(dims), dims]
  return { a: draw.normal(p), b: draw.normal(q, b === 'any' ? 0 : 0.5) }
}

for (const op of ['Add', 'Sub', 'Mul', 'Div']) {
  test(`${op} is differentiated under every broadcast`, async () => {
    await checkGradients((draw) => ({
      wrt: pair(draw, op === 'Div' ? 'away from zero' : 'any'),
      build: (b) => b.op(op, ['a', 'b']),
    }))
  })

  test(`${op} of a value with itself counts both sides`, async () => {
    await checkGradients(
      (draw) => ({
        wrt: { a: draw.normal(draw.dims(2), 0.5) },
        build: (b) => b.op('Mul', [b.op(op, ['a', 'a']), 'a']),
      }),
      3,
    )
  })
}

for (const op of ['Sum', 'Mean']) {
  test(`${op} of several operands reaches each`, async () => {
    await checkGradients((draw) => {
      const dims = draw.dims(3, 3)
      return {
        wrt: {
          a: draw.normal(dims),
          b: draw.normal(draw.under(dims)),
          c: draw.normal(draw.under(dims)),
        },
        build: (b) => b.op(op, ['a', 'b', 'c']),
      }
    })
  })
}

for (const op of ['Max', 'Min']) {
  test(`${op} passes the gradient to the operand that won`, async () => {
    await checkGradients((draw) => {
      const dims = draw.dims(2)
      return {
        wrt: { a: draw.normal(dims), b: draw.normal(draw.under(dims)) },
        build: (b) => b.op(op, ['a', 'b', b.constant([0.1])]),
      }
    })
  })
}

test('Pow takes constant exponents, exponents for each element, and trainable ones', async () => {
  for (const p of [1, 2, 3, 0.5, -1, 0]) {
    await checkGradients(
      (draw) => ({
        wrt: { a: draw.uniform(draw.dims(2), 0.3, 2) },
        build: (b) => b.op('Pow', ['a', b.scalar(p)]),
      }),
      3,
    )
  }
  await checkGradients((draw) => {
    const dims = draw.dims(2)
    return {
      wrt: { a: draw.uniform(dims, 0.3, 2), p: draw.normal(draw.under(dims)) },
      build: (b) => b.op('Pow', ['a', 'p']),
    }
  })
})

const smooth: Readonly<Record<string, readonly [low: number, high: number]>> = {
  Neg: [-2, 2],
  Identity: [-2, 2],
  Dropout: [-2, 2],
  Exp: [-3, 3],
  Log: [0.2, 3],
  Sqrt: [0.2, 3],
  Reciprocal: [0.3, 2],
  Sin: [-6, 6],
  Cos: [-6, 6],
  Tan: [-1, 1],
  Atan: [-4, 4],
  Sigmoid: [-8, 8],
  Tanh: [-4, 4],
  Softplus: [-8, 8],
  Softsign: [-4, 4],
  Erf: [-3, 3],
}

for (const [op, [low, high]] of Object.entries(smooth)) {
  test(`${op} is differentiated over its range`, async () => {
    await checkGradients(
      (draw) => ({
        wrt: { a: draw.uniform(draw.dims(draw.int(0, 3)), low, high) },
        build: (b) => b.op(op, ['a']),
      }),
      8,
    )
  })
}

test('Cast carries the gradient back to the type of the operand', async () => {
  await checkGradients(
    (draw) => ({
      wrt: { a: draw.normal(draw.dims(2)) },
      build: (b) => {
        const wide = b.cast('a', 'float64')
        return b.cast(b.op('Mul', [wide, wide]), 'float32')
      },
    }),
    4,
  )
})

test('Where sends the gradient to the chosen side only', async () => {
  await checkGradients((draw) => {
    const dims = draw.dims(2)
    const mask = Array.from({ length: dims[1] ?? 1 }, () => draw.int(0, 1))
    return {
      wrt: { a: draw.normal(draw.under(dims)), b: draw.normal(dims) },
      build: (b) => b.op('Where', [b.constant(mask, [mask.length], 'bool'), 'a', 'b']),
    }
  })
})
