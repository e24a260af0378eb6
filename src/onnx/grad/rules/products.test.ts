import { test } from 'node:test'
import type { GradientCase } from '../check-gradient.ts'
import { checkGradients } from '../check-gradient.ts'

test('MatMul is differentiated under every broadcast of batches and for operands of one axis', async () => {
  await checkGradients((draw) => {
    const [m, k, n] = draw.dims(3) as [number, number, number]
    const lead = draw.dims(draw.int(0, 2), 3)
    const [p, q] = draw.yes() ? [lead, draw.under(lead)] : [draw.under(lead), lead]
    const a = draw.int(0, 4) === 0 ? [k] : [...p, m, k]
    const b = draw.int(0, 4) === 0 ? [k] : [...q, k, n]
    return {
      wrt: { a: draw.normal(a), b: draw.normal(b) },
      build: (w) => w.op('MatMul', ['a', 'b']),
    }
  }, 40)
})

test('Gemm is differentiated with both flags, factors and any bias', async () => {
  await checkGradients((draw) => {
    const [m, k, n] = draw.dims(3) as [number, number, number]
    const [transA, transB] = [draw.int(0, 1), draw.int(0, 1)]
    const c: GradientCase['wrt'] =
      draw.int(0, 3) === 0 ? {} : { c: draw.normal(draw.pick([[n], [m, n], [m, 1], [1, n], []])) }
    return {
      wrt: {
        a: draw.normal(transA ? [k, m] : [m, k]),
        b: draw.normal(transB ? [n, k] : [k, n]),
        ...c,
      },
      build: (w) =>
        w.op('Gemm', ['c' in c ? ['a', 'b', 'c'] : ['a', 'b']].flat(), {
          transA,
          transB,
          alpha: draw.pick([1, 0.7]),
          beta: draw.pick([1, -1.3]),
        }),
    }
  }, 30)
})

test('Einsum is differentiated for contractions, sums, dots and three operands', async () => {
  const equations = [
    'ij,jk->ik',
    'bij,jik->bk',
    'bhqd,bhkd->bhqk',
    'ij->i',
    'ij,i->',
    'ij,jk',
    '...pd,...qd->...pq',
    'ij,jk,kl->il',
    'bqc,bchw->bqhw',
    'i,j->ij',
  ]
  for (const equation of equations) {
    await checkGradients((draw) => {
      const sizes = new Map([...'bhijklpqdcw'].map((l) => [l, draw.int(1, 3)]))
      const terms = (equation.split('->')[0] ?? '').split(',')
      const wrt = Object.fromEntries(
        terms.map((term, i) => {
          const lead = term.startsWith('...') ? [2] : []
          const letters = [...term.replace('...', '')]
          return [`x${i}`, draw.normal([...lead, ...letters.map((l) => sizes.get(l) ?? 1)])]
        }),
      )
      return { wrt, build: (b) => b.op('Einsum', Object.keys(wrt), { equation }) }
    }, 3)
  }
})
