import type { Abortable } from '../../../base/index.ts'
import { cutOut, maskBox, maskFromBitmap, maskIou, pixelBox } from '../../../image/index.ts'
import type { Box, Image, MaskRle } from '../../../image/index.ts'
import type { Injection, RunTensors } from '../../../onnx/index.ts'
import type { Segment, Segmenter } from '../../backends.ts'
import type { LearnableSegmenter } from '../../learnable.ts'
import { mixPrompts } from '../../learnt-prompts.ts'
import { normaliseName } from '../../names.ts'
import { openVocabulary } from './detector.ts'
import { sigmoid } from './eyes.ts'
import { softmax } from './namer.ts'
import { DRAWINGS_ONLY } from './parts.ts'
import type { StarterParts } from './parts.ts'
import { paddedPicture, PICTURE_SIDE, rowsOf } from './picture-input.ts'

/** Prompts beside the queries of the decoder (the paper: 100 of a larger model). */
const INJECTION: Injection = { kind: 'rows', count: 10 }
/** Masks of a picture, and their side. */
const QUERIES = 24
const MASK_SIDE = 64
/** A query with less is nothing. */
export const SEGMENT_THRESHOLD = 0.3
/** Masks that share so much of the smaller show one thing. */
const SAME_MASK = 0.6
/** Masks are cut out anew within their box and so many pixels around it, at this size. */
const AROUND = 4
const CUT_SIZE = { maxSide: 160, maxBox: 64, iterations: 1 } as const
const LEAST_ALIKE = 0.4
/** A mask of which less is left by better ones shows what they show. */
const LEAST_LEFT = 0.5
const LEAST_PIXELS = 40

/** One mask with what it may be, before masks are told apart. */
interface Candidate {
  /** Probability of each known name. */
  readonly named: Float32Array
  /** That there is anything. */
  readonly score: number
  /** [64, 64] before the sigmoid. */
  readonly mask: Float32Array
}

/** SEG on drawings: masks of things with their names. @source CLOVA §4 (MaskFormer) */
export function starterSegmenter(parts: StarterParts): Segmenter {
  const { models, names } = parts
  return {
    name: 'starter/segmenter',
    models: () => [models.stamp('segmenter')],
    can: [`cuts out drawings of things and names them by ${names.all.length} names`],
    cannot: [DRAWINGS_ONLY, 'grounds, sky and walls: a panoptic model from the hub'],
    vocabulary: openVocabulary(parts),
    segment: async (image, options = {}) => {
      const prompts = await promptsFor(parts, image, options)
      const { masks, side } = await candidates(parts, image, prompts?.prompts, options)
      const regions = await sharpened(image, apart(masks, image, side), options)
      const segments = await withNames(parts, image, regions, options)
      return {
        segments,
        notices: [],
        ...(prompts === undefined ? {} : { uses: prompts.uses }),
      }
    },
  }
}

/** What tuning edits: the decoder's queries. */
export async function learnableSegmenter({ models }: StarterParts): Promise<LearnableSegmenter> {
  return {
    ...{ kind: 'segmenter', name: 'starter/segmenter', tools: ['SEG'] },
    hash: await models.hash('segmenter'),
    ...{ injection: INJECTION, model: () => models.graph('segmenter'), pixels: 'pixels' },
    ...{ masks: 'masks', classes: 'classes', count: QUERIES },
    picture: paddedPicture,
    feature: async (image, options = {}) => pooled(models, image, options),
  }
}

async function pooled(
  models: StarterParts['models'],
  image: Image,
  options: Abortable,
): Promise<Float32Array> {
  const [{ pixels }, session] = [
    await paddedPicture(image, options),
    await models.session('segmenter'),
  ]
  const out = await session.run({ pixels }, { ...options, fetch: ['pooled'] })
  return out['pooled']?.data as Float32Array // an output of the model
}

/** The prompts of the concepts that are looked for, if any was learnt. */
async function promptsFor(
  { models, learnt }: StarterParts,
  image: Image,
  { concepts = [], ...options }: Abortable & { readonly concepts?: readonly string[] },
): Promise<ReturnType<typeof mixPrompts>> {
  if (concepts.length === 0) return undefined
  const model = await models.hash('segmenter')
  const feature = await pooled(models, image, options)
  const near = await Promise.all(
    concepts.map((one) =>
      learnt.near({ tool: 'SEG', concept: normaliseName(one), model, feature }),
    ),
  )
  return mixPrompts(near.flat())
}

async function candidates(
  { models }: StarterParts,
  image: Image,
  prompts: RunTensors | undefined,
  options: Abortable,
): Promise<{ readonly masks: readonly Candidate[]; readonly side: number }> {
  const { pixels, side } = await paddedPicture(image, options)
  const model = await models.prompted({
    ...{ name: 'segmenter', model: () => models.graph('segmenter'), injection: INJECTION },
    sizes: { pixels: [1, 3, PICTURE_SIDE, PICTURE_SIDE] },
  })
  const { masks, classes } = await model.run({ pixels }, prompts, {
    ...options,
    fetch: ['masks', 'classes'],
  })
  if (masks === undefined || classes === undefined) return { masks: [], side }
  const rows = rowsOf({ ...masks, dims: masks.dims.slice(1) })
  const found = rowsOf({ ...classes, dims: classes.dims.slice(1) }).flatMap((logits, i) => {
    const sure = softmax([...logits])
    const score = 1 - (sure.at(-1) ?? 0)
    const mask = rows[i]
    const named = sure.slice(0, -1)
    return mask === undefined || score < SEGMENT_THRESHOLD ? [] : [{ named, score, mask }]
  })
  return { masks: distinct(found), side }
}

