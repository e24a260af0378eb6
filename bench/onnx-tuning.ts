/**
 * Speed and memory of prompt tuning on a generated look-alike of CLIP ViT-B/32.
 *
 *   node bench/onnx-tuning.ts [--clock wall|cpu] [--threads 2] [--batch 6] [--rounds 5] [--python PYTHON_WITH_TORCH] [--shape L14]
 *
 * Forms: A carries prompts as tokens, B is the key/value form, "last" computes the class token alone in the
 * last block, "cut" runs what no prompt reaches once. All forms, and PyTorch where given, alternate within
 * one run; ratios are medians over rounds. On a machine that others use, `--clock cpu --threads 1` counts the
 * processor time of each process instead of the time on the wall.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { seededRandom } from '../src/base/index.ts'
import type { Injection, Model, RunTensors, Session, Specialised } from '../src/onnx/index.ts'
import {
  adam,
  applyUpdates,
  builder,
  contrastive,
  cutFrozen,
  gradient,
  inferShapes,
  inject,
  modelOf,
  openSession,
  prepare,
  readModel,
  saveModel,
  withGraph,
} from '../src/onnx/index.ts'
import type { Params } from '../src/onnx/index.ts'
import { vitB32, vitL14, vitModel } from './onnx-vit.ts'

const { values: flags } = parseArgs({
  options: {
    threads: { type: 'string', default: String(availableParallelism()) },
    batch: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '5' },
    prompts: { type: 'string', default: '100' },
    shape: { type: 'string', default: 'B32' },
    python: { type: 'string' },
    preset: { type: 'string', default: 'training' },
    clock: { type: 'string', default: 'wall' },
  },
})
const threads = Number(flags.threads)
const rounds = Number(flags.rounds)
const count = Number(flags.prompts)
const shape = flags.shape === 'L14' ? vitL14 : vitB32
const session = {
  thread: 'here',
  threads,
  preset: flags.preset as 'training' | 'small-memory',
} as const
const random = seededRandom('bench')
const wall = (): number => performance.now()
const spent = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const now = flags.clock === 'cpu' ? spent : wall
const median = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[list.length >> 1] ?? NaN

function floats(
  dims: readonly number[],
  scale = 1,
): { type: 'float32'; dims: readonly number[]; data: Float32Array } {
  const data = Float32Array.from(
    { length: dims.reduce((n, d) => n * d, 1) },
    () => scale * random.normal(),
  )
  return { type: 'float32', dims, data }
}

interface Program {
  readonly step: () => Promise<number>
  readonly close: () => Promise<void>
  readonly opened: number
  readonly gflop: number
}

/** Arithmetic of the products of a graph with known shapes, in GFLOP. */
async function gflopOf(model: Model): Promise<number> {
  const shapes = await inferShapes(model, { thread: 'here' })
  let total = 0
  for (const node of model.graph.nodes) {
    const [out, a, w] = [node.outputs[0], node.inputs[0], node.inputs[1]].map(
      (name) => shapes.get(name ?? '')?.dims ?? [],
    )
    const size = (dims: readonly number[] | undefined): number =>
      (dims ?? []).reduce((n, d) => n * d, 1)
    if (node.op === 'MatMul') total += 2 * size(out) * (a?.at(-1) ?? 0)
    if (node.op === 'Gemm') total += 2 * size(out) * ((a?.length ?? 0) === 2 ? (a?.[1] ?? 0) : 0)
    if (node.op === 'Conv') total += 2 * size(out) * size(w?.slice(1))
  }
  return total / 1e9
}

async function forward(prepared: Specialised, batch: number): Promise<Program> {
  const start = now()
  const opened = await openSession(prepared.model, session)
  const feeds = { pixel_values: floats([batch, 3, shape.picture, shape.picture]) }
  return {
    opened: now() - start,
    gflop: await gflopOf(prepared.model),
    step: async () => {
      const from = now()
      await opened.run(feeds)
      return now() - from
    },
    close: () => opened.close(),
  }
}

