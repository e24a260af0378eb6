import type { Abortable } from '../../../base/index.ts'
import { pixelBox, suppress } from '../../../image/index.ts'
import type { Box, Image } from '../../../image/index.ts'
import type { Injection, RunTensor, RunTensors } from '../../../onnx/index.ts'
import type { LearnableDetector } from '../../learnable.ts'
import type { StarterModels } from './models.ts'
import type { Namer } from './namer.ts'
import type { Names } from './names.ts'
import { paddedPicture, PICTURE_SIDE, rowsOf } from './picture-input.ts'
import type { Texts } from './texts.ts'

/** Prompts among the tokens of the picture (the paper: 100 of a larger model). */
const INJECTION: Injection = { kind: 'through', count: 10 }
/** Places of a picture that are looked at, and how much two of them may share. */
const MOST_PLACES = 12
const SAME_PLACE = 0.5
/** Pictures whose sight is kept. */
const KEPT = 6

/** A place in a picture with how well each name asked for fits it, 0..1. */
export interface Place {
  /** In pixels of the picture. */
  readonly box: readonly [x1: number, y1: number, x2: number, y2: number]
  /** Of each name: by the detector and, where it was asked, by the encoder. */
  readonly scores: Float32Array
  /** That there is anything. */
  readonly any: number
}

/** What the detector sees. */
export interface Eyes {
  /** Places with the scores of every known name, in the order of the names; kept for some pictures. */
  known(image: Image, options?: Abortable): Promise<readonly Place[]>
  /** The same places with the score of another word. */
  asked(image: Image, word: string, options?: Abortable): Promise<readonly Place[]>
  /** Places with the score of one word, with prompts of its concept. */
  prompted(
    image: Image,
    word: string,
    prompts: RunTensors,
    options?: Abortable,
  ): Promise<readonly Place[]>
  /** Of the whole picture. */
  feature(image: Image, options?: Abortable): Promise<Float32Array>
  learnable(): Promise<LearnableDetector>
}

interface Sight {
  /** The likeliest places, and which of the detector's tokens saw them. */
  readonly places: readonly Place[]
  readonly tokens: readonly number[]
  readonly pooled: Float32Array
}

export interface EyesParts {
  readonly models: StarterModels
  readonly texts: Texts
  readonly names: Names
  readonly namer: Namer
}

/**
 * LOC's eye: the detector proposes places, and the encoder has a say in what they show, since names are what
 * so small a detector is worst at. With prompts of a concept the detector alone decides.
 *
 * @source CLOVA §4 (OWL-ViT); picture-world §9; the second opinion is ours
 */
export function starterEyes({ models, texts, names, namer }: EyesParts): Eyes {
  const seen = new Map<string, Promise<Sight>>()
  const plan = {
    ...{ name: 'detector', model: () => models.graph('detector'), injection: INJECTION },
    sizes: { pixels: [1, 3, PICTURE_SIDE, PICTURE_SIDE], queries: [1, 192] },
  }
  const look = async (image: Image, words: readonly string[], options: Abortable) => {
    const [{ pixels, side }, queries, session] = await Promise.all([
      paddedPicture(image, options),
      texts.named(words, options),
      models.session('detector'),
    ])
    const out = await session.run({ pixels, queries }, options)
    return {
      places: placesOf(out['boxes'], out['logits'], side),
      pooled: out['pooled']?.data as Float32Array, // an output of the model
    }
  }
  const labels = names.all.map(({ label }) => label)
  const see = async (image: Image): Promise<Sight> => {
    const { places, pooled } = await look(image, labels, {})
    const tokens = likeliest(places, image)
    const chosen = tokens.map((token) => places[token] as Place) // they are places
    const named = await namer.name(image, boxesOf(chosen, image))
    return { places: chosen.map((one, i) => together(one, named[i])), tokens, pooled }
  }
  const sight = (image: Image, options: Abortable = {}): Promise<Sight> => {
    const key = `${image.hash} ${image.width}x${image.height}`
    const known = seen.get(key)
    if (known !== undefined) return known
    // Shared by all who look at this picture, so that one caller's signal must not end it.
    options.signal?.throwIfAborted()
    const looking = see(image)
    seen.set(key, looking)
    looking.catch(() => seen.delete(key))
    if (seen.size > KEPT) seen.delete(seen.keys().next().value ?? '')
    return looking
  }
  const feature: Eyes['feature'] = async (image, options) => (await sight(image, options)).pooled
  return {
    known: async (image, options) => (await sight(image, options)).places,
    asked: async (image, word, options = {}) => {
      const { tokens, places: known } = await sight(image, options)
      const { places } = await look(image, [word], options)
      const named = await namer.name(image, boxesOf(known, image), [word], options)
      return known.map(({ box, any }, i) => {
        const { scores } = places[tokens[i] as number] as Place // a token for each place
        const sure = named[i]?.at(-1) ?? 0
        return { box, any, scores: Float32Array.of(Math.sqrt((scores[0] ?? 0) * sure)) }
      })
    },
    prompted: async (image, word, prompts, options = {}) => {
      const model = await models.prompted(plan)
      const [{ pixels, side }, queries] = await Promise.all([
        paddedPicture(image, options),
        texts.named([word], options),
      ])
      const out = await model.run({ pixels, queries }, prompts, options)
      return placesOf(out['boxes'], out['logits'], side)
    },
    feature,
    learnable: async () => ({
      ...{ kind: 'detector', name: 'starter/detector', tools: ['LOC'] },
      hash: await models.hash('detector', 'text'),
      ...{ injection: INJECTION, model: plan.model, pixels: 'pixels' },
      ...{ boxes: 'boxes', logits: 'logits', boxForm: 'corners' },
      picture: paddedPicture,
      asked: async (asked, options) => ({ queries: await texts.named(asked, options) }),
      feature,
    }),
  }
}

/** Tokens whose places are surest to hold anything, each place once. */
function likeliest(places: readonly Place[], image: Image): readonly number[] {
  const inside = places.flatMap(({ box, any }, token) => {
    const pixels = pixelBox(box, image)
    return pixels === undefined ? [] : [{ box: pixels, score: any, token }]
  })
  const apart = suppress(
    inside.toSorted((a, b) => b.score - a.score),
    { maxOverlap: SAME_PLACE },
  )
  return apart.slice(0, MOST_PLACES).map(({ token }) => token)
}

function boxesOf(places: readonly Place[], image: Image): readonly Box[] {
  return places.map(({ box }) => pixelBox(box, image) ?? [0, 0, image.width, image.height])
}

/** Both opinions on each name: their geometric mean. */
function together(place: Place, named: Float32Array | undefined): Place {
  if (named === undefined) return place
  return { ...place, scores: place.scores.map((score, i) => Math.sqrt(score * (named[i] ?? 0))) }
}

/** Boxes 0..1 of the padded square, and logits before the sigmoid, as places in the picture. */
function placesOf(
  boxes: RunTensor | undefined,
  logits: RunTensor | undefined,
  side: number,
): readonly Place[] {
  if (boxes === undefined || logits === undefined) return []
  const corners = rowsOf({ ...boxes, dims: boxes.dims.slice(1) })
  const scores = rowsOf({ ...logits, dims: logits.dims.slice(1) })
  return corners.map((row, i) => {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = row.map((value) => value * side)
    const sure = (scores[i] ?? new Float32Array()).map(sigmoid)
    const any = sure.reduce((most, one) => Math.max(most, one), 0)
    return { box: [x1, y1, x2, y2], scores: sure, any }
  })
}

export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x))
}
