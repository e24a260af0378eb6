import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { loadCanvas, plainBytes } from './native.ts'
import { fontsFor } from './fonts.ts'
import { placeLabels } from './labels.ts'
import type { LabelPlace } from './labels.ts'
import type { Pixels } from './letterbox.ts'
import { inkOn } from './palette.ts'
import type { Pen } from './palette.ts'
import { ringArea } from './polygon.ts'
import type { Ring } from './polygon.ts'
import { toRgba } from './rgba.ts'
import type { Box } from './types.ts'

/** One thing to draw, in pixels of the picture that it is drawn on. */
export interface Mark {
  readonly box: Box
  /** Outlines of its mask. */
  readonly rings?: readonly Ring[]
  readonly pen: Pen
  /** Its label's forms, longest first; none without a label. */
  readonly texts: readonly string[]
  /** False draws the mask only. */
  readonly boxed?: boolean
}

export interface PaintOptions {
  /** Line width in pixels. */
  readonly line: number
  /** Height of the letters in pixels. */
  readonly font: number
  /** Casing around lines, so that they stand out from any ground; default true. */
  readonly casing?: boolean
  /** 0..1: how much masks are filled; default 0.28. */
  readonly fill?: number
}

/**
 * Marks drawn over pixels: masks first, then lines, then labels, which never cover each other.
 *
 * Pixels that no mark touches are bit-identical.
 * @returns the pixels, and for each mark whether its label found a place
 */
export async function paintMarks(
  pixels: Pixels,
  marks: readonly Mark[],
  options: PaintOptions,
): Promise<{ readonly pixels: Pixels; readonly labelled: readonly boolean[] }> {
  const canvas = await canvasOf(pixels)
  const pen = canvas.getContext('2d')
  for (const mark of marks) paintMask(pen, mark, options)
  for (const mark of marks) if (mark.boxed !== false) paintBox(pen, mark, pixels, options)
  const families = await fontsFor(marks.flatMap((mark) => mark.texts))
  pen.font = `bold ${options.font}px ${families}`
  const labels = marks.map((mark) => formsOf(pen, mark, pixels, options))
  const places = placeLabels(
    labels.map((forms, i) => ({ anchor: anchorOf(marks[i]?.box, pixels, options), forms })),
    pixels,
  )
  places.forEach((place, i) => {
    const mark = marks[i]
    if (place?.apart === true && mark !== undefined) paintLeader(pen, mark, place, options)
  })
  places.forEach((place, i) => {
    const mark = marks[i]
    const form = place === undefined ? undefined : labels[i]?.[place.form]
    if (place !== undefined && form !== undefined && mark !== undefined) {
      paintLabel(pen, form.text, mark.pen, place, options)
    }
  })
  return { pixels: pixelsOf(canvas), labelled: places.map((place) => place !== undefined) }
}

async function canvasOf({ width, height, data }: Pixels): Promise<Canvas> {
  const { createCanvas, ImageData } = await loadCanvas()
  const canvas = createCanvas(width, height)
  const rgba = toRgba({ width, height, data }).data
  const clamped = new Uint8ClampedArray(rgba.buffer as ArrayBuffer, rgba.byteOffset, rgba.length)
  canvas.getContext('2d').putImageData(new ImageData(clamped, width, height), 0, 0)
  return canvas
}

function pixelsOf(canvas: Canvas): Pixels {
  const { width, height } = canvas
  const rgba = plainBytes(canvas.data())
  const data = new Uint8Array(width * height * 3)
  for (let from = 0, to = 0; to < data.length; from += 4, to += 3) {
    data[to] = rgba[from] as number
    data[to + 1] = rgba[from + 1] as number
    data[to + 2] = rgba[from + 2] as number
  }
  return { width, height, data }
}

function paintMask(pen: SKRSContext2D, mark: Mark, { line, fill = 0.28 }: PaintOptions): void {
  if (mark.rings === undefined || mark.rings.length === 0) return
  pen.beginPath()
  for (const ring of mark.rings) {
    // Specks would be all outline.
    if (Math.abs(ringArea(ring)) < 3 * line * line) continue
    ring.forEach(([x, y], i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)))
    pen.closePath()
  }
  pen.fillStyle = withAlpha(mark.pen.colour, fill)
  pen.fill('evenodd')
  pen.lineJoin = 'round'
  stroke(pen, { colour: 'rgba(0,0,0,0.55)', dash: [] }, line + 2, line)
  stroke(pen, { colour: mark.pen.colour, dash: [] }, Math.max(1.5, line * 0.8), line)
}

