import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Draw } from '../check-gradient.ts'
import { checkGradients, runFloat32 } from '../check-gradient.ts'
import { gradient } from '../gradient.ts'
import { builder } from '../../builder.ts'
import type { Builder } from '../../builder.ts'
import { evaluate, shapesOf } from '../../reference/evaluate.ts'
import { nd } from '../../reference/nd.ts'
import type { Nd } from '../../reference/nd.ts'
import { contrastive, crossEntropy, languageModel } from './classify.ts'
import { noised, scaledLinearAlphas, meanSquare } from './denoise.ts'
import { binaryCrossEntropy, boxGiou, boxL1, corners, focal, rowsAt } from './detect.ts'
import { dice, maskLoss } from './mask.ts'
import { assign, giouOf, matchQueries } from './matching.ts'

/** The number that a loss gives for operands. */
function value(feeds: Readonly<Record<string, Nd>>, loss: (b: Builder) => string): number {
  const b = builder({ opset: 17 })
  for (const [name, { dims, type }] of Object.entries(feeds)) b.input(name, type, dims)
  const name = loss(b)
  return evaluate(b.graph(), feeds).get(name)?.data[0] ?? NaN
}

const labels = (b: Builder, draw: Draw, dims: readonly number[], below: number): string =>
  b.constant(
    Array.from({ length: dims.reduce((n, d) => n * d, 1) }, () => draw.int(0, below - 1)),
    dims,
    'int64',
  )

const bits = (b: Builder, draw: Draw, dims: readonly number[]): string =>
  b.constant(
    Array.from({ length: dims.reduce((n, d) => n * d, 1) }, () => draw.int(0, 1)),
    dims,
  )

test('cross-entropy is differentiated, with weights by row', async () => {
  await checkGradients((draw) => {
    const [n, c] = [draw.int(1, 4), draw.int(2, 4)]
    return {
      wrt: { z: draw.normal([n, c]) },
      build: (b) => {
        const weights = b.constant(
          Array.from({ length: n }, (_, i) => (i === 0 ? 1 : draw.int(0, 2))),
        )
        return crossEntropy(b, 'z', labels(b, draw, [n], c), draw.yes() ? { weights } : {})
      },
    }
  })
})

test('a row of weight zero changes nothing', () => {
  const z = nd([3, 4], (i) => Math.sin(i))
  const loss = (rows: number, weights: number[]) =>
    value({ z: nd([rows, 4], (i) => z.data[i] ?? 0) }, (b) =>
      crossEntropy(b, 'z', b.constant([1, 2, 0].slice(0, rows), [rows], 'int64'), {
        weights: b.constant(weights),
      }),
    )
  assert.ok(Math.abs(loss(3, [1, 1, 0]) - loss(2, [1, 1])) < 1e-12)
})

test('uniform logits cost the logarithm of the number of classes', () => {
  const got = value({ z: nd([2, 5], () => 0.3) }, (b) =>
    crossEntropy(b, 'z', b.constant([1, 4], [2], 'int64')),
  )
  assert.ok(Math.abs(got - Math.log(5)) < 1e-12)
})

test('a loss that is almost nothing sends no subnormal numbers back', async () => {
  const feeds = { z: nd([1, 4], (i) => [0, -40, -90, -100][i] ?? 0) }
  const b = builder({ opset: 17 })
  b.input('z', 'float32', [1, 4])
  const loss = crossEntropy(b, 'z', b.constant([0], [1], 'int64'))
  const graph = b.graph()
  const shapes = shapesOf(evaluate(graph, feeds))
  const { graph: both, gradients } = gradient(graph, { loss, wrt: ['z'], shapes })
  const dz = (await runFloat32(both, feeds))[gradients.z ?? '']?.data as Float32Array
  assert.ok(Math.abs((dz[1] ?? NaN) / Math.exp(-40) - 1) < 1e-5)
  assert.deepEqual([...dz.subarray(2)], [0, 0])
})

