import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { adam, adamw } from './adam.ts'
import { clipByGlobalNorm, globalNorms } from './clip.ts'
import { applyUpdates, chain, scale } from './optimizer.ts'
import type { Floats, Optimizer, Params } from './optimizer.ts'
import { cosine, descend, linear, stepDecay, warmup } from './schedule.ts'
import { sgd } from './sgd.ts'

const number = fc
  .double({ min: -10, max: 10, noNaN: true })
  .map((v) => (Math.abs(v) < 1e-3 ? 1 : v))
const history = fc.array(fc.array(number, { minLength: 3, maxLength: 3 }), {
  minLength: 1,
  maxLength: 12,
})

function close(a: number, b: number, tolerance = 1e-9): void {
  const bound = tolerance * Math.max(1, Math.abs(a), Math.abs(b))
  assert.ok(Math.abs(a - b) <= bound, `${a} is not ${b}`)
}

function walk(
  optimizer: Optimizer,
  start: readonly number[],
  grads: readonly (readonly number[])[],
): Floats {
  let params: Params = { p: Float64Array.from(start) }
  let state = optimizer.init(params)
  for (const g of grads) {
    const [updates, next] = optimizer.update({ p: Float64Array.from(g) }, state, params)
    params = applyUpdates(params, updates)
    state = next
  }
  return params['p'] ?? new Float64Array()
}

test('Adam equals the moments written out as weighted sums over the whole history', () => {
  fc.assert(
    fc.property(history, (grads) => {
      const [rate, b1, b2, eps] = [0.1, 0.8, 0.95, 1e-6]
      const got = walk(adam({ rate, beta1: b1, beta2: b2, epsilon: eps }), [1, 2, 3], grads)
      for (let k = 0; k < 3; k++) {
        let p = k + 1
        for (let t = 1; t <= grads.length; t++) {
          let [m, v, wm, wv] = [0, 0, 0, 0]
          for (let i = 1; i <= t; i++) {
            const g = grads[i - 1]?.[k] ?? 0
            m += b1 ** (t - i) * g
            v += b2 ** (t - i) * g * g
            wm += b1 ** (t - i)
            wv += b2 ** (t - i)
          }
          p -= (rate * m) / wm / (Math.sqrt(v / wv) + eps)
        }
        close(got[k] ?? NaN, p)
      }
    }),
    { numRuns: 50 },
  )
})

test('the first step of Adam has the length of the rate, whatever the gradient', () => {
  fc.assert(
    fc.property(number, (g) => {
      close(walk(adam({ rate: 0.01 }), [0], [[g]])[0] ?? NaN, -0.01 * Math.sign(g), 1e-6)
    }),
  )
})

test('AdamW with a zero gradient only decays, and not what was left out', () => {
  const kept = adamw({ rate: 0.1, decay: 0.5, decayed: () => false })
  assert.deepEqual([...walk(kept, [3], [[0], [0]])], [3])
  close(walk(adamw({ rate: 0.1, decay: 0.5 }), [3], [[0], [0]])[0] ?? NaN, 3 * 0.95 ** 2)
})

test('AdamW without decay is Adam', () => {
  fc.assert(
    fc.property(history, (grads) => {
      const a = walk(adam({ rate: 0.1 }), [1, 2, 3], grads)
      assert.deepEqual(walk(adamw({ rate: 0.1, decay: 0 }), [1, 2, 3], grads), a)
    }),
    { numRuns: 20 },
  )
})

test('momentum under a constant gradient follows the geometric series', () => {
  const [mu, g, rate, n] = [0.9, 2, 0.1, 7]
  const velocity = (t: number): number => (g * (1 - mu ** t)) / (1 - mu)
  let plain = 0
  let ahead = 0
  for (let t = 1; t <= n; t++) {
    plain -= rate * velocity(t)
    ahead -= rate * (g + mu * velocity(t))
  }
  const grads = Array.from({ length: n }, () => [g])
  close(walk(sgd({ rate, momentum: mu }), [0], grads)[0] ?? NaN, plain)
  close(walk(sgd({ rate, momentum: mu, nesterov: true }), [0], grads)[0] ?? NaN, ahead)
})

