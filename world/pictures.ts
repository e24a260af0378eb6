import { nearestNames, sha256, UserFault } from '../src/base/index.ts'
import { paintClutter, paintGround } from './ground.ts'
import type { Painting } from './ground.ts'
import { drawLayer } from './layer.ts'
import type { Lexicon } from './lexicon.ts'
import { paintLayer, paintShadow } from './paint.ts'
import { DRAWING_PACKAGES } from './sprites/packages.ts'
import { streamOf } from './stream.ts'
import type { Stream } from './stream.ts'
import type { Sprite } from './types.ts'
import { stamp } from './watermark.ts'

/** A picture as a search on the Internet might find it. */
export interface FoundPicture {
  /** Hash of its content: the same drawing rendered again has another. */
  readonly id: string
  readonly title: string
  readonly source: string
  readonly licence: string
  readonly attribution: string
  readonly width: number
  readonly height: number
  /** [height, width, 3] RGB. */
  readonly rgb: Uint8Array
}

/** What the bench knows of a picture and the system under test must not. */
export interface PictureTruth {
  readonly concept: string
  readonly drawing: string
  readonly noise: 'none' | 'wrong-concept' | 'wrong-picture'
  readonly duplicate: boolean
  readonly watermark: boolean
}

export interface SearchOptions {
  readonly n: number
  readonly page?: number
  readonly seed?: number
  /** Share of wrong results, half of them another concept, half anything; default 0. */
  readonly noise?: number
  readonly duplicates?: number
  readonly watermarks?: number
}

/** The picture source that stands for the Internet. */
export interface PictureSource {
  /**
   * @throws UserFault `E_ARGUMENT` for words that no label, synonym or keyword holds, with near ones
   */
  search(words: string, options: SearchOptions): readonly FoundPicture[]
  /** The same results with what they are, for the bench only. */
  searchWithTruth(
    words: string,
    options: SearchOptions,
  ): readonly { readonly picture: FoundPicture; readonly truth: PictureTruth }[]
}

/**
 * A picture source over drawings in training styles, known and new concepts alike; each result is one
 * drawing on a ground of its own, never a scene of a task.
 *
 * @throws UserFault `E_STYLE` when a drawing is of the development or a final style (W18)
 * @source picture-world §7.1
 */
export function createPictureSource(lexicon: Lexicon, sprites: readonly Sprite[]): PictureSource {
  checkTaught(sprites)
  const byConcept = Map.groupBy(sprites, ({ concept }) => concept)
  const keywords = keywordIndex(lexicon)
  const searchWithTruth: PictureSource['searchWithTruth'] = (words, options) => {
    const found = lookUp(lexicon, keywords, words).filter((id) => byConcept.has(id))
    if (found.length === 0) throw nothingFound(words, keywords)
    const { n, page = 0, seed = 0 } = options
    const stream = streamOf(seed, `pictures/${words}`)
    const queue = found.flatMap((id) => stream.shuffle(byConcept.get(id) ?? []))
    const results: ReturnType<PictureSource['searchWithTruth']>[number][] = []
    for (let i = 0; i < (page + 1) * n; i++) {
      const drawn = queue[i % queue.length] as Sprite
      results.push(
        oneResult({ lexicon, sprites, byConcept, words, options, stream }, drawn, results),
      )
    }
    return results.slice(page * n)
  }
  return {
    searchWithTruth,
    search: (words, options) => searchWithTruth(words, options).map(({ picture }) => picture),
  }
}

function checkTaught(sprites: readonly Sprite[]): void {
  const roles = new Map(DRAWING_PACKAGES.map(({ style, role }) => [style, role]))
  const other = sprites.find(({ style }) => roles.get(style) !== 'train')
  if (other === undefined) return
  throw new UserFault(
    'E_STYLE',
    `The style ${other.style} is for testing: a picture found in it would be the test picture.`,
    { fields: { style: other.style }, cure: 'Open the picture source over training styles.' },
  )
}

/** Labels, synonyms and CLDR keywords, each with the concepts that have it. */
function keywordIndex(lexicon: Lexicon): ReadonlyMap<string, readonly string[]> {
  const pairs = [...lexicon.concepts.values()].flatMap(({ id, label, synonyms, keywords }) =>
    [label, ...synonyms, ...keywords].map((word) => [word.toLowerCase(), id] as const),
  )
  const grouped = Map.groupBy(pairs, ([word]) => word)
  return new Map([...grouped].map(([word, all]) => [word, [...new Set(all.map(([, id]) => id))]]))
}

/** The concept of that name; else all that share it as a keyword. */
function lookUp(
  lexicon: Lexicon,
  keywords: ReadonlyMap<string, readonly string[]>,
  words: string,
): readonly string[] {
  const plain = words.replace(/^(?:an? )?(?:photo|picture|drawing) of /i, '').trim()
  const named = lexicon.named(plain.replace(/^(?:an?|the) /i, ''))
  return named === undefined ? (keywords.get(plain.toLowerCase()) ?? []) : [named.id]
}

