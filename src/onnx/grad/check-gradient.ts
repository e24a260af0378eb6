import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Random } from '../../base/index.ts'
import { seededRandom } from '../../base/index.ts'
import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import type { Graph } from '../graph.ts'
import { modelOf } from '../graph.ts'
import { openSession } from '../open-session.ts'
import { evaluate, shapesOf } from '../reference/evaluate.ts'
import { count, nd } from '../reference/nd.ts'
import type { Nd } from '../reference/nd.ts'
import type { RunTensors } from '../session.ts'
import { gradient } from './gradient.ts'

/** What a test draws from: choices that shrink, numbers that are seeded. */
export interface Draw {
  int(min: number, max: number): number
  pick<T>(from: readonly T[]): T
  yes(): boolean
  /** Sizes 1 to `most` of `rank` axes. */
  dims(rank: number, most?: number): number[]
  /** Dims that broadcast to `dims`: some axes 1, some leading ones gone. */
  under(dims: readonly number[]): number[]
  /** Normal numbers, none nearer to zero than `gap`. */
  normal(dims: readonly number[], gap?: number): Nd
  /** Numbers from `low` to `high`. */
  uniform(dims: readonly number[], low: number, high: number): Nd
  readonly random: Random
}

/** A node or several under test. */
export interface GradientCase {
  /** Operands whose gradients are checked. */
  readonly wrt: Readonly<Record<string, Nd>>
  /** Writes the nodes and gives the value whose weighted sum is the loss. */
  readonly build: (b: Builder, x: Readonly<Record<string, string>>) => string
  readonly opset?: number
}

function drawFrom(gen: fc.GeneratorValue): Draw {
  const int = (min: number, max: number): number => gen(() => fc.integer({ min, max }))
  const random = seededRandom(int(0, 1 << 30))
  const pick = <T>(from: readonly T[]): T => from[int(0, from.length - 1)] as T
  const yes = (): boolean => int(0, 1) === 1
  return {
    int,
    pick,
    yes,
    random,
    dims: (rank, most = 4) => Array.from({ length: rank }, () => int(1, most)),
    under: (dims) => {
      const gone = int(0, dims.length)
      return dims.slice(yes() ? gone : 0).map((d) => (int(0, 2) === 0 ? 1 : d))
    },
    normal: (dims, gap = 0) =>
      nd(dims, () => {
        const v = random.normal()
        return v + Math.sign(v) * gap
      }),
    uniform: (dims, low, high) => nd(dims, () => low + (high - low) * random.next()),
  }
}

/** Checks a case over many drawn shapes and values. */
export async function checkGradients(make: (draw: Draw) => GradientCase, runs = 12): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (gen) => {
      const draw = drawFrom(gen)
      await checkGradient(make(draw), draw)
    }),
    { numRuns: runs, endOnFailure: true },
  )
}

/**
 * The length of the difference relative to the length of what was expected, or to `floor` where that
 * is longer: a gradient that nearly vanishes is a difference of larger terms, rounded as they are.
 */
export function relativeError(
  got: ArrayLike<number>,
  want: ArrayLike<number>,
  floor = 1e-3,
): number {
  assert.equal(got.length, want.length)
  let [difference, size] = [0, 0]
  for (let i = 0; i < want.length; i++) {
    difference += ((got[i] ?? NaN) - (want[i] ?? NaN)) ** 2
    size += (want[i] ?? NaN) ** 2
  }
  return Math.sqrt(difference) / Math.max(Math.sqrt(size), floor)
}

/** Values of a graph's named outputs as the runtime computes them in float32. */
export async function runFloat32(
  graph: Graph,
  feeds: Readonly<Record<string, Nd>>,
): Promise<RunTensors> {
  await using session = await openSession(modelOf(graph), { thread: 'here', threads: 1 })
  const tensors = Object.entries(feeds).map(([name, v]) => [
    name,
    v.type === 'int64'
      ? { type: 'int64', dims: v.dims, data: BigInt64Array.from(v.data, (e) => BigInt(e)) }
      : { type: 'float32', dims: v.dims, data: Float32Array.from(v.data) },
  ])
  return await session.run(Object.fromEntries(tensors))
}

/** Gradients of `loss` by central differences of the reference evaluator, in double precision. */
export function centralDifferences(
  graph: Graph,
  loss: string,
  feeds: Readonly<Record<string, Nd>>,
  names: readonly string[],
  step = 1e-5,
): number[] {
  const lossAt = (name: string, i: number, by: number): number => {
    const x = feeds[name] as Nd
    const data = x.data.slice()
    data[i] = (data[i] ?? 0) + by
    return evaluate(graph, { ...feeds, [name]: { ...x, data } }).get(loss)?.data[0] ?? NaN
  }
  return names.flatMap((name) =>
    Array.from(
      { length: count(feeds[name]?.dims ?? []) },
      (_, i) => (lossAt(name, i, step) - lossAt(name, i, -step)) / (2 * step),
    ),
  )
}

async function checkGradient(made: GradientCase, draw: Draw): Promise<void> {
  // What the runtime reads as float32 is what the reference starts from too.
  const feeds = Object.fromEntries(
    Object.entries(made.wrt).map(([name, v]) => [name, { ...v, data: v.data.map(Math.fround) }]),
  )
  const names = Object.keys(feeds)
  const b = builder({ opset: made.opset ?? 17 }, { prefix: 't' })
  for (const name of names) b.input(name, 'float32', feeds[name]?.dims ?? [])
  const y = made.build(b, Object.fromEntries(names.map((name) => [name, name])))
  const dims = evaluate(b.graph(), feeds).get(y)?.dims ?? []
  const weights = draw.normal(dims)
  const weighted = b.op('Mul', [y, b.constant([...weights.data], dims)])
  const loss = b.reduce(
    'ReduceSum',
    weighted,
    dims.map((_, k) => k),
    false,
  )
  const graph = b.graph()

  const forward = evaluate(graph, feeds)
  const made2 = gradient(graph, { loss, wrt: names, shapes: shapesOf(forward) })
  const want = centralDifferences(graph, loss, feeds, names)

  const exact = evaluate(made2.graph, feeds)
  const inDoubles = names.flatMap((name) => [
    ...(exact.get(made2.gradients[name] ?? '')?.data ?? []),
  ])
  const drift = relativeError(inDoubles, want)
  assert.ok(drift < 1e-6, `in double precision the gradient is off by ${drift}`)

  const results = await runFloat32(made2.graph, feeds)
  const [got, due] = [Number(results[loss]?.data[0]), forward.get(loss)?.data[0] ?? NaN]
  const apart = Math.abs(got - due)
  assert.ok(
    apart < 1e-4 * Math.max(1, Math.abs(due)),
    `forward the runtime gives ${got}, not ${due}`,
  )
  const inFloats = names.flatMap((name) => [
    ...((results[made2.gradients[name] ?? '']?.data ?? []) as Float32Array),
  ])
  const error = relativeError(inFloats, want, 0.05 * Math.sqrt(want.length))
  assert.ok(error < 1e-4, `in the runtime the gradient is off by ${error}`)
}
