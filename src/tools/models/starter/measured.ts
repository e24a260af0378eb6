import type { Abortable } from '../../../base/index.ts'
import { boxArea, dominantColour, pixelBox, suppress } from '../../../image/index.ts'
import type { Box, Image } from '../../../image/index.ts'
import type { Answer, Finding } from '../../backends.ts'
import { parsePhrase } from '../photo/phrase.ts'
import type { KnownName } from './names.ts'
import type { StarterParts } from './parts.ts'
import { findThings, THING_THRESHOLD } from './things.ts'

/** What questions are answered with. */
interface Asked {
  readonly parts: StarterParts
  readonly image: Image
  readonly options: Abortable
}

type Solver = (match: RegExpExecArray, asked: Asked) => Promise<string | undefined>

/** Longer side, of a picture of 256 by 256, from which on a thing is large (between the world's words). */
const LARGE_FROM = 76
/** A crop of one thing is hardly larger than this; in it the whole picture is the thing. */
const CROP_UP_TO = 0.6

/** Questions that can be measured, as programs put them; the first that matches is tried. */
const SOLVERS: readonly (readonly [asks: RegExp, solve: Solver])[] = [
  [
    /^how many (.+?) are (?:there ?)?(.*?)\??$/i,
    ([, what, where], asked) => count(asked, what, where),
  ],
  [/^(?:is|are) there (?:an? |any |some )?(.+?)\??$/i, ([, what], asked) => exists(asked, what)],
  [/^what colou?r is (?:the )?(.+?)\??$/i, ([, what], asked) => colour(asked, what)],
  [/^what size is (?:the )?(.+?)\??$/i, ([, what], asked) => size(asked, what)],
  [/^which is larger, the (.+) or the (.+?)\??$/i, ([, a, b], asked) => larger(asked, a, b)],
  [/^what is (?:this|it|in the picture)\??$/i, (_, asked) => nameOf(asked, asked.parts.names.all)],
  [/^what (.+) is (?:this|it)\??$/i, ([, kind], asked) => kindOf(asked, kind)],
  [/^is (?:this|it) an? (.+?)\??$/i, ([, what], asked) => isThis(asked, what)],
]

/**
 * Answers by finding and measuring, where a question asks for nothing else; undefined for others.
 *
 * So small an answerer knows names worse than the encoder does and counts worse than the detector: what can
 * be measured is measured, as the photo tools do. Learnt prompts come before it.
 */
export async function measuredAnswer(
  parts: StarterParts,
  image: Image,
  question: string,
  options: Abortable,
): Promise<Answer | undefined> {
  const plain = question.trim().replace(/ in the (?:picture|image|photo)(?=\??$)/i, '')
  for (const [asks, solve] of SOLVERS) {
    const match = asks.exec(plain) ?? asks.exec(question.trim())
    if (match === null) continue
    const answer = await solve(match, { parts, image, options })
    if (answer === undefined) return undefined
    return { outcome: 'answered', answer, score: null, how: 'found and measured' }
  }
  return undefined
}

/** Believed finds of a description, each thing once; undefined when it cannot be told. */
async function found(
  { parts, image, options }: Asked,
  words: string | undefined,
): Promise<readonly Finding[] | undefined> {
  const things = await findThings(parts, image, parsePhrase(words ?? ''), options)
  if (!things.known) return undefined
  const sure = things.things.flatMap((one) => {
    const box = pixelBox(one.box, image)
    return box === undefined || one.score <= THING_THRESHOLD ? [] : [{ ...one, box }]
  })
  return suppress(
    sure.toSorted((a, b) => b.score - a.score),
    { maxOverlap: 0.5 },
  )
}

async function count(asked: Asked, what = '', where = ''): Promise<string | undefined> {
  const things = await found(asked, `${what} ${where}`.trim())
  return things?.length.toString()
}

async function exists(asked: Asked, what: string | undefined): Promise<string | undefined> {
  const things = await found(asked, what)
  return things === undefined ? undefined : things.length > 0 ? 'yes' : 'no'
}

/** The box of the one that is meant: the surest find, or the whole picture when it is a crop of it. */
async function boxOf(asked: Asked, what: string | undefined): Promise<Box | undefined> {
  const { image, parts, options } = asked
  const whole: Box = [0, 0, image.width, image.height]
  if (isCrop(image)) return whole
  const things = await findThings(parts, image, parsePhrase(what ?? ''), options)
  const [best] = things.known ? things.things.toSorted((a, b) => b.score - a.score) : []
  return best === undefined ? undefined : pixelBox(best.box, image)
}

function isCrop({ width, height, frame }: Image): boolean {
  const cut = frame.id !== frame.original
  return cut && Math.max(width, height) <= CROP_UP_TO * 256
}

async function colour(asked: Asked, what: string | undefined): Promise<string | undefined> {
  const box = await boxOf(asked, what === 'it' ? '' : what)
  return box === undefined ? undefined : dominantColour(asked.image, box).colour
}

async function size(asked: Asked, what: string | undefined): Promise<string | undefined> {
  const box = await boxOf(asked, what)
  if (box === undefined) return undefined
  const [x1, y1, x2, y2] = box
  return Math.max(x2 - x1, y2 - y1) >= LARGE_FROM ? 'large' : 'small'
}

async function larger(asked: Asked, a = '', b = ''): Promise<string | undefined> {
  const [one, other] = [await boxOf(asked, a), await boxOf(asked, b)]
  if (one === undefined || other === undefined) return undefined
  return boxArea(one) >= boxArea(other) ? a : b
}

/** The likeliest of some names for what the picture shows most plainly. */
async function nameOf(
  { parts, image, options }: Asked,
  names: readonly KnownName[],
): Promise<string | undefined> {
  const box = await mainBox({ parts, image, options })
  const [sure] = await parts.namer.name(image, [box], [], options)
  if (sure === undefined) return undefined
  const of = (one: KnownName): number => sure[parts.names.all.indexOf(one)] ?? 0
  return names.reduce<KnownName | undefined>(
    (best, one) => (best === undefined || of(one) > of(best) ? one : best),
    undefined,
  )?.label
}

/** The surest place that anything stands in; the whole of a crop. */
async function mainBox({ parts, image, options }: Asked): Promise<Box> {
  const whole: Box = [0, 0, image.width, image.height]
  if (isCrop(image)) return whole
  const places = await parts.eyes.known(image, options)
  const [best] = places.toSorted((a, b) => b.any - a.any)
  return (best && pixelBox(best.box, image)) ?? whole
}

async function kindOf(asked: Asked, kind = ''): Promise<string | undefined> {
  const members = asked.parts.names.kind(kind, await asked.parts.wordnet())
  return members.length === 0 ? undefined : nameOf(asked, members)
}

async function isThis(asked: Asked, what = ''): Promise<string | undefined> {
  const { parts } = asked
  const named = await nameOf(asked, parts.names.all)
  const reading = await parts.names.read(what, parts.wordnet)
  if (named === undefined || reading.names.length === 0) return undefined
  return reading.names.some(({ label }) => label === named) ? 'yes' : 'no'
}