test('the contrastive loss is differentiated one way and both ways', async () => {
  await checkGradients((draw) => {
    const [n, c] = [draw.int(1, 3), draw.int(2, 4)]
    return {
      wrt: { f: draw.normal([n, 3], 0.2), t: draw.normal([c, 3]) },
      build: (b) =>
        contrastive(b, 'f', 't', labels(b, draw, [n], c), {
          scale: 3,
          ...(draw.yes() ? { pictures: labels(b, draw, [c], n) } : {}),
        }),
    }
  })
})

test('the language model loss predicts each token from those before', async () => {
  await checkGradients((draw) => {
    const dims = [draw.int(1, 2), draw.int(2, 4)]
    return {
      wrt: { z: draw.normal([...dims, 3]) },
      build: (b) =>
        languageModel(b, 'z', labels(b, draw, dims, 3), {
          weights: b.constant(new Array<number>((dims[0] ?? 1) * (dims[1] ?? 1)).fill(1), dims),
        }),
    }
  })
  // Logits that shout the next token cost nothing; those that shout the same token do.
  const tokens = [2, 0, 1, 2]
  const shout = (token: (t: number) => number) =>
    value({ z: nd([1, 4, 3], (i) => (i % 3 === token(Math.floor(i / 3)) ? 30 : 0)) }, (b) =>
      languageModel(b, 'z', b.constant(tokens, [1, 4], 'int64')),
    )
  assert.ok(shout((t) => tokens[t + 1] ?? 0) < 1e-9)
  assert.ok(shout((t) => tokens[t] ?? 0) > 10)
})

test('focal and binary cross-entropy are differentiated and agree for gamma 0, alpha one half', async () => {
  for (const loss of [focal, binaryCrossEntropy]) {
    await checkGradients((draw) => {
      const dims = draw.dims(2)
      return { wrt: { z: draw.normal(dims) }, build: (b) => loss(b, 'z', bits(b, draw, dims)) }
    })
  }
  const z = nd([6], (i) => i - 2.5)
  const y = (b: Builder) => b.constant([0, 1, 1, 0, 0, 1])
  const plain = value({ z }, (b) => binaryCrossEntropy(b, 'z', y(b)))
  const same = value({ z }, (b) => focal(b, 'z', y(b), { alpha: 0.5, gamma: 0 }))
  assert.ok(Math.abs(plain - 2 * same) < 1e-9)
})

test('focal loss stays finite where the sigmoid saturates', () => {
  const got = value({ z: nd([2], (i) => (i === 0 ? 80 : -80)) }, (b) =>
    focal(b, 'z', b.constant([0, 1])),
  )
  assert.ok(Number.isFinite(got) && got > 10)
})

test('L1 and GIoU of boxes are differentiated', async () => {
  await checkGradients((draw) => {
    const n = draw.int(1, 4)
    return {
      wrt: { p: draw.uniform([n, 4], 0.2, 0.45), q: draw.uniform([n, 4], 0.2, 0.45) },
      build: (b) => {
        const [p, q] = [corners(b, 'p'), corners(b, 'q')]
        return b.op('Add', [boxL1(b, 'p', 'q'), boxGiou(b, p, q)])
      },
    }
  })
})

test('GIoU in the graph equals GIoU in TypeScript and is 1 for equal boxes', () => {
  const box = fc.tuple(
    fc.double({ min: 0, max: 0.4, noNaN: true }),
    fc.double({ min: 0, max: 0.4, noNaN: true }),
    fc.double({ min: 0.5, max: 1, noNaN: true }),
    fc.double({ min: 0.5, max: 1, noNaN: true }),
  )
  fc.assert(
    fc.property(box, box, (p, q) => {
      const feeds = { p: nd([1, 4], (i) => p[i] ?? 0), q: nd([1, 4], (i) => q[i] ?? 0) }
      assert.ok(Math.abs(1 - value(feeds, (b) => boxGiou(b, 'p', 'q')) - giouOf(p, q)) < 1e-9)
      assert.ok(Math.abs(giouOf(p, p) - 1) < 1e-12)
    }),
    { numRuns: 30 },
  )
})

