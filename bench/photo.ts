/**
 * Speed of the photo tools, warm and in process: `node bench/photo.ts PHOTO...`.
 *
 * "Count people" is LOC and COUNT on a photograph of 1000 pixels; beside it the same ONNX model is
 * called directly with a prepared input, and with our preparation. Every round sees a new picture
 * value, so nothing is remembered between rounds.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createImage, decodePicture, letterbox, resizeImage } from '../src/image/index.ts'
import type { Image } from '../src/image/index.ts'
import { createToolbox, photoBackends, testContext } from '../src/tools/index.ts'

const ROUNDS = 25
const SIDE = 1000
const photos = process.argv.slice(2)
const paths =
  photos.length > 0
    ? photos
    : ['astronaut', 'chelsea', 'coffee'].map(
        (name) => new URL(`../test/fixtures/photos/${name}.jpg`, import.meta.url).pathname,
      )

type Works = Readonly<Record<string, () => Promise<unknown>>>

/**
 * Fastest and median time of each work in milliseconds. The works take turns, so that a busy machine
 * slows all of them alike; two rounds do not count.
 */
async function measure(
  works: Works,
): Promise<Record<string, { readonly fastest: number; readonly median: number }>> {
  const times = new Map<string, number[]>(Object.keys(works).map((name) => [name, []]))
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries(works)) {
      const start = performance.now()
      await work()
      if (round >= 0) times.get(name)?.push(performance.now() - start)
    }
  }
  return Object.fromEntries(
    [...times].map(([name, list]) => {
      const sorted = list.toSorted((a, b) => a - b)
      return [name, { fastest: sorted[0] ?? 0, median: sorted[ROUNDS >> 1] ?? 0 }]
    }),
  )
}

const fresh = (image: Image): Image =>
  createImage(image.data, image.width, image.height, { frame: image.frame })

const cacheDir = await mkdtemp(join(tmpdir(), 'pupil-bench-'))
const cold = performance.now()
await using photo = photoBackends({ cacheDir })
const toolbox = createToolbox({ backends: photo.backends })
const context = testContext({ family: 'gqa' })

const tenths = (value: number): number => Math.round(value * 10) / 10
let first = true
for (const path of paths) {
  const small = (await decodePicture(await readFile(path))).image
  const scale = SIDE / Math.max(small.width, small.height)
  const image = await resizeImage(small, {
    width: Math.round(small.width * scale),
    height: Math.round(small.height * scale),
  })
  const countPeople = async (picture: Image): Promise<unknown> => {
    const found = await toolbox.call('LOC', { image: picture, object: 'people' }, context)
    return toolbox.call('COUNT', { box: found.value }, context)
  }
  await countPeople(image)
  if (first)
    console.log(`first answer, models converted: ${Math.round(performance.now() - cold)} ms`)
  first = false
  const session = await photo.models.session('centernet')
  const faceSession = await photo.models.session('blazeface')
  const input = { width: 512, height: 512 }
  const run = async (pixels: Uint8Array): Promise<Float32Array> => {
    const data = new Float32Array(pixels.length)
    for (let i = 0; i < pixels.length; i++) data[i] = pixels[i] as number
    const results = await session.run(
      { 'tower_0/images': { type: 'float32', dims: [1, 512, 512, 3], data } },
      { fetch: ['tower_0/detections'] },
    )
    return results['tower_0/detections']?.data as Float32Array
  }
  const runFaces = async (): Promise<unknown> => {
    const { data } = await letterbox(image, { width: 256, height: 256 })
    const numbers = new Float32Array(data.length)
    for (let i = 0; i < data.length; i++) numbers[i] = ((data[i] as number) - 127.5) / 127.5
    return faceSession.run({ input: { type: 'float32', dims: [1, 256, 256, 3], data: numbers } })
  }
  const fitted = await letterbox(image, input)
  // A faint person makes the tools look for faces too, so the direct call does the same.
  const table = await run(fitted.data)
  const rowOf = (row: number): readonly number[] => [...table.subarray(row * 6, row * 6 + 6)]
  const isFaint = ([, , , , score = 0, kind]: readonly number[]): boolean =>
    kind === 0 && score >= 0.12 && score <= 0.3
  const faint = Array.from({ length: 100 }, (_, row) => rowOf(row)).some(isFaint)
  const question = 'How many people are there?'
  const times = await measure({
    'CenterNet alone': () => run(fitted.data),
    'the same models directly': async () => {
      await run((await letterbox(image, input)).data)
      if (faint) await runFaces()
    },
    'LOC and COUNT': () => countPeople(fresh(image)),
    'the same picture again': () => countPeople(image),
    'VQA how many': () => toolbox.call('VQA', { image: fresh(image), question }, context),
    FACEDET: () => toolbox.call('FACEDET', { image: fresh(image) }, context),
  })
  console.log(`\n${path.split('/').at(-1)}, ${image.width} x ${image.height}, milliseconds`)
  console.table(
    Object.fromEntries(
      Object.entries(times).map(([name, { fastest, median }]) => [
        name,
        { fastest: tenths(fastest), median: tenths(median) },
      ]),
    ),
  )
  const [tools, direct] = [times['LOC and COUNT'], times['the same models directly']]
  const over = (key: 'fastest' | 'median'): number =>
    tenths(100 * ((tools?.[key] ?? 0) / (direct?.[key] ?? 1) - 1))
  console.log(
    `overhead over the same models called directly: ${over('fastest')} % fastest, ${over('median')} % median`,
  )
}
console.log(`memory ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`)
await rm(cacheDir, { recursive: true })
