import type { Abortable, Random } from '../../../base/index.ts'
import { editedImage, maskBox, resizeBytes } from '../../../image/index.ts'
import type { Box, Image } from '../../../image/index.ts'
import type { RunTensor, RunTensors } from '../../../onnx/index.ts'
import type { Filler } from '../../backends.ts'
import { mixPrompts } from '../../learnt-prompts.ts'
import { asksForNothing } from '../../nothing-prompts.ts'
import { normaliseName, withoutArticle } from '../../names.ts'
import { FILLER_INJECTION, fillerGraph, textOf } from './learnable-filler.ts'
import { DRAWINGS_ONLY } from './parts.ts'
import type { StarterParts } from './parts.ts'
import { FILL_SIDE, signedTensor, squareAround, squareBytes, squareMask } from './square.ts'
import type { Square } from './square.ts'

/** The name of an empty place in the training texts. */
const NOTHING = 'background'
const DEFAULT_STEPS = 20

/** REPLACE on drawings: a diffusion net paints a square around the hole at 64 by 64. */
export function starterFiller(parts: StarterParts): Filler {
  const { models } = parts
  return {
    name: 'starter/inpaint',
    models: () => [models.stamp('inpaint'), models.stamp('text')],
    can: ['paints drawings of things by name into a hole, and grounds where a thing was'],
    cannot: [DRAWINGS_ONLY, 'anything finer than 64 by 64 points'],
    fills: 'both',
    fill: async (image, mask, { prompt, random }, options = {}) => {
      const tight = maskBox(mask)
      if (tight === undefined) return image
      const square = squareAround(tight)
      const [bytes, hole] = [await squareBytes(image, square), await squareMask(mask, square)]
      const painted = await paint(parts, { bytes, hole, prompt, random }, options)
      return placedBack(image, square, painted)
    },
  }
}

interface Painting {
  /** [64, 64, 3] of 0..255. */
  readonly bytes: Uint8Array
  /** [64, 64], 1 where it is to be painted. */
  readonly hole: Float32Array
  readonly prompt: string
  readonly random: Random
}

/** What the denoiser is asked, by plain text or by a learnt vector. */
type Denoise = (noisy: RunTensor, time: number) => Promise<Float32Array>

/** Deterministic sampling from noise along the cosine schedule; the known pixels are given at each step. */
async function paint(
  parts: StarterParts,
  painting: Painting,
  options: Abortable,
): Promise<Float32Array> {
  const { bytes, hole, random } = painting
  const clean = signedTensor(bytes).data as Float32Array
  const area = FILL_SIDE * FILL_SIDE
  const known = clean.map((value, i) => value * (1 - (hole[i % area] as number)))
  const denoise = await denoiserOf(parts, painting, known, options)
  const { steps = DEFAULT_STEPS } = await parts.models.card('inpaint')
  let x = Float32Array.from(clean, () => gaussian(random))
  for (let step = 0; step < steps; step++) {
    options.signal?.throwIfAborted()
    const [now, then] = [1 - step / steps, 1 - (step + 1) / steps]
    const predicted = await denoise(tensorOf(x), now)
    const [a, b] = [Math.cos((now * Math.PI) / 2), Math.cos((then * Math.PI) / 2)]
    const spread = Math.max(1e-4, Math.sqrt(1 - a * a))
    x = x.map((value, i) => {
      const inside = hole[i % area] as number
      const start = clamped(predicted[i] as number) * inside + (known[i] as number)
      const noise = (value - a * start) / spread
      return b * start + Math.sqrt(1 - b * b) * noise
    })
  }
  return x
}

async function denoiserOf(
  parts: StarterParts,
  { hole, prompt }: Painting,
  known: Float32Array,
  options: Abortable,
): Promise<Denoise> {
  const { models, texts, learnt } = parts
  const feeds: RunTensors = {
    picture: tensorOf(known),
    mask: { type: 'float32', dims: [1, 1, FILL_SIDE, FILL_SIDE], data: hole },
  }
  const removes = asksForNothing(prompt)
  const near = removes
    ? []
    : await learnt.near({
        ...{ tool: 'REPLACE', concept: normaliseName(prompt) },
        ...{ model: await models.hash('inpaint', 'text'), feature: Float32Array.of(1), most: 1 },
      })
  const mixed = mixPrompts(near)
  if (mixed !== undefined) {
    const model = await models.prompted({
      ...{ name: 'inpaint', model: () => fillerGraph(models), injection: FILLER_INJECTION },
      sizes: sizesOf(feeds),
    })
    const text = textOf(await models.subwords(), null)
    return async (noisy, time) => {
      const given = { ...feeds, ...text, noisy, time: timeTensor(time) }
      const { predicted } = await model.run(given, mixed.prompts, options)
      return predicted?.data as Float32Array // the model's one output
    }
  }
  const said = removes ? NOTHING : withoutArticle(prompt)
  const condition = removes
    ? await texts.plain([said], options)
    : await texts.named([said], options)
  const session = await models.session('inpaint')
  return async (noisy, time) => {
    const given = { ...feeds, noisy, time: timeTensor(time), condition }
    const { predicted } = await session.run(given, options)
    return predicted?.data as Float32Array // as above
  }
}

function sizesOf(feeds: RunTensors): Record<string, readonly number[]> {
  const given = Object.entries(feeds).map(([name, { dims }]) => [name, dims] as const)
  return {
    ...Object.fromEntries(given),
    noisy: [1, 3, FILL_SIDE, FILL_SIDE],
    ...{ time: [1], ids: [1, 16] },
  }
}

const tensorOf = (data: Float32Array): RunTensor => ({
  ...{ type: 'float32', dims: [1, 3, FILL_SIDE, FILL_SIDE], data },
})

const timeTensor = (time: number): RunTensor => ({
  ...{ type: 'float32', dims: [1], data: Float32Array.of(time) },
})

const clamped = (value: number): number => Math.min(1, Math.max(-1, value))

/** A normal number out of two even ones. */
function gaussian(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
  return radius * Math.cos(2 * Math.PI * random.next())
}

/** The square at the picture's size again; REPLACE takes of it what lies inside the mask. */
async function placedBack(image: Image, square: Square, painted: Float32Array): Promise<Image> {
  const area = FILL_SIDE * FILL_SIDE
  const bytes = new Uint8Array(area * 3)
  for (let i = 0; i < area; i++) {
    for (let c = 0; c < 3; c++) {
      bytes[i * 3 + c] = Math.round((clamped(painted[c * area + i] as number) + 1) * 127.5)
    }
  }
  const [from, size] = [
    { width: FILL_SIDE, height: FILL_SIDE },
    { width: square.side, height: square.side },
  ]
  const large = await resizeBytes(bytes, from, 3, size, { kernel: 'cubic' })
  const out = Uint8Array.from(image.data)
  const [x1, y1, x2, y2] = visible(square, image)
  for (let y = y1; y < y2; y++) {
    const row = ((y - square.y) * square.side + (x1 - square.x)) * 3
    out.set(large.subarray(row, row + (x2 - x1) * 3), (y * image.width + x1) * 3)
  }
  return editedImage(image, out)
}

function visible({ x, y, side }: Square, { width, height }: Image): Box {
  return [Math.max(0, x), Math.max(0, y), Math.min(width, x + side), Math.min(height, y + side)]
}