/** The line lies inside the box, so that it shows at the picture's border too. */
function paintBox(
  pen: SKRSContext2D,
  mark: Mark,
  picture: Pixels,
  { line, casing = true }: PaintOptions,
): void {
  const [x1, y1, x2, y2] = roomFor(mark.box, picture, line)
  pen.lineJoin = 'miter'
  pen.beginPath()
  pen.rect(x1 + line / 2, y1 + line / 2, x2 - x1 - line, y2 - y1 - line)
  if (casing) {
    stroke(pen, { colour: 'rgba(0,0,0,0.6)', dash: [] }, line + 3, line)
    stroke(pen, { colour: 'rgba(255,255,255,0.85)', dash: [] }, line + 1, line)
  }
  stroke(pen, mark.pen, line, line)
}

function stroke(pen: SKRSContext2D, { colour, dash }: Pen, width: number, unit: number): void {
  pen.strokeStyle = colour
  pen.lineWidth = width
  pen.lineCap = 'butt'
  pen.setLineDash(dash.map((part) => part * Math.max(2, unit)))
  pen.stroke()
  pen.setLineDash([])
}

/** A box too small for its own line is drawn larger, inside the picture. */
function roomFor([x1, y1, x2, y2]: Box, { width, height }: Pixels, line: number): Box {
  const least = 2 * line + 3
  const span = (a: number, b: number, end: number): [number, number] => {
    if (b - a >= least) return [a, b]
    const from = Math.max(0, Math.min((a + b - least) / 2, end - least))
    return [from, Math.min(end, from + least)]
  }
  const [left, right] = span(x1, x2, width)
  const [top, bottom] = span(y1, y2, height)
  return [left, top, right, bottom]
}

function anchorOf(at: Box | undefined, picture: Pixels, { line }: PaintOptions): Box {
  return roomFor(at ?? [0, 0, 1, 1], picture, line)
}

interface Form {
  readonly text: string
  readonly width: number
  readonly height: number
}

const padOf = (font: number): number => Math.round(font * 0.35)

function formsOf(
  pen: SKRSContext2D,
  { texts }: Mark,
  picture: Pixels,
  { font }: PaintOptions,
): Form[] {
  const pad = padOf(font)
  const height = Math.round(font * 1.4)
  const most = picture.width - 2 * pad
  return texts.map((full) => {
    const text = shortened(pen, full, most)
    return { text, width: Math.ceil(pen.measureText(text).width) + 2 * pad, height }
  })
}

/** The text cut with an ellipsis so that it is at most so many pixels wide. */
function shortened(pen: SKRSContext2D, text: string, most: number): string {
  if (pen.measureText(text).width <= most) return text
  const parts = Array.from(new Intl.Segmenter().segment(text), (one) => one.segment)
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (pen.measureText(`${parts.slice(0, middle).join('')}…`).width <= most) low = middle
    else high = middle - 1
  }
  return `${parts.slice(0, low).join('').trimEnd()}…`
}

function paintLabel(
  pen: SKRSContext2D,
  text: string,
  { colour }: Pen,
  { box: [x1, y1, x2, y2] }: LabelPlace,
  { font }: PaintOptions,
): void {
  pen.beginPath()
  pen.roundRect(x1 + 0.5, y1 + 0.5, x2 - x1 - 1, y2 - y1 - 1, Math.round(font * 0.22))
  pen.fillStyle = colour
  pen.fill()
  // A thin rim parts the label from ground of its own colour.
  pen.strokeStyle = inkOn(colour) === '#ffffff' ? 'rgba(255,255,255,0.9)' : 'rgba(0,0,0,0.75)'
  pen.lineWidth = 1
  pen.stroke()
  pen.fillStyle = inkOn(colour)
  pen.textAlign = 'left'
  pen.textBaseline = 'alphabetic'
  pen.fillText(text, x1 + padOf(font), (y1 + y2) / 2 + font * 0.36)
}

/** A line from a label that stands apart to the nearest point of its box. */
function paintLeader(
  pen: SKRSContext2D,
  { box: target, pen: { colour } }: Mark,
  { box: at }: LabelPlace,
  { line }: PaintOptions,
): void {
  const [cx, cy] = [(at[0] + at[2]) / 2, (at[1] + at[3]) / 2]
  const x = Math.min(Math.max(cx, target[0]), target[2])
  const y = Math.min(Math.max(cy, target[1]), target[3])
  pen.beginPath()
  pen.moveTo(cx, cy)
  pen.lineTo(x, y)
  const thin = Math.max(1, line * 0.5)
  stroke(pen, { colour: 'rgba(0,0,0,0.6)', dash: [] }, thin + 2, line)
  stroke(pen, { colour, dash: [] }, thin, line)
}

function withAlpha(colour: string, alpha: number): string {
  const n = parseInt(colour.slice(1), 16)
  return `rgba(${n >> 16},${(n >> 8) & 255},${n & 255},${alpha})`
}
