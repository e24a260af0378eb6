/**
 * How alike crops of a concept are to examples of it in other drawing styles, and to examples of other concepts: what
 * the threshold of the starter encoder's example memory is set by (`LIKENESS` in
 * src/tools/models/starter/starter-backends.ts).
 *
 *   node bench/learning-likeness.ts [--concepts 40] [--cache FOLDER]
 *
 * Examples: crops of scenes in training styles, as a correction shows them, and drawings, as a search finds them.
 * Asked: crops of scenes in the development style, of the concept and of other new concepts.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createImage } from '../src/image/index.ts'
import { starterBackends } from '../src/tools/index.ts'
import {
  createPictureSource,
  DEVELOPMENT_STYLE,
  openLibrary,
  TRAIN_STYLES,
} from '../world/index.ts'
import type { Style } from '../world/index.ts'

const { values: flags } = parseArgs({
  options: {
    concepts: { type: 'string', default: '40' },
    cache: { type: 'string', default: '.cache/loop' },
  },
})
const library = await openLibrary([...TRAIN_STYLES, DEVELOPMENT_STYLE], {
  cacheFolder: join(flags.cache, 'world'),
})
await using starter = starterBackends()
const trained = new Set(library.conceptsOf(TRAIN_STYLES, 'new'))
const concepts = library
  .conceptsOf([DEVELOPMENT_STYLE], 'new')
  .filter((id) => trained.has(id))
  .slice(0, Number(flags.concepts))
const CROPS = 4
const DRAWINGS = 7

type Features = readonly Float32Array[]

/** Features of a concept in scenes of some styles. */
async function cropsOf(id: string, styles: readonly Style[], first: number): Promise<Features> {
  const found: Float32Array[] = []
  for (let k = 0; k < CROPS; k++) {
    const recipe = {
      ...{ seed: first + concepts.indexOf(id) * CROPS + k, size: 256, styles, objects: 3 },
      ...{ wanted: [id], tints: [], without: [], fresh: [id] },
    }
    const { rgb, width, height } = library.paint(recipe)
    const seen = library.scene(recipe).graph.objects.find(({ concept }) => concept === id)
    const image = createImage(rgb, width, height)
    if (seen !== undefined) found.push(await starter.features.embed(image, seen.box))
  }
  return found
}

const source = createPictureSource(
  library.lexicon,
  library.sprites.filter(({ style }) => TRAIN_STYLES.includes(style)),
)
async function drawingsOf(id: string): Promise<Features> {
  const found = source.search(library.lexicon.concept(id).label, { n: DRAWINGS })
  const images = found.map(({ rgb, width, height }) => createImage(rgb, width, height))
  return Promise.all(
    images.map((image) => starter.features.embed(image, [0, 0, image.width, image.height])),
  )
}

const asked = new Map<string, Features>()
const crops = new Map<string, Features>()
const drawings = new Map<string, Features>()
for (const id of concepts) {
  asked.set(id, await cropsOf(id, [DEVELOPMENT_STYLE], 1_000_000))
  crops.set(id, await cropsOf(id, TRAIN_STYLES, 5000))
  drawings.set(id, await drawingsOf(id))
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
const nearest = (one: Float32Array, all: Features): number =>
  Math.max(-1, ...all.map((other) => dot(one, other)))
const at = (values: readonly number[], share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0).toFixed(2)

function row(name: string, examples: (id: string) => Features): string {
  const same: number[] = []
  const other: number[] = []
  let first = 0
  for (const id of concepts) {
    for (const one of asked.get(id) ?? []) {
      const own = nearest(one, examples(id))
      const others = concepts.filter((x) => x !== id).map((x) => nearest(one, examples(x)))
      same.push(own)
      other.push(...others)
      if (own > Math.max(...others)) first++
    }
  }
  const limit = Number(at(other, 0.99))
  const found = same.filter((value) => value > limit).length / same.length
  const cells = [
    ...[name, ...[0.1, 0.25, 0.5, 0.75].map((share) => at(same, share))],
    ...[0.5, 0.95, 0.99].map((share) => at(other, share)),
    ...[found, first / same.length].map((share) => `${(100 * share).toFixed(0)} %`),
  ]
  return `| ${cells.join(' | ')} |`
}

const of =
  (map: ReadonlyMap<string, Features>, most = 99) =>
  (id: string): Features =>
    (map.get(id) ?? []).slice(0, most)
console.log(
  `${concepts.length} new concepts, ${[...asked.values()].flat().length} crops of the development style\n`,
)
console.log(
  '| examples | same: 10 % | 25 % | median | 75 % | other: median | 95 % | 99 % | same above that | nearest is right |',
)
console.log(`|${'---|'.repeat(10)}`)
console.log(row('one crop', of(crops, 1)))
console.log(row('four crops', of(crops)))
console.log(row('one drawing', of(drawings, 1)))
console.log(row('seven drawings', of(drawings)))
console.log(row('one crop, seven drawings', (id) => [...of(crops, 1)(id), ...of(drawings)(id)]))