async function program(
  prepared: Specialised,
  injection: Injection,
  batch: number,
  cut: boolean,
): Promise<Program> {
  const start = now()
  const prompted = await inject(prepared, injection, batch, { thread: 'here' })
  const b = builder(prompted.model.graph, { prefix: 'loss' })
  const text = b.input('text', 'float32', [8, shape.embedding])
  const target = b.input('target', 'int64', [batch])
  const loss = contrastive(b, 'image_embeds', text, target)
  const full = withGraph(prompted.model, b.graph())
  const names = prompted.prompts.map(({ name }) => name)
  const shapes = await inferShapes(full, { thread: 'here' })
  const made = gradient(full.graph, { loss, wrt: names, shapes })
  const frozen = cut ? cutFrozen(made.graph, names, shapes) : { rest: made.graph, values: [] }
  const fixed: Record<string, RunTensors[string]> = {
    pixel_values: floats([batch, 3, shape.picture, shape.picture]),
    text: floats([8, shape.embedding], 0.05),
    target: {
      type: 'int64',
      dims: [batch],
      data: BigInt64Array.from({ length: batch }, (_, i) => BigInt(i % 8)),
    },
  }
  if (frozen.prefix !== undefined) {
    await using first = await openSession(withGraph(full, frozen.prefix), {
      ...session,
      preset: 'small-memory',
    })
    const wanted = new Set(first.inputs.map(({ name }) => name))
    const given = Object.entries(fixed).filter(([name]) => wanted.has(name))
    Object.assign(fixed, await first.run(Object.fromEntries(given)))
  }
  const graph = withGraph(full, frozen.rest)
  const opened: Session = await openSession(graph, session)
  const ms = now() - start
  const known = new Set(opened.inputs.map(({ name }) => name))
  const feeds = Object.fromEntries(Object.entries(fixed).filter(([name]) => known.has(name)))
  const optimizer = adam({ rate: 1e-2 })
  let params: Params = Object.fromEntries(
    prompted.prompts.map(({ name, dims }) => [name, floats(dims, 0.02).data]),
  )
  let state = optimizer.init(params)
  return {
    opened: ms,
    gflop: await gflopOf(graph),
    step: async () => {
      const from = now()
      const prompts = Object.fromEntries(
        prompted.prompts.map(({ name, dims }) => [
          name,
          { type: 'float32' as const, dims, data: params[name] as Float32Array },
        ]),
      )
      const results = await opened.run({ ...feeds, ...prompts })
      const grads = Object.fromEntries(
        names.map((name) => [name, results[made.gradients[name] ?? '']?.data as Float32Array]),
      )
      const [updates, next] = optimizer.update(grads, state, params)
      params = applyUpdates(params, updates)
      state = next
      return now() - from
    },
    close: () => opened.close(),
  }
}

/** The rate of a large product, in GFLOP a second. */
async function peakOf(): Promise<() => Promise<number>> {
  const n = 2048
  const b = builder({ opset: 17 })
  b.input('a', 'float32', [n, n])
  b.output(b.op('MatMul', ['a', b.constant(floats([n, n]).data, [n, n])], {}, { outputs: ['y'] }))
  const opened = await openSession(modelOf(b.graph()), { ...session, preset: 'fast' })
  const a = floats([n, n])
  await opened.run({ a })
  return async () => {
    const from = now()
    for (let i = 0; i < 3; i++) await opened.run({ a })
    return (3 * 2 * n ** 3) / (now() - from) / 1e6
  }
}

interface Torch {
  ask(form: string, batch: number, layers: number): Promise<number>
  readonly version: string
  close(): void
}