/** The surest of masks that show the same, first: several queries may have seen one thing. */
function distinct(found: readonly Candidate[]): readonly Candidate[] {
  const kept: Candidate[] = []
  for (const one of found.toSorted((a, b) => b.score - a.score)) {
    if (kept.every((other) => sharedCells(one.mask, other.mask) < SAME_MASK)) kept.push(one)
  }
  return kept
}

/** Cells of both by cells of the smaller. */
function sharedCells(a: Float32Array, b: Float32Array): number {
  let [both, first, second] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [one, other] = [(a[i] as number) > 0, (b[i] as number) > 0]
    if (one) first++
    if (other) second++
    if (one && other) both++
  }
  return both / Math.max(1, Math.min(first, second))
}

/** A mask by itself with what it may be. */
interface Region {
  readonly mask: MaskRle
  readonly named: Float32Array
  readonly score: number
}

/**
 * Outlines by the picture's own colours: masks of 64 by 64 cells are too coarse for edits that must leave the
 * thing as it is. A cut that differs much from the model's mask has failed and is not taken.
 */
async function sharpened(
  image: Image,
  regions: readonly Region[],
  { signal }: Abortable,
): Promise<readonly Region[]> {
  const out: Region[] = []
  for (const one of regions) {
    const [x1, y1, x2, y2] = maskBox(one.mask) ?? [0, 0, 1, 1]
    const box = pixelBox([x1 - AROUND, y1 - AROUND, x2 + AROUND, y2 + AROUND], image)
    const cut = box && (await cutOut(image, { box }, { ...CUT_SIZE, signal }))
    const good = cut !== undefined && maskIou(cut, one.mask) >= LEAST_ALIKE
    out.push(good ? { ...one, mask: cut } : one)
  }
  return out
}

/** Names by the segmenter and, of what the box shows, by the encoder: their geometric mean. */
async function withNames(
  { models, namer }: StarterParts,
  image: Image,
  regions: readonly Region[],
  options: Abortable,
): Promise<readonly Segment[]> {
  const { names = [] } = await models.card('segmenter')
  const boxes = regions.map(({ mask }): Box => maskBox(mask) ?? [0, 0, image.width, image.height])
  const second = await namer.name(image, boxes, [], options)
  return regions.map(({ mask, named, score }, i) => {
    let best = 0
    const of = (k: number): number => (named[k] ?? 0) * (second[i]?.[k] ?? 0)
    for (let k = 1; k < named.length; k++) if (of(k) > of(best)) best = k
    return { mask, label: names[best] ?? '', score }
  })
}

/** Each pixel goes to the mask that is surest of it; masks of which little is left are dropped. */
function apart(
  masks: readonly Candidate[],
  { width, height }: Image,
  side: number,
): readonly Region[] {
  const owner = new Int8Array(width * height).fill(-1)
  const sure = new Float32Array(width * height)
  const whole = masks.map(() => 0)
  const cell = side / MASK_SIDE
  masks.forEach(({ mask, score }, m) => {
    const [x1, y1, x2, y2] = extent(mask)
    const [left, right] = [Math.max(0, Math.floor(x1 * cell)), Math.min(width, x2 * cell)]
    for (let y = Math.max(0, Math.floor(y1 * cell)); y < Math.min(height, y2 * cell); y++) {
      for (let x = left; x < right; x++) {
        const logit = sample(mask, (x + 0.5) / cell, (y + 0.5) / cell)
        if (logit <= 0) continue
        whole[m] = (whole[m] ?? 0) + 1
        const value = sigmoid(logit) * score
        const at = y * width + x
        if (value <= (sure[at] as number)) continue
        sure[at] = value
        owner[at] = m
      }
    }
  })
  return masks.flatMap(({ named, score }, m) => {
    const bits = Uint8Array.from(owner, (one) => (one === m ? 1 : 0))
    const left = bits.reduce((sum, bit) => sum + bit, 0)
    if (left < LEAST_PIXELS || left < LEAST_LEFT * (whole[m] ?? 0)) return []
    return [{ mask: maskFromBitmap(bits, height, width), named, score }]
  })
}

/** The cells, and one more on each side, beyond which a mask is nowhere positive. */
function extent(mask: Float32Array): readonly [number, number, number, number] {
  let [x1, y1, x2, y2] = [MASK_SIDE, MASK_SIDE, 0, 0]
  mask.forEach((value, i) => {
    if (value <= 0) return
    const [x, y] = [i % MASK_SIDE, Math.floor(i / MASK_SIDE)]
    ;[x1, y1] = [Math.min(x1, x - 1), Math.min(y1, y - 1)]
    ;[x2, y2] = [Math.max(x2, x + 2), Math.max(y2, y + 2)]
  })
  return [x1, y1, x2, y2]
}

/** Between the four nearest cells; cells beyond the border repeat it. */
function sample(mask: Float32Array, x: number, y: number): number {
  const clamp = (value: number): number => Math.min(MASK_SIDE - 1, Math.max(0, value))
  const [fx, fy] = [x - 0.5, y - 0.5]
  const [x0, y0] = [Math.floor(fx), Math.floor(fy)]
  const [dx, dy] = [fx - x0, fy - y0]
  const at = (i: number, j: number): number => mask[clamp(j) * MASK_SIDE + clamp(i)] as number
  const above = at(x0, y0) * (1 - dx) + at(x0 + 1, y0) * dx
  const below = at(x0, y0 + 1) * (1 - dx) + at(x0 + 1, y0 + 1) * dx
  return above * (1 - dy) + below * dy
}