test('clipping keeps the direction and bounds the length, for each instance apart', () => {
  const pair = fc.tuple(
    fc.array(number, { minLength: 4, maxLength: 4 }),
    fc.double({ min: 0.1, max: 20, noNaN: true }),
  )
  fc.assert(
    fc.property(pair, ([g, max]) => {
      const grads = { p: Float64Array.from(g), q: Float64Array.from(g.map((v) => v / 2)) }
      const [clipped] = clipByGlobalNorm(max, { instances: 2 }).update(grads, null, grads)
      globalNorms(clipped, 2).forEach((norm, k) => {
        const before = globalNorms(grads, 2)[k] ?? 0
        close(norm, Math.min(before, max))
        for (const name of ['p', 'q'] as const) {
          for (let i = 2 * k; i < 2 * k + 2; i++) {
            close((clipped[name]?.[i] ?? NaN) * before, (grads[name][i] ?? NaN) * norm)
          }
        }
      })
    }),
  )
})

test('short gradients pass the clip as the same object', () => {
  const grads = { p: Float32Array.of(0.1) }
  assert.equal(clipByGlobalNorm(1).update(grads, null, grads)[0], grads)
})

test('schedules start, turn and end where they say', () => {
  const curve = cosine(1, 10, 0.1)
  close(curve(0), 1)
  close(curve(5), 0.55)
  close(curve(99), 0.1)
  for (let i = 0; i < 10; i++) assert.ok(curve(i) > curve(i + 1))
  close(linear(2, 4, 4)(1), 2.5)
  close(stepDecay(1, 3, 0.5)(6), 0.25)
  const rise = warmup(4, curve)
  close(rise(0), 0.25)
  close(rise(3), 1)
  close(rise(9), curve(5))
})

test('a scheduled rate advances with each update and its state can be stored as JSON', () => {
  const optimizer = descend(linear(1, 0, 2))
  const g = { p: Float64Array.of(1) }
  let state = optimizer.init(g)
  const seen: number[] = []
  for (let i = 0; i < 3; i++) {
    const [updates, next] = optimizer.update(g, JSON.parse(JSON.stringify(state)), g)
    seen.push(updates['p']?.[0] ?? NaN)
    state = next
  }
  assert.deepEqual(seen, [-1, -0.5, -0])
})

test('a chain hands each part the result of the one before', () => {
  const [updates] = chain(scale(3) as Optimizer, scale(-2) as Optimizer).update(
    { p: Float32Array.of(1, 2) },
    [null, null],
    {},
  )
  assert.deepEqual(updates, { p: Float32Array.of(-6, -12) })
})

test('nothing that was given is changed', () => {
  const params = { p: Float32Array.of(1, 2) }
  const grads = { p: Float32Array.of(3, -4) }
  const optimizer = chain(clipByGlobalNorm(1) as Optimizer, adamw({ rate: 0.1 }))
  const state = optimizer.init(params)
  const [, second] = optimizer.update(grads, state, params)
  const copy = structuredClone(second)
  optimizer.update(grads, second, params)
  assert.deepEqual(second, copy)
  assert.deepEqual(params, { p: Float32Array.of(1, 2) })
  assert.deepEqual(grads, { p: Float32Array.of(3, -4) })
})

test('every optimiser reaches the bottom of a bowl', () => {
  const rules = [
    sgd({ rate: 0.1 }),
    sgd({ rate: 0.05, momentum: 0.8, nesterov: true }),
    adam({ rate: 0.1 }),
    adamw({ rate: 0.1, decay: 1e-4 }),
  ]
  for (const optimizer of rules) {
    let params: Params = { p: Float32Array.of(3, -2) }
    let state = optimizer.init(params)
    for (let i = 0; i < 400; i++) {
      const p = params['p'] ?? new Float32Array()
      const [updates, next] = optimizer.update({ p: p.map((v) => 2 * (v - 1)) }, state, params)
      params = applyUpdates(params, updates)
      state = next
    }
    for (const v of params['p'] ?? []) close(v, 1, 1e-2)
  }
})