async function openTorch(python: string): Promise<Torch> {
  const script = join(import.meta.dirname, 'onnx-tuning.py')
  const child = spawn(python, [script, String(threads), JSON.stringify(shape), flags.clock], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => JSON.parse((await lines.next()).value as string)
  const hello = (await next()) as { torch: string }
  return {
    version: hello.torch,
    ask: async (form, batch, layers) => {
      child.stdin.write(`${JSON.stringify({ form, batch, count, layers })}\n`)
      return Number(await next())
    },
    close: () => child.stdin.end(),
  }
}

function table(rows: readonly (readonly string[])[]): void {
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
}

const mib = (): number => process.memoryUsage().rss / 2 ** 20

async function alternate(
  programs: readonly (readonly [string, Program | (() => Promise<number>)])[],
): Promise<Map<string, number[]>> {
  const times = new Map(programs.map(([name]) => [name, [] as number[]]))
  for (let round = -1; round < rounds; round++) {
    for (const [name, one] of programs) {
      const ms = typeof one === 'function' ? await one() : await one.step()
      // The first round warms up.
      if (round >= 0) times.get(name)?.push(ms)
    }
  }
  return times
}

function report(
  title: string,
  times: Map<string, number[]>,
  base: string,
  peak: number,
  gflops: ReadonlyMap<string, number>,
): void {
  console.log(`\n${title}`)
  const of = (name: string): number[] => times.get(name) ?? []
  const rows = [...times.keys()].map((name) => {
    const ratios = of(name).map((ms, i) => ms / (of(base)[i] ?? NaN))
    const gflop = gflops.get(name)
    const rate =
      gflop === undefined
        ? ''
        : `${Math.round((gflop / median(of(name))) * 1000)} (${Math.round(((gflop / median(of(name))) * 1e5) / peak)} %)`
    return [
      name,
      gflop === undefined ? '' : gflop.toFixed(1),
      median(of(name)).toFixed(1),
      median(ratios).toFixed(3),
      rate,
    ]
  })
  table([
    ['form', 'GFLOP', 'ms', `of "${base}"`, 'GFLOP/s (of a large product)'],
    ['-', '-', '-', '-', '-'],
    ...rows,
  ])
}

const folder = await mkdtemp(join(tmpdir(), 'pupil-bench-'))
try {
  const path = join(folder, 'vit.onnx')
  await saveModel(vitModel(shape), path, { weights: 'inside' })
  const batch = Number(flags.batch)
  console.log(
    `${cpus()[0]?.model}, ${threads} threads, batch ${batch}, preset ${flags.preset}, ${count} prompts a layer, shape ${flags.shape}, ${flags.clock} clock`,
  )
  const torch = flags.python === undefined ? undefined : await openTorch(flags.python)
  if (torch !== undefined) console.log(`PyTorch ${torch.version}`)

  const cold = now()
  const model = readModel(path)
  const read = now() - cold
  const prepared = await prepare(
    model,
    { pixel_values: [batch, 3, shape.picture, shape.picture] },
    { thread: 'here' },
  )
  const folded = now() - cold - read
  const layers = (form: 'tokens' | 'key-value', at: number, lastRow: boolean): Injection => ({
    kind: 'layers',
    layers: at,
    count,
    form,
    lastRow,
  })
  const best = await program(prepared, layers('key-value', 3, true), batch, true)
  console.log(
    `cold start: read ${read.toFixed(0)}, fold and infer ${folded.toFixed(0)}, inject, differentiate and open ${best.opened.toFixed(0)}, all ${(now() - cold).toFixed(0)} ms`,
  )
  await best.step()
  console.log(`memory with one training session: ${mib().toFixed(0)} MiB`)

  const peak = await peakOf()
  const early = [
    ['forward', await forward(prepared, batch)],
    ['A', await program(prepared, layers('tokens', 3, false), batch, false)],
    ['B', await program(prepared, layers('key-value', 3, false), batch, false)],
    ['B, last, cut', best],
  ] as const
  const peaks: number[] = []
  const sides: (readonly [string, Program | (() => Promise<number>)])[] = [...early]
  if (torch !== undefined) {
    sides.push(
      ['PyTorch A', () => torch.ask('A', batch, 3)],
      ['PyTorch B', () => torch.ask('B', batch, 3)],
      ['PyTorch B, last', () => torch.ask('Blast', batch, 3)],
    )
    console.log(`large product: PyTorch ${(await torch.ask('peak', 1, 1)).toFixed(0)} GFLOP/s`)
  }
  for (let i = 0; i < 3; i++) peaks.push(await peak())
  console.log(`large product: ${peaks.map((p) => p.toFixed(0)).join(', ')} GFLOP/s`)
  const flops = new Map(early.map(([name, one]) => [name, one.gflop]))
  report(
    'Prompts in the first three layers',
    await alternate(sides),
    torch === undefined ? 'A' : 'PyTorch A',
    median(peaks),
    flops,
  )
  for (const [, one] of early) await one.close()

  const late = [
    ['A', await program(prepared, layers('tokens', -3, false), batch, false)],
    ['A, cut', await program(prepared, layers('tokens', -3, false), batch, true)],
    ['B', await program(prepared, layers('key-value', -3, false), batch, false)],
    ['B, cut', await program(prepared, layers('key-value', -3, false), batch, true)],
    ['B, last', await program(prepared, layers('key-value', -3, true), batch, false)],
    ['B, last, cut', await program(prepared, layers('key-value', -3, true), batch, true)],
  ] as const
  report(
    'Prompts in the last three layers',
    await alternate(late),
    'B, last',
    median(peaks),
    new Map(late.map(([n, p]) => [n, p.gflop])),
  )
  for (const [, one] of late) await one.close()
  torch?.close()
} finally {
  await rm(folder, { recursive: true })
}
