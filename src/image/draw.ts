import type { Abortable } from '../base/index.ts'
import { editedImage } from './image.ts'
import type { Pixels } from './letterbox.ts'
import { toFrame } from './objects.ts'
import { paintMarks } from './paint.ts'
import type { Mark, PaintOptions } from './paint.ts'
import { BEST_PEN, CHOSEN_PEN, OTHER_PEN, penOf, TAG_PEN } from './palette.ts'
import type { Pen } from './palette.ts'
import { maskOutlines, simplifyRing } from './polygon.ts'
import type { Image, ObjectRecord } from './types.ts'

export interface DrawStyle {
  /**
   * `kinds` (default): a colour and a dash for each category; `best`: the first red, the others
   * blue and dashed; `chosen`: all green.
   */
  readonly pens?: 'kinds' | 'best' | 'chosen'
  /** What labels say: number, name and score (`full`, default), the number only, or nothing. */
  readonly labels?: 'full' | 'number' | 'none'
  /** Masks are outlined and tinted where objects have one; default true. */
  readonly masks?: boolean
  /** Boxes are drawn; default true. */
  readonly boxes?: boolean
  /** Line width in pixels; by the picture's size when left out. */
  readonly line?: number
  /** Letter height in pixels; by the picture's size when left out. */
  readonly font?: number
  /** Words of your own for an object. */
  readonly name?: (object: ObjectRecord, index: number) => string
}

/**
 * The picture with its objects drawn on it, so that they can be read on any ground.
 *
 * Objects of another frame of the same original are shifted; labels never cover each other; where
 * there is no room for a label its number stands, or nothing.
 *
 * @throws UserFault `T_FRAME` when objects belong to another picture
 */
export async function drawObjects(
  image: Image,
  objects: readonly ObjectRecord[],
  style: DrawStyle = {},
  { signal }: Abortable = {},
): Promise<Image> {
  signal?.throwIfAborted()
  const here = toFrame(objects, image).objects
  if (here.length === 0) return image
  const marks = marksFor(here, style)
  const { pixels } = await paintMarks(image, marks, paintOptions(image, marks.length, style))
  signal?.throwIfAborted()
  return editedImage(image, pixels.data)
}

/**
 * TAG's drawing: a green box of 4 pixels and a label `class (score)`, or the category.
 *
 * The result carries the objects in its own frame, after those that the picture carried already: they
 * are what is scored. An object that is tagged again is carried once, as it is now.
 * @returns the same picture without objects
 * @source program-language §8, TAG
 */
export async function drawTags(
  image: Image,
  objects: readonly ObjectRecord[],
  { signal }: Abortable = {},
): Promise<Image> {
  signal?.throwIfAborted()
  const here = toFrame(objects, image).objects
  if (here.length === 0) return image
  const marks = here.map((one): Mark => ({ box: one.box, pen: TAG_PEN, texts: [tagText(one)] }))
  const { font } = paintOptions(image, marks.length, {})
  const { pixels } = await paintMarks(image, marks, { line: 4, font })
  signal?.throwIfAborted()
  const again = new Set(here.map(({ id }) => id))
  const earlier = (image.tags ?? []).filter(({ id }) => !again.has(id))
  return editedImage(image, pixels.data, [...earlier, ...here])
}

function tagText({ class: word, classScore, category }: ObjectRecord): string {
  if (word === undefined) return category
  return classScore === undefined ? word : `${word} (${classScore})`
}

/** What each object looks like; `scale` shrinks picture pixels to those that are drawn on. */
export function marksFor(
  objects: readonly ObjectRecord[],
  style: DrawStyle,
  scale: readonly [sx: number, sy: number] = [1, 1],
): Mark[] {
  const pens = pensFor(objects, style.pens ?? 'kinds')
  const [sx, sy] = scale
  return objects.map((one, i) => {
    const [x1, y1, x2, y2] = one.box
    const rings =
      style.masks === false || one.mask === null
        ? undefined
        : maskOutlines(one.mask).map(({ ring }) =>
            simplifyRing(
              ring.map(([x, y]) => [x * sx, y * sy] as const),
              0.75,
            ),
          )
    return {
      box: [x1 * sx, y1 * sy, x2 * sx, y2 * sy],
      pen: pens[i] ?? penOf(0),
      texts: textsFor(one, i, objects.length, style),
      ...(rings === undefined ? {} : { rings }),
      ...(style.boxes === undefined ? {} : { boxed: style.boxes }),
    }
  })
}

function pensFor(objects: readonly ObjectRecord[], how: 'kinds' | 'best' | 'chosen'): Pen[] {
  if (how === 'chosen') return objects.map(() => CHOSEN_PEN)
  if (how === 'best') return objects.map((_, i) => (i === 0 ? BEST_PEN : OTHER_PEN))
  const kinds = new Map<string, number>()
  return objects.map(({ category }) => {
    const kind = kinds.get(category) ?? kinds.size
    kinds.set(category, kind)
    return penOf(kind)
  })
}

function textsFor(one: ObjectRecord, index: number, count: number, style: DrawStyle): string[] {
  const { labels = 'full', name } = style
  if (labels === 'none') return []
  const number = String(index + 1)
  if (labels === 'number') return [number]
  const words = name === undefined ? nameAndScore(one) : name(one, index)
  return count === 1 ? [words] : [`${number} ${words}`, number]
}

function nameAndScore(one: ObjectRecord): string {
  if (one.class !== undefined) return tagText(one)
  return one.score === null ? one.category : `${one.category} ${one.score.toFixed(2)}`
}

/** Line and letters that suit a picture's size and how much is drawn on it. */
export function paintOptions(picture: Pixels, count: number, style: DrawStyle): PaintOptions {
  const long = Math.max(picture.width, picture.height)
  const crowd = count > 60 ? 0.75 : count > 25 ? 0.88 : 1
  const font = Math.min(48, Math.max(12, (long / 50) * crowd))
  const line = Math.min(8, Math.max(1.5, (long / 350) * crowd))
  return {
    line: style.line ?? Math.round(line * 2) / 2,
    font: style.font ?? Math.round(font),
  }
}
