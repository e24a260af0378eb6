/**
 * How fast the ONNX codec reads and writes, and what memory it takes, on a look-alike of CLIP ViT-B/32
 * (351 MB, generated now, in the temporary folder). Run: node bench/onnx-codec.ts (memory on Linux only)
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import type { Builder, Model } from '../src/onnx/index.ts'
import {
  builder,
  checkModel,
  describeModel,
  modelOf,
  openSession,
  readModel,
  saveModel,
  SessionHost,
  specialise,
  verify,
  writeLean,
  writeModel,
} from '../src/onnx/index.ts'
import { seededRandom } from '../src/base/index.ts'

const [width, layers, heads, tokens] = [768, 12, 12, 50]

/** The picture encoder of CLIP ViT-B/32 as exporters write it, with random weights. */
function clip(): Model {
  const random = seededRandom(1)
  // One row of noise, repeated: drawing 88 million numbers would take longer than all else.
  const noise = Float32Array.from({ length: 8191 }, () => random.normal() * 0.02)
  const g = builder({ opset: 17 })
  const weight = (...dims: number[]): string => {
    const size = dims.reduce((a, b) => a * b, 1)
    const data = new Float32Array(size)
    for (let at = 0; at < size; at += noise.length) data.set(noise.subarray(0, size - at), at)
    return g.constant(data, dims)
  }
  const pixels = g.input('pixel_values', 'float32', ['batch', 3, 224, 224])
  const patches = g.op('Conv', [pixels, weight(width, 3, 32, 32)], { strides: [32, 32] })
  const flat = g.transpose(g.reshape(patches, [0, width, tokens - 1]), [0, 2, 1])
  const batch = g.op('Gather', [g.op('Shape', [pixels]), g.ints([0])], { axis: 0 })
  const shape = g.concat([batch, g.ints([1, width])], 0)
  const start = g.op('Expand', [weight(1, 1, width), shape])
  let x = g.op('Add', [g.concat([start, flat], 1), weight(1, tokens, width)])
  x = norm(g, x, weight)
  for (let i = 0; i < layers; i++) x = block(g, x, weight)
  const first = g.op('Gather', [x, g.scalar(0, 'int64')], { axis: 1 })
  g.op('MatMul', [norm(g, first, weight), weight(width, 512)], {}, { outputs: ['image_embeds'] })
  g.output('image_embeds', 'float32', ['batch', 512])
  return modelOf(g.graph())
}

type Weight = (...dims: number[]) => string

function norm(g: Builder, x: string, weight: Weight): string {
  return g.op('LayerNormalization', [x, weight(width), weight(width)], { axis: -1, epsilon: 1e-5 })
}

function linear(g: Builder, x: string, weight: Weight, from: number, to: number): string {
  return g.op('Add', [weight(to), g.op('MatMul', [x, weight(from, to)])])
}

function block(g: Builder, x: string, weight: Weight): string {
  const h = norm(g, x, weight)
  const split = (value: string): string =>
    g.transpose(g.reshape(value, [-1, tokens, heads, width / heads]), [0, 2, 1, 3])
  const q = g.op('Mul', [linear(g, h, weight, width, width), g.scalar((width / heads) ** -0.5)])
  const [k, v] = [linear(g, h, weight, width, width), linear(g, h, weight, width, width)]
  const scores = g.op('MatMul', [split(q), g.transpose(split(k), [0, 1, 3, 2])])
  const mixed = g.op('MatMul', [g.op('Softmax', [scores], { axis: -1 }), split(v)])
  const joined = g.reshape(g.transpose(mixed, [0, 2, 1, 3]), [-1, tokens, width])
  const y = g.op('Add', [x, linear(g, joined, weight, width, width)])
  const wide = linear(g, norm(g, y, weight), weight, width, 4 * width)
  const gelu = g.op('Mul', [wide, g.op('Sigmoid', [g.op('Mul', [wide, g.scalar(1.702)])])])
  return g.op('Add', [y, linear(g, gelu, weight, 4 * width, width)])
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

async function time(work: () => unknown, times = 5): Promise<number> {
  const spent: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    await work()
    spent.push(performance.now() - start)
  }
  return median(spent)
}

