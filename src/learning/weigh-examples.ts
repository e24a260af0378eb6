import type { Abortable, Clock } from '../base/index.ts'
import type { Box, Image } from '../image/index.ts'
import type { Exemplar, Lesson } from '../memory/index.ts'
import type { ActingMemory, ExampleEncoder } from './teacher.ts'
import type { TuningExample } from './tuning/tuning.ts'

/** How well a region fits a name while some memory acts; higher fits better. */
export type Fits = (
  memory: Pick<ActingMemory, 'taught' | 'people'>,
) => (image: Image, box: Box, concept: string, options?: Abortable) => Promise<number>

export interface WeighParts {
  readonly clock: Clock
  readonly things: ExampleEncoder
  readonly fits: Fits
  /** What acts with these examples of the lesson in place of those that it has. */
  readonly memoryWith: (exemplars: readonly Exemplar[]) => Promise<ActingMemory>
}

/** What pictures that were gathered are worth as examples. */
export interface Weighed {
  /** Of positives and negatives in pairs: how many are told apart, 0..1; each judged without itself. */
  readonly own: number
  readonly gathered: number
  /** Of the gathered, those left out because they resemble other things more. */
  readonly strange: number
  /** Those that are to act beside the lesson's own; empty when they are not worth it. */
  readonly exemplars: readonly Exemplar[]
}

/**
 * Whether gathered pictures help as nearest examples: each picture is judged by the tool itself with all others
 * acting, once with the lesson's own examples alone and once with the gathered ones beside them.
 *
 * They are kept when they tell the concept from other things no worse and by a wider margin, and know the person's own
 * among them; what a tool scores decides, not how examples are compared in it. Pictures of other things become
 * counter-examples.
 *
 * @param validate  false keeps whatever was gathered (CLOVA table 4)
 * @source clova §4.4; that gathered pictures act as examples is ours
 */
export async function weighExamples(
  lesson: Lesson & { readonly concept: string },
  own: readonly Exemplar[],
  found: readonly TuningExample[],
  parts: WeighParts,
  { validate = true, ...options }: Abortable & { readonly validate?: boolean } = {},
): Promise<Weighed> {
  const shown = new Set(own.map(({ picture }) => picture))
  const fresh: Exemplar[] = []
  for (const [i, one] of found.entries()) {
    if (shown.has(one.image.hash)) continue
    fresh.push(await exemplarOf(one, i, lesson, parts, options))
  }
  const strange = validate ? strangersAmong(fresh) : []
  const gathered = fresh.filter((one) => !strange.includes(one))
  if (!validate) return { own: 0, gathered: 0, strange: 0, exemplars: gathered }
  const pictures = new Map(found.map(({ image }) => [image.hash, image]))
  const asked = [...own.filter(({ kind }) => kind === 'thing'), ...gathered]
  const judge = async (acting: readonly Exemplar[]): Promise<Told> => {
    const scores: Score[] = []
    for (const one of asked) {
      const image = pictures.get(one.picture)
      if (image === undefined) continue
      const memory = await parts.memoryWith(acting.filter(({ picture }) => picture !== one.picture))
      const box = one.box ?? [0, 0, image.width, image.height]
      const score = await parts.fits(memory)(image, box, lesson.concept, options)
      scores.push({ positive: one.positive, isOwn: shown.has(one.picture), score })
    }
    return toldApart(scores)
  }
  const [alone, beside] = [await judge(own), await judge([...own, ...gathered])]
  const isBetter = beside.apart >= alone.apart && beside.margin > alone.margin && beside.mine >= 0.5
  return {
    ...{ own: alone.apart, gathered: beside.apart, strange: strange.length },
    exemplars: isBetter ? gathered : [],
  }
}

interface Score {
  readonly positive: boolean
  /** The person's own picture. */
  readonly isOwn: boolean
  readonly score: number
}

interface Told {
  readonly apart: number
  /** The same of the person's own pictures. */
  readonly mine: number
  /** Mean score of the concept's pictures, less that of others. */
  readonly margin: number
}

function toldApart(scores: readonly Score[]): Told {
  const [yes, no] = [true, false].map((is) => scores.filter(({ positive }) => positive === is)) as [
    Score[],
    Score[],
  ]
  const pairs = yes.flatMap((a) =>
    no.map((b) => ({ a, right: a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0 })),
  )
  const of = (all: readonly Score[]): number => mean(all.map(({ score }) => score))
  return {
    apart: mean(pairs.map(({ right }) => right)),
    mine: mean(pairs.filter(({ a }) => a.isOwn).map(({ right }) => right)),
    margin: of(yes) - of(no),
  }
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** Positives whose features resemble those of other things more; nothing where that is every second one. */
function strangersAmong(all: readonly Exemplar[]): readonly Exemplar[] {
  const positives = all.filter(({ positive }) => positive)
  const meanTo = (one: Exemplar, positive: boolean): number => {
    const others = all.filter((other) => other !== one && other.positive === positive)
    return others.length === 0
      ? -1
      : mean(others.map(({ feature }) => cosine(one.feature, feature)))
  }
  const strange = positives.filter((one) => meanTo(one, true) < meanTo(one, false))
  return 2 * strange.length < positives.length ? strange : []
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, x, y] = [0, 0, 0]
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? 0
    dot += value * other
    x += value * value
    y += other * other
  }
  return x === 0 || y === 0 ? 0 : dot / Math.sqrt(x * y)
}

async function exemplarOf(
  { image, box, positive }: TuningExample,
  number: number,
  lesson: Lesson & { readonly concept: string },
  { things, clock }: WeighParts,
  options: Abortable,
): Promise<Exemplar> {
  const place: Box = box ?? [0, 0, image.width, image.height]
  return {
    ...{ id: `gathered/${number}`, kind: 'thing', concept: lesson.concept, positive },
    ...{ encoder: things.name, feature: await things.embed(image, place, options) },
    ...{ picture: image.hash, box: place, lesson: lesson.id, author: 'gathered' },
    createdAt: clock.now(),
  }
}
