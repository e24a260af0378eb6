import { seededRandom } from '../../src/base/index.ts'
import { devScenes } from './floor.ts'
import type { Measured, Measuring } from './floor.ts'

const ROUNDS = 12

/** Median CPU milliseconds of one picture on one thread; CPU time, since the machine may be shared. */
export async function latencies(measuring: Measuring): Promise<readonly Measured[]> {
  const { starter } = measuring
  const { detectors, segmenters, answerers, fillers } = starter.backends
  const scenes = [...devScenes({ ...measuring, scenes: ROUNDS }, 0)]
  const encoder = (await starter.learnables()).find((one) => one.kind === 'encoder')
  const random = seededRandom(1)
  const request = { prompt: 'an owl', steps: 20, guidance: 1, random }
  const works: readonly (readonly [string, number, (i: number) => Promise<unknown>])[] = [
    ['encoder', 10, (i) => at(i, ({ image, graph }) => encoder?.feature(image, boxOf(graph)))],
    ['detector', 60, (i) => at(i, ({ image }) => detectors[0]?.detect(image, 'owl'))],
    ['segmenter', 100, (i) => at(i, ({ image }) => segmenters[0]?.segment(image))],
    ['vqa', 50, (i) => at(i, ({ image }) => answerers[0]?.answer(image, 'Is there an owl?'))],
    [
      'inpaint',
      5000,
      (i) => at(i, ({ image, graph }) => fillers[0]?.fill(image, maskOf(graph), request)),
    ],
  ]
  async function at(
    i: number,
    work: (scene: (typeof scenes)[number]) => Promise<unknown> | undefined,
  ): Promise<unknown> {
    const scene = scenes[i]
    return scene === undefined ? undefined : work(scene)
  }
  const rows: Measured[] = []
  for (const [model, ceiling, work] of works) {
    await work(0)
    const times: number[] = []
    for (let i = 1; i < ROUNDS; i++) {
      const start = process.cpuUsage()
      await work(i)
      const { user, system } = process.cpuUsage(start)
      times.push((user + system) / 1000)
    }
    const value = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
    const figure = 'CPU time of one picture, median'
    rows.push({ model, figure, value, bySeed: [value], n: times.length, ceiling, unit: 'ms' })
  }
  return rows
}

type Graph = ReturnType<typeof devScenes> extends Generator<infer S> ? S : never

function boxOf({ objects }: Graph['graph']) {
  return objects[0]?.box ?? ([0, 0, 64, 64] as const)
}

function maskOf({ objects, width, height }: Graph['graph']) {
  return objects[0]?.mask ?? { size: [height, width] as const, counts: [0, width * height] }
}
