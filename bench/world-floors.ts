// The floors of the starter models: `node bench/world-floors.ts [CACHE] [SCENES] [PARTS] [--write]`.
// Development style, three draws of scenes, held-out seeds; training seeds are one. With --write the figures
// go into models/starter/*/card.json, card.md and bench/world-floors.json, reached or not. PARTS, with
// commas: encoder, detector, segmenter, vqa, inpaint, judge, latency (all).
import { readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { DEVELOPMENT_STYLE, openJudge, openLibrary, TRAIN_STYLES } from '../world/index.ts'
import { starterBackends } from '../src/tools/index.ts'
import { detectorFloors } from './floors/detector.ts'
import { encoderFloors } from './floors/encoder.ts'
import type { Measured, Measuring } from './floors/floor.ts'
import { inpaintFloors, judgeFloors } from './floors/inpaint.ts'
import { latencies } from './floors/latency.ts'
import { segmenterFloors } from './floors/segmenter.ts'
import { vqaFloors } from './floors/vqa.ts'

const RECORD = 'bench/world-floors.json'

const PARTS = {
  encoder: encoderFloors,
  detector: detectorFloors,
  segmenter: segmenterFloors,
  vqa: vqaFloors,
  inpaint: inpaintFloors,
  judge: judgeFloors,
  latency: latencies,
} as const

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const [cacheFolder = '.cache/sprites', scenes = '100', parts = Object.keys(PARTS).join()] = words
const write = process.argv.includes('--write')

const library = await openLibrary([...TRAIN_STYLES, DEVELOPMENT_STYLE], { cacheFolder })
await using starter = starterBackends()
await using judge = await openJudge()
const measuring: Measuring = { library, starter, judge, scenes: Number(scenes), seeds: [0, 1, 2] }

const all: Measured[] = []
for (const part of parts.split(',') as (keyof typeof PARTS)[]) {
  for (const one of await PARTS[part](measuring)) {
    all.push(one)
    console.log(lineOf(one))
  }
}
// An unfit judge voids the figures of edits: the bench fails (picture-world §8).
const missed = ({ value, floor = 0, ceiling = 1 }: Measured): boolean =>
  value < floor || value > ceiling
if (all.some((one) => one.model === 'judge' && missed(one))) {
  console.error('The judge is UNFIT: figures of edits are void.')
  process.exitCode = 1
}
if (write) {
  // What is measured now takes the place of the same figure; the others stay.
  const said = (one: Measured): string => `${one.model} ${one.figure}`
  const now = new Map(all.map((one) => [said(one), one]))
  const before = existsSync(RECORD)
    ? (JSON.parse(await readFile(RECORD, 'utf8')) as Measured[])
    : []
  const merged = [...before.filter((one) => !now.has(said(one))), ...all]
  await writeFile(RECORD, `${JSON.stringify(merged, null, 1)}\n`)
  const measured = new Set(all.map(({ model }) => model))
  for (const [model, figures] of Map.groupBy(merged, (one) => one.model)) {
    if (measured.has(model)) await intoCard(`models/starter/${model}`, figures)
  }
}

function lineOf({ model, figure, value, bySeed, n, floor, ceiling, unit }: Measured): string {
  const bound =
    floor !== undefined
      ? `floor ${floor}: ${value >= floor ? 'reached' : 'NOT reached'}`
      : ceiling !== undefined
        ? `ceiling ${ceiling}: ${value <= ceiling ? 'kept' : 'NOT kept'}`
        : ''
  const seeds = bySeed.map((one) => one.toFixed(3)).join(' / ')
  return `${model} | ${figure} | ${value.toFixed(3)} ${unit ?? ''} | ${seeds} | n ${n} | ${bound}`
}

async function intoCard(folder: string, figures: readonly Measured[]): Promise<void> {
  if (!existsSync(`${folder}/card.json`)) return
  const card = JSON.parse(await readFile(`${folder}/card.json`, 'utf8')) as {
    figures?: Record<string, unknown>
  }
  const scenesFigures = Object.fromEntries(
    figures.map(({ figure, model: _, ...rest }) => [figure, rest]),
  )
  const [style, seen] = folder.endsWith('/judge')
    ? ['training', 'Training styles, drawings pasted over things of scenes, one draw']
    : [DEVELOPMENT_STYLE, 'Development style (twemoji), three draws of scenes']
  const floors = { style, figures: scenesFigures }
  const body = { ...card, figures: { ...card.figures, floors } }
  await writeFile(`${folder}/card.json`, `${JSON.stringify(body, null, 1)}\n`)
  const path = `${folder}/card.md`
  const text = existsSync(path) ? await readFile(path, 'utf8') : ''
  const before = text.split('\n## Measured in scenes')[0]?.trimEnd() ?? ''
  const table = [
    '## Measured in scenes',
    '',
    `${seen}; \`node bench/world-floors.ts\` repeats it.`,
    '',
    '| figure | value | by draw | n | bound |',
    '|---|---|---|---|---|',
    ...figures.map((one) => `| ${lineOf(one).split(' | ').slice(1).join(' | ')} |`),
  ]
  await writeFile(path, `${before}\n\n${table.join('\n')}\n`)
}
