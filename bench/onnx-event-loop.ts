/**
 * How long tuning holds up the thread that asks for it, at the size of CLIP ViT-B/32.
 *
 *   node bench/onnx-event-loop.ts [--steps 3] [--batch 6] [--twice]
 *
 * A timer ticks every millisecond. Between two ticks the processor time of this thread alone is counted,
 * since on a machine that others use the time on the wall is mostly theirs; both are shown. `--twice` tunes
 * once before, so that the second round shows what compiling the JavaScript costs at the first.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '../src/base/index.ts'
import { contrastive, readModel, saveModel, tune } from '../src/onnx/index.ts'
import type { Model, RunTensor } from '../src/onnx/index.ts'
import { vitB32, vitModel } from './onnx-vit.ts'

const { values: flags } = parseArgs({
  options: {
    steps: { type: 'string', default: '3' },
    batch: { type: 'string', default: '6' },
    twice: { type: 'boolean', default: false },
  },
})
const batch = Number(flags.batch)
const random = seededRandom('bench')
const own = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function floats(dims: readonly number[]): RunTensor {
  const size = dims.reduce((n, d) => n * d, 1)
  return { type: 'float32', dims, data: Float32Array.from({ length: size }, () => random.normal()) }
}

async function watched(model: Model, title: string): Promise<void> {
  const fixed = {
    pixel_values: floats([batch, 3, 224, 224]),
    text: floats([8, 512]),
    target: { type: 'int64', dims: [batch], data: new BigInt64Array(batch) } as const,
  }
  let before = { cpu: own(), wall: performance.now() }
  let phase = 'before the first step'
  const worst = new Map<string, { cpu: number; wall: number }>()
  const timer = setInterval(() => {
    const now = { cpu: own(), wall: performance.now() }
    const known = worst.get(phase) ?? { cpu: 0, wall: 0 }
    worst.set(phase, {
      cpu: Math.max(known.cpu, now.cpu - before.cpu),
      wall: Math.max(known.wall, now.wall - before.wall),
    })
    before = now
  }, 1)
  await tune(
    model,
    { kind: 'layers', layers: 3, count: 100 },
    { fixed },
    {
      inputs: [
        { name: 'text', type: 'float32', dims: [8, 512] },
        { name: 'target', type: 'int64', dims: [batch] },
      ],
      build: (b) => contrastive(b, 'image_embeds', 'text', 'target'),
    },
    {
      batch,
      steps: Number(flags.steps),
      progress: ({ status }) => {
        if (status === 'progress') phase = 'during steps'
      },
    },
  )
  clearInterval(timer)
  console.log(
    `\n${title}\n\n| phase | worst, own processor ms | worst, ms on the wall |\n|---|---|---|`,
  )
  for (const [name, { cpu, wall }] of worst)
    console.log(`| ${name} | ${cpu.toFixed(1)} | ${wall.toFixed(1)} |`)
}

const folder = await mkdtemp(join(tmpdir(), 'pupil-bench-'))
try {
  const path = join(folder, 'vit.onnx')
  await saveModel(vitModel(vitB32), path, { weights: 'inside' })
  const model = readModel(path)
  await watched(model, 'first tuning of the process')
  if (flags.twice) await watched(model, 'second tuning')
} finally {
  await rm(folder, { recursive: true })
}
