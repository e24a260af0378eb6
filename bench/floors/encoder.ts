import { createImage } from '../../src/image/index.ts'
import { createPictureSource, TRAIN_STYLES } from '../../world/index.ts'
import type { SceneObject } from '../../world/index.ts'
import { devConcepts, devScenes, shares } from './floor.ts'
import type { Measured, Measuring } from './floor.ts'

/** Pictures of a new name from which its mean feature is made. */
const FOUND = 3

/** Names of crops: by text among the known, by text among all, and by the mean of found pictures. */
export async function encoderFloors(measuring: Measuring): Promise<readonly Measured[]> {
  const { library, starter, seeds } = measuring
  const { lexicon } = library
  const encoder = (await starter.learnables()).find((one) => one.kind === 'encoder')
  if (encoder === undefined) return []
  const [known, fresh] = [devConcepts(measuring, 'known'), devConcepts(measuring, 'new')]
  const label = (id: string): string => lexicon.concept(id).label
  const textsOf = async (ids: readonly string[]): Promise<readonly Float32Array[]> => {
    const { data } = await encoder.texts(ids.map(label))
    const width = data.length / Math.max(1, ids.length)
    return ids.map((_, i) => (data as Float32Array).subarray(i * width, (i + 1) * width))
  }
  const [knownTexts, freshTexts] = [await textsOf(known), await textsOf(fresh)]
  const means: Float32Array[] = []
  for (const id of fresh) means.push(await meanOfFound(measuring, label(id), encoder))
  const byText: boolean[][] = []
  const afterTeaching: boolean[][] = []
  const newByText: boolean[][] = []
  const newByMean: boolean[][] = []
  for (const seed of seeds) {
    const [rows, after]: [boolean[], boolean[]] = [[], []]
    const names = [...known, ...fresh]
    for (const { image, graph } of devScenes(measuring, seed)) {
      for (const { box, concept } of graph.objects) {
        const feature = await encoder.feature(image, box)
        rows.push(known[nearest(feature, knownTexts)] === concept)
        after.push(names[nearest(feature, [...knownTexts, ...means])] === concept)
      }
    }
    byText.push(rows)
    afterTeaching.push(after)
    const [texts, mean]: [boolean[], boolean[]] = [[], []]
    for (const { image, graph } of devScenes(measuring, seed, fresh)) {
      const one = graph.objects.find(({ concept }: SceneObject) => fresh.includes(concept))
      if (one === undefined) continue
      const feature = await encoder.feature(image, one.box)
      texts.push(names[nearest(feature, [...knownTexts, ...freshTexts])] === one.concept)
      mean.push(names[nearest(feature, [...knownTexts, ...means])] === one.concept)
    }
    newByText.push(texts)
    newByMean.push(mean)
  }
  return [
    { model: 'encoder', figure: 'known names, top-1', ...shares(byText), floor: 0.65 },
    {
      ...{ model: 'encoder', figure: 'new names by the mean of 3 found pictures, top-1 among all' },
      ...{ ...shares(newByMean), floor: 0.45 },
    },
    {
      ...{ model: 'encoder', figure: 'known names beside those taught new ones, top-1 among all' },
      ...shares(afterTeaching),
    },
    {
      ...{ model: 'encoder', figure: 'new names by text, top-1 among all (room to learn)' },
      ...{ ...shares(newByText), ceiling: 0.05 },
    },
  ]
}

interface Embedding {
  feature(image: ReturnType<typeof createImage>, box: SceneObject['box']): Promise<Float32Array>
}

async function meanOfFound(
  { library }: Measuring,
  name: string,
  encoder: Embedding,
): Promise<Float32Array> {
  const sprites = library.sprites.filter(({ style }) => TRAIN_STYLES.includes(style))
  const source = createPictureSource(library.lexicon, sprites)
  const found = source.search(name, { n: FOUND, seed: 1 })
  const rows: Float32Array[] = []
  for (const { rgb, width, height } of found) {
    const image = createImage(rgb, width, height)
    // The whole picture, as collecting takes it.
    rows.push(await encoder.feature(image, [0, 0, width, height]))
  }
  const sum = new Float32Array(rows[0]?.length ?? 0)
  for (const row of rows) row.forEach((value, i) => (sum[i] = (sum[i] ?? 0) + value))
  const length = Math.hypot(...sum)
  return length === 0 ? sum : sum.map((value) => value / length)
}

function nearest(feature: Float32Array, rows: readonly Float32Array[]): number {
  let [best, top] = [-1, -Infinity]
  rows.forEach((row, i) => {
    let dot = 0
    for (let k = 0; k < row.length; k++) dot += (row[k] as number) * (feature[k] as number)
    if (dot > top) [best, top] = [i, dot]
  })
  return best
}