test('rows are taken by fed indices, each picture its own', async () => {
  await checkGradients((draw) => {
    const [n, q] = [draw.int(1, 2), draw.int(2, 4)]
    return {
      wrt: { v: draw.normal([n, q, 3]) },
      build: (b) => rowsAt(b, 'v', labels(b, draw, [n, 2], q)),
    }
  })
})

test('mask losses are differentiated in both forms', async () => {
  await checkGradients((draw) => {
    const dims = [draw.int(1, 2), ...draw.dims(2)]
    return {
      wrt: { z: draw.normal(dims) },
      build: (b) => maskLoss(b, 'z', bits(b, draw, dims), { pixels: draw.pick(['focal', 'bce']) }),
    }
  })
  const perfect = value({ z: nd([1, 4], (i) => (i < 2 ? 40 : -40)) }, (b) =>
    dice(b, 'z', b.constant([1, 1, 0, 0], [1, 4])),
  )
  assert.ok(Math.abs(perfect) < 1e-9)
})

test('noise and velocity give back the clean sample', () => {
  const clean = Float64Array.from({ length: 8 }, (_, i) => Math.sin(i))
  const noise = Float64Array.from({ length: 8 }, (_, i) => Math.cos(3 * i))
  for (const alphaBar of [0.1, 0.5, 0.99]) {
    const { sample, target } = noised(clean, noise, alphaBar, 'v')
    clean.forEach((x, i) => {
      const back =
        Math.sqrt(alphaBar) * (sample[i] ?? 0) - Math.sqrt(1 - alphaBar) * (target[i] ?? 0)
      assert.ok(Math.abs(back - x) < 1e-6)
    })
  }
  const alphas = scaledLinearAlphas()
  assert.ok((alphas[0] ?? 0) > 0.999 && (alphas[999] ?? 1) < 0.005)
})

test('the mean square of a prediction is differentiated', async () => {
  await checkGradients((draw) => {
    const dims = draw.dims(3)
    return {
      wrt: { p: draw.normal(dims), t: draw.normal(dims) },
      build: (b) => meanSquare(b, 'p', 't'),
    }
  }, 4)
})

function cheapest(cost: readonly (readonly number[])[], row = 0, used = new Set<number>()): number {
  if (row === cost.length) return 0
  let best = Infinity
  cost[row]?.forEach((c, j) => {
    if (used.has(j)) return
    best = Math.min(best, c + cheapest(cost, row + 1, new Set([...used, j])))
  })
  return best
}

test('the assignment is as cheap as the cheapest of all', () => {
  const matrix = fc
    .integer({ min: 1, max: 5 })
    .chain((n) =>
      fc.array(
        fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 6, maxLength: 6 }),
        { minLength: n, maxLength: n },
      ),
    )
  fc.assert(
    fc.property(matrix, (cost) => {
      const columns = assign(cost)
      assert.equal(new Set(columns).size, cost.length)
      const total = columns.reduce((sum, j, i) => sum + (cost[i]?.[j] ?? NaN), 0)
      assert.ok(Math.abs(total - cheapest(cost)) < 1e-9)
    }),
    { numRuns: 60 },
  )
})

test('each object is matched with the query that says it', () => {
  const boxes = [0.1, 0.1, 0.3, 0.3, 0.5, 0.5, 0.9, 0.9, 0.1, 0.1, 0.31, 0.3]
  const logits = [-4, -4, -4, 4, 4, -4]
  const targets = [
    { box: [0.5, 0.5, 0.9, 0.9], label: 1 },
    { box: [0.1, 0.1, 0.3, 0.3], label: 0 },
  ]
  assert.deepEqual(matchQueries({ logits, boxes, classes: 2, targets }), [1, 2])
  assert.deepEqual(matchQueries({ logits, boxes, classes: 2, targets: [] }), [])
})