function nothingFound(words: string, keywords: ReadonlyMap<string, unknown>): UserFault {
  const near = nearestNames(words.toLowerCase(), [...keywords.keys()])
  return new UserFault('E_ARGUMENT', `No picture is filed under "${words}".`, {
    fields: { words, near },
    cure: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Try another word.',
  })
}

interface Searching {
  readonly lexicon: Lexicon
  readonly sprites: readonly Sprite[]
  readonly byConcept: ReadonlyMap<string, readonly Sprite[]>
  readonly words: string
  readonly options: SearchOptions
  readonly stream: Stream
}

type Result = { readonly picture: FoundPicture; readonly truth: PictureTruth }

function oneResult(searching: Searching, drawn: Sprite, before: readonly Result[]): Result {
  const { options, stream, sprites } = searching
  const noise = options.noise ?? 0
  const lot = stream.range(0, 9999) / 10000
  const repeats = stream.range(0, 9999) / 10000 < (options.duplicates ?? 0.1) && before.length > 0
  const marked = stream.range(0, 9999) / 10000 < (options.watermarks ?? 0.1)
  const last = before.at(-1)
  const kind = lot < noise / 2 ? 'wrong-concept' : lot < noise ? 'wrong-picture' : 'none'
  let sprite = drawn
  if (kind === 'wrong-concept') sprite = siblingOf(searching, drawn)
  else if (kind === 'wrong-picture') sprite = stream.pick(sprites)
  else if (repeats && last?.truth.noise === 'none') {
    const same = sprites.filter(({ drawing }) => drawing === last.truth.drawing)
    sprite = stream.pick(same)
  }
  const picture = render(searching, sprite, marked)
  return {
    picture,
    truth: {
      concept: sprite.concept,
      drawing: sprite.drawing,
      noise: sprite.concept === drawn.concept ? 'none' : kind,
      duplicate: before.some(({ truth }) => truth.drawing === sprite.drawing),
      watermark: marked,
    },
  }
}

/** A drawing of a sibling: of a common class, sharing a keyword, or at least of the group. */
function siblingOf({ lexicon, byConcept, stream }: Searching, { concept }: Sprite): Sprite {
  const own = lexicon.concept(concept)
  const classes = lexicon.classesOf(concept)
  const others = [...byConcept.keys()].filter((id) => {
    if (id === concept) return false
    const other = lexicon.concept(id)
    return (
      classes.some(({ members }) => members.has(id)) ||
      other.group === own.group ||
      other.keywords.some((word) => own.keywords.includes(word))
    )
  })
  const id = others.length > 0 ? stream.pick(others) : stream.pick([...byConcept.keys()])
  return stream.pick(byConcept.get(id) ?? [])
}

/** One drawing on a ground of its own, 192 to 320 pixels, at another scale and angle. */
function render(
  { words, stream, lexicon }: Searching,
  sprite: Sprite,
  marked: boolean,
): FoundPicture {
  const side = stream.range(192, 320)
  const painting: Painting = {
    width: side,
    height: side,
    rgb: new Uint8Array(side * side * 3),
    top: new Uint8Array(side * side),
  }
  paintGround(painting, stream)
  paintClutter(painting, stream)
  const layer = drawLayer(sprite, {
    longer: Math.trunc((side * stream.range(40, 80)) / 100),
    degrees: stream.range(-15, 15),
    flip: stream.chance(1, 2),
    look: {
      hue: (stream.range(-24, 24) + 1536) % 1536,
      tint: false,
      saturation: stream.range(205, 307),
      contrast: stream.range(218, 282),
    },
  })
  const x = stream.range(0, Math.max(0, side - layer.width))
  const y = stream.range(0, Math.max(0, side - layer.height))
  paintShadow(painting, layer, x, y, stream.range(20, 110))
  paintLayer(painting, layer, x, y, 1)
  if (marked) stamp(painting, 'SAMPLE', stream)
  return described(painting, words, sprite, lexicon)
}

function described(
  { rgb, width, height }: Painting,
  words: string,
  sprite: Sprite,
  lexicon: Lexicon,
): FoundPicture {
  const source = DRAWING_PACKAGES.find(({ style }) => style === sprite.style)
  const asked = lexicon.named(words)?.label ?? words
  return {
    id: sha256(rgb).slice(0, 16),
    // Titled as asked, whatever it is: that is the noise.
    title: asked,
    source: source?.name ?? sprite.style,
    licence: source?.licence ?? 'unknown',
    attribution: source === undefined ? 'unknown' : `${source.author}; composed and recoloured`,
    width,
    height,
    rgb,
  }
}
