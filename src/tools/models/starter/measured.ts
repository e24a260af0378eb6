import type { Abortable } from '../../../base/index.ts'
import { boxArea, dominantColour, pixelBox, suppress } from '../../../image/index.ts'
import type { Box, Image } from '../../../image/index.ts'
import type { Answer, Finding } from '../../backends.ts'
import { parsePhrase } from '../photo/phrase.ts'
import type { KnownName } from './names.ts'
import type { StarterParts } from './parts.ts'
import { readWhole } from './read-question.ts'
import type { WholeQuestion } from './read-question.ts'
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
    return measured(answer)
  }
  const whole = readWhole(question, parts.names)
  if (whole === undefined) return undefined
  const answer = await answerWhole(whole, { parts, image, options })
  return answer === undefined ? undefined : measured(answer)
}

function measured(answer: string): Answer {
  return { outcome: 'answered', answer, score: null, how: 'found and measured' }
}

/** A question in free words, read by the things that it names. */
async function answerWhole(asks: WholeQuestion, asked: Asked): Promise<string | undefined> {
  switch (asks.kind) {
    case 'larger':
      return larger(asked, asks.a, asks.b)
    case 'smaller':
      return larger(asked, asks.a, asks.b, -1)
    case 'count':
      return count(asked, asks.phrase)
    case 'exists':
      return exists(asked, asks.phrase)
    case 'size':
      return size(asked, asks.a)
    case 'colour':
      return colour(asked, asks.a, asks.options)
    case 'same-colour': {
      const [one, other] = [await colour(asked, asks.a), await colour(asked, asks.b)]
      return one === undefined || other === undefined ? undefined : one === other ? 'yes' : 'no'
    }
    case 'side':
      return side(asked, asks)
    default: {
      const [one, other] = [await sureness(asked, asks.a), await sureness(asked, asks.b)]
      return ofTwo(asks, one, other)
    }
  }
}

/** From how sure each of two things is. */
function ofTwo(
  { kind, a, b }: Extract<WholeQuestion, { kind: 'any' | 'all' | 'only' | 'which' }>,
  one: number,
  other: number,
): string {
  const [first, second] = [one > THING_THRESHOLD, other > THING_THRESHOLD]
  if (kind === 'which') return one >= other ? a : b
  const holds =
    kind === 'any' ? first || second : kind === 'all' ? first && second : first && !second
  return holds ? 'yes' : 'no'
}

/** The score of the surest find, 0 for none. */
async function sureness(asked: Asked, what: string): Promise<number> {
  const things = (await found(asked, what)) ?? []
  return things.reduce((most, { score }) => Math.max(most, score), 0)
}

/** Which way a thing lies of another, or of the middle of the picture. */
async function side(
  asked: Asked,
  { a, b, across }: Extract<WholeQuestion, { kind: 'side' }>,
): Promise<string | undefined> {
  const { width, height } = asked.image
  const one = await boxOf(asked, a)
  const other = b === undefined ? ([0, 0, width, height] as const) : await boxOf(asked, b)
  if (one === undefined || other === undefined) return undefined
  const at = (box: readonly number[]): number =>
    across ? (box[0] ?? 0) + (box[2] ?? 0) : (box[1] ?? 0) + (box[3] ?? 0)
  const before = at(one) < at(other)
  if (across) return before ? 'left' : 'right'
  return before ? 'above' : 'below'
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

/** The colour, or of some the one that takes up most. */
async function colour(
  asked: Asked,
  what: string | undefined,
  among: readonly string[] = [],
): Promise<string | undefined> {
  const box = await boxOf(asked, what === 'it' ? '' : what)
  if (box === undefined) return undefined
  const facts = dominantColour(asked.image, box)
  const share = (name: string): number =>
    facts.shares.find((part) => part.colour === name)?.share ?? 0
  return among.toSorted((a, b) => share(b) - share(a))[0] ?? facts.colour
}

async function size(asked: Asked, what: string | undefined): Promise<string | undefined> {
  const box = await boxOf(asked, what)
  if (box === undefined) return undefined
  const [x1, y1, x2, y2] = box
  return Math.max(x2 - x1, y2 - y1) >= LARGE_FROM ? 'large' : 'small'
}

/** @param sign  -1 for the smaller one */
async function larger(asked: Asked, a = '', b = '', sign = 1): Promise<string | undefined> {
  const [one, other] = [await boxOf(asked, a), await boxOf(asked, b)]
  if (one === undefined || other === undefined) return undefined
  return sign * (boxArea(one) - boxArea(other)) >= 0 ? a : b
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
