/**
 * How the cost of prompt tuning grows with steps, batch and depth, and whether memory stays flat.
 *
 *   node bench/onnx-growth.ts [--threads 1] [--rounds 3] [--steps 1000]
 *
 * A small vision transformer with fresh prompts before each layer, sessions in this thread, processor time.
 * "Per unit" divides by the size and by the first row of its table: 1 everywhere is growth in proportion.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { seededRandom } from '../src/base/index.ts'
import { contrastive, tune } from '../src/onnx/index.ts'
import type { RunTensor, TuneReport } from '../src/onnx/index.ts'
import { vitModel } from './onnx-vit.ts'

const { values: flags } = parseArgs({
  options: {
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    steps: { type: 'string', default: '1000' },
  },
})
const random = seededRandom('bench')
const median = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[list.length >> 1] ?? NaN
const spent = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function floats(dims: readonly number[]): RunTensor {
  const size = dims.reduce((n, d) => n * d, 1)
  return { type: 'float32', dims, data: Float32Array.from({ length: size }, () => random.normal()) }
}

interface Size {
  readonly steps: number
  readonly batch: number
  readonly layers: number
}

const start: Size = { steps: 20, batch: 4, layers: 4 }

/** Processor time in ms from the first to the last step; building and opening are left out. */
async function cost(
  { steps, batch, layers }: Size,
  watch?: (step: number) => void,
): Promise<number> {
  const model = vitModel({ picture: 96, patch: 16, width: 256, layers, heads: 4, embedding: 64 })
  const inputs = {
    pixel_values: floats([batch, 3, 96, 96]),
    text: floats([8, 64]),
    target: { type: 'int64', dims: [batch], data: new BigInt64Array(batch) } as const,
  }
  let from = 0
  const stop = ({ step }: TuneReport): boolean => {
    if (step === 0) from = spent()
    watch?.(step)
    return false
  }
  await tune(
    model,
    { kind: 'layers', layers, count: 8, lastRow: false },
    { fixed: inputs },
    {
      inputs: [
        { name: 'text', type: 'float32', dims: [8, 64] },
        { name: 'target', type: 'int64', dims: [batch] },
      ],
      build: (b) => contrastive(b, 'image_embeds', 'text', 'target'),
    },
    // The first step warms up and is not counted.
    { batch, steps: steps + 1, stop, session: { thread: 'here', threads: Number(flags.threads) } },
  )
  return spent() - from
}

async function table(title: keyof Size, sizes: readonly number[]): Promise<void> {
  const rounds = sizes.map((): number[] => [])
  for (let round = 0; round < Number(flags.rounds); round++) {
    for (const [i, size] of sizes.entries())
      rounds[i]?.push(await cost({ ...start, [title]: size }))
  }
  const unit = median(rounds[0] ?? []) / (sizes[0] ?? 1)
  console.log(`\n| ${title} | ms | per unit |\n|---|---|---|`)
  for (const [i, size] of sizes.entries()) {
    const ms = median(rounds[i] ?? [])
    console.log(`| ${size} | ${ms.toFixed(0)} | ${(ms / size / unit).toFixed(2)} |`)
  }
}

console.log(`${cpus()[0]?.model ?? 'unknown processor'} · ${flags.threads} thread(s)`)
await table('steps', [10, 20, 40, 80])
await table('batch', [2, 4, 8, 16])
await table('layers', [2, 4, 8, 16])

const steps = Number(flags.steps)
const memory: [number, number][] = []
await cost({ steps, batch: 2, layers: 2 }, (step) => {
  if (step % Math.max(1, Math.round(steps / 10)) === 0)
    memory.push([step, process.memoryUsage.rss() / 2 ** 20])
})
console.log('\n| step | MiB resident |\n|---|---|')
for (const [step, mib] of memory) console.log(`| ${step} | ${mib.toFixed(0)} |`)