/** Peak memory of a fresh process that does one thing, in MB. */
async function peak(task: string, path: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, task, path])
  return Number(stdout) / 1024
}

const tasks: Readonly<Record<string, (path: string) => unknown>> = {
  nothing: () => undefined,
  open: (path) => readModel(path),
  read: async (path) => readModel(await readFile(path)),
  encode: async (path) => writeModel(readModel(await readFile(path))),
  session: (path) => openSession(path, { thread: 'here', preset: 'small-memory' }),
}

async function measure(path: string): Promise<void> {
  const bytes = await readFile(path)
  const model = readModel(bytes)
  const { nodes, weights } = describeModel(model)
  console.log(`${(bytes.length / 1e6).toFixed(0)} MB, ${nodes} nodes, ${weights.tensors} tensors\n`)
  const same = Buffer.compare(writeModel(model), bytes) === 0
  await using host = new SessionHost()
  const sizes = { pixel_values: [6, 3, 224, 224] }
  const create = (preset: 'fast' | 'training' | 'small-memory') => async (): Promise<void> => {
    const session = await openSession(path, { thread: 'here', preset })
    await session.close()
  }
  const rows: (readonly [string, number])[] = [
    ['decode from memory', await time(() => readModel(bytes))],
    ['open the file, weights left in it', await time(() => readModel(path))],
    ['verify', await time(() => verify(model.graph))],
    ['encode whole', await time(() => writeModel(model))],
    ['encode without weights', await time(() => writeLean(readModel(path)))],
    [
      'specialise (fold and infer shapes)',
      await time(() => specialise(readModel(path), sizes, { thread: host }), 3),
    ],
    ['create a session, fast', await time(create('fast'), 3)],
    ['create a session, training', await time(create('training'), 3)],
    ['create a session, small-memory', await time(create('small-memory'), 3)],
  ]
  console.log('| step | ms, median |\n|---|---|')
  for (const [name, ms] of rows) console.log(`| ${name} | ${ms.toFixed(1)} |`)
  console.log(`\nbytes identical after a round trip: ${same ? 'yes' : 'NO'}\n`)
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pupil-bench-'))
  try {
    const path = join(folder, 'clip.onnx')
    const start = performance.now()
    await saveModel(checkModel(clip()), path)
    console.log(
      `generated in ${(performance.now() - start).toFixed(0)} ms: ${(await stat(path)).size} bytes`,
    )
    await measure(path)
    console.log('| a fresh process that | peak memory, MB |\n|---|---|')
    for (const task of Object.keys(tasks))
      console.log(`| does ${task} | ${(await peak(task, path)).toFixed(0)} |`)
    await blocking(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** How long the event loop stands still while a worker runs the model. */
async function blocking(path: string): Promise<void> {
  await using session = await openSession(path, { preset: 'fast' })
  const data = new Float32Array(6 * 3 * 224 * 224).fill(0.1)
  const feeds = { pixel_values: { type: 'float32', dims: [6, 3, 224, 224], data } } as const
  await session.run(feeds)
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 1)
    last = performance.now()
  }, 1)
  const start = performance.now()
  for (let i = 0; i < 5; i++) await session.run(feeds)
  clearInterval(timer)
  const each = ((performance.now() - start) / 5).toFixed(0)
  console.log(
    `\na run of batch 6 in the worker takes ${each} ms; the event loop stood still for at most ${longest.toFixed(1)} ms`,
  )
}

if (isMainThread) {
  const [task, path] = process.argv.slice(2)
  const work = task === undefined ? undefined : tasks[task]
  if (work !== undefined && path !== undefined) {
    await work(path)
    // The high-water mark of this process alone; resourceUsage would count the parent's.
    const status = await readFile('/proc/self/status', 'utf8')
    console.log(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 'NaN')
  } else await main()
}
