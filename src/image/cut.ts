import { setImmediate as breathe } from 'node:timers/promises'
import { checkNumber, UserFault } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import {
  boundingBox,
  boxHeight,
  boxWidth,
  clipBox,
  growBox,
  inBox,
  pixelBox,
  shiftBox,
} from './box.ts'
import type { Size } from './box.ts'
import { cropBytes } from './image.ts'
import { withOpenCv } from './opencv.ts'
import type { Loaded } from './opencv.ts'
import { resizeBytes } from './resize.ts'
import { cropMask, maskArea, maskFromBitmap, maskToBitmap, placeMask, resizeMask } from './rle.ts'
import { fillHoles, labelBlobs, largestBlobs } from './shapes.ts'
import type { Point } from './matrix.ts'
import type { Box, Image, MaskRle } from './types.ts'

/** What a person or a detector says about the object to cut out; pixels of the picture. */
export interface CutHints {
  /** The object lies within. */
  readonly box: Box
  /** Points certainly on it. */
  readonly plus?: readonly Point[]
  /** Points certainly beside it. */
  readonly minus?: readonly Point[]
  /** An earlier cut to correct. */
  readonly mask?: MaskRle
}

export interface CutOptions extends Abortable {
  /** Rounds of GrabCut, default 4. */
  readonly iterations?: number
  /** Longest side that is worked on, default 640. */
  readonly maxSide?: number
  /** Longest side of the box that is worked on, default 400: it bounds the time. */
  readonly maxBox?: number
}

/** GrabCut's words for a pixel. */
const SURE_BACKGROUND = 0
const SURE_OBJECT = 1
const MAYBE_BACKGROUND = 2
const MAYBE_OBJECT = 3

/** Blobs smaller than this share of the largest are specks. */
const SPECK = 0.02

/**
 * The object within a box, by its colours: GrabCut seeded by the box, corrected by clicks.
 *
 * Good on compact things apart from their surroundings; weak on thin parts, shadows, white on white.
 * Works on the box and as much again around it, reduced; the same input gives the same mask.
 *
 * @returns a mask of the picture's size; undefined when nothing stands out from the surroundings
 * @throws UserFault `T_INPUT` when the box holds no pixel of the picture
 * @cost 0.1 to 2 seconds; the signal is heard between rounds
 * @source photo-starter §7
 */
export async function cutOut(
  image: Image,
  hints: CutHints,
  options: CutOptions = {},
): Promise<MaskRle | undefined> {
  const { iterations = 4, signal } = options
  checkNumber(iterations, 'iterations', { min: 1, max: 50, integer: true })
  signal?.throwIfAborted()
  const box = boxOf(image, hints)
  const view = viewOf(image, box, options)
  const pixels = await resizeBytes(
    cropBytes(image.data, image.width, view.part, 3),
    partSize(view.part),
    3,
    view.size,
    { kernel: 'linear', signal },
  )
  if (view.rect === undefined) return undefined
  const seeds = seedsOf(hints, view)
  const labels = await grabCut(pixels, view, seeds, iterations, signal)
  const bits = labels.map((label) => (label === SURE_OBJECT || label === MAYBE_OBJECT ? 1 : 0))
  const wanted = [...(seeds?.sure ?? [])].filter(([, label]) => label === SURE_OBJECT)
  fillHoles(bits, view.size, SPECK)
  const clean = largestBlobs(bits, view.size.width, view.size.height, {
    share: SPECK,
    keep: wanted.map(([i]) => i),
  })
  return backToPicture(clean, view, image, signal)
}

function boxOf(image: Image, { box, plus = [] }: CutHints): Box {
  // Around a plus click beyond the box there must be room for what it means.
  const room = Math.max(16, boxWidth(box), boxHeight(box)) / 2
  const points = plus
    .filter(([x, y]) => !inBox(box, x, y))
    .map(([x, y]): Box => [x - room, y - room, x + room, y + room])
  const whole = pixelBox(boundingBox([box, ...points]) ?? box, image)
  if (whole !== undefined) return whole
  throw new UserFault('T_INPUT', `The box [${box.join(', ')}] holds no pixel of the picture.`, {
    fields: { box, width: image.width, height: image.height },
    cure: 'Draw it around the object.',
  })
}

/** The part of the picture that is worked on, and how it is reduced. */
interface View {
  readonly part: Box
  readonly size: Size
  /** The box in the view's pixels, one pixel away from the borders; undefined when it is too small. */
  readonly rect: Box | undefined
  /** View pixels for one picture pixel. */
  readonly scale: Point
}

function viewOf(image: Image, box: Box, { maxSide = 640, maxBox = 400 }: CutOptions): View {
  const around = Math.max(16, boxWidth(box), boxHeight(box))
  const part = clipBox(growBox(box, around), image) ?? box
  const { width, height } = partSize(part)
  const longBox = Math.max(boxWidth(box), boxHeight(box))
  const factor = Math.min(1, maxSide / Math.max(width, height), maxBox / longBox)
  const size = {
    width: Math.max(1, Math.round(width * factor)),
    height: Math.max(1, Math.round(height * factor)),
  }
  const scale = [size.width / width, size.height / height] as const
  const [x1, y1, x2, y2] = shiftBox(box, -part[0], -part[1])
  const rect = [
    Math.max(1, Math.floor(x1 * scale[0])),
    Math.max(1, Math.floor(y1 * scale[1])),
    Math.min(size.width - 1, Math.ceil(x2 * scale[0])),
    Math.min(size.height - 1, Math.ceil(y2 * scale[1])),
  ] as const
  const roomy = rect[2] - rect[0] >= 2 && rect[3] - rect[1] >= 2
  return { part, size, rect: roomy ? rect : undefined, scale }
}

function partSize(part: Box): Size {
  return { width: boxWidth(part), height: boxHeight(part) }
}

/** What is known of the view's pixels beyond the box; undefined when there is nothing. */
function seedsOf({ plus = [], minus = [], mask }: CutHints, view: View): Seeds | undefined {
  if (plus.length + minus.length === 0 && mask === undefined) return undefined
  const { part, size, scale } = view
  const radius = Math.max(2, Math.round(Math.max(size.width, size.height) / 100))
  const sure = new Map<number, number>()
  const dot = ([px, py]: Point, label: number): void => {
    const cx = Math.floor((px - part[0]) * scale[0])
    const cy = Math.floor((py - part[1]) * scale[1])
    for (let y = Math.max(0, cy - radius); y <= Math.min(size.height - 1, cy + radius); y++) {
      for (let x = Math.max(0, cx - radius); x <= Math.min(size.width - 1, cx + radius); x++) {
        if ((x - cx) ** 2 + (y - cy) ** 2 <= radius * radius) sure.set(y * size.width + x, label)
      }
    }
  }
  for (const point of plus) dot(point, SURE_OBJECT)
  for (const point of minus) dot(point, SURE_BACKGROUND)
  const earlier =
    mask === undefined
      ? undefined
      : maskToBitmap(resizeMask(cropMask(mask, part), size.width, size.height))
  return { sure, ...(earlier === undefined ? {} : { earlier }) }
}

interface Seeds {
  readonly sure: ReadonlyMap<number, number>
  readonly earlier?: Uint8Array
}

/** GrabCut's label for each pixel of the view. */
async function grabCut(
  pixels: Uint8Array,
  view: View,
  seeds: Seeds | undefined,
  iterations: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return withOpenCv(async (loaded, own) => {
    const { cv } = loaded
    const { width, height } = view.size
    const picture = own(cv.matFromArray(height, width, cv.CV_8UC3, pixels as unknown as number[]))
    const labels = own(new cv.Mat(height, width, cv.CV_8UC1, new cv.Scalar(SURE_BACKGROUND)))
    const background = own(new cv.Mat())
    const object = own(new cv.Mat())
    const rounds = async (mode: number, rect: unknown): Promise<void> => {
      for (let i = 0; i < iterations; i++) {
        const how = i === 0 ? mode : cv.GC_EVAL
        runGrabCut(loaded, [picture, labels, rect, background, object, 1, how])
        // One round at a time, so that others get a turn and a signal is heard.
        await breathe()
        signal?.throwIfAborted()
      }
    }
    const [x1, y1, x2, y2] = view.rect ?? [0, 0, width, height]
    const rect = new cv.Rect(x1, y1, x2 - x1, y2 - y1)
    const bytes = labels.data as Uint8Array
    if (seeds?.earlier === undefined) await rounds(cv.GC_INIT_WITH_RECT, rect)
    else bytes.set(startFrom(seeds.earlier, view))
    if (seeds !== undefined) {
      dropRejected(bytes, seeds.sure, view.size)
      for (const [i, label] of seeds.sure) bytes[i] = label
      const both = hasBoth(bytes)
      if (both) await rounds(cv.GC_INIT_WITH_MASK, rect)
    }
    return Uint8Array.from(labels.data as Uint8Array)
  })
}

/**
 * Parts of the object that a minus click hits and no plus click holds are put in doubt as a whole;
 * else their own colours, learnt as the object's, would win the part back.
 */
function dropRejected(
  labels: Uint8Array,
  sure: ReadonlyMap<number, number>,
  { width, height }: Size,
): void {
  const isObject = labels.map((one) => (one === SURE_OBJECT || one === MAYBE_OBJECT ? 1 : 0))
  const parts = labelBlobs(isObject, width, height)
  const [wanted, unwanted] = [new Set<number>(), new Set<number>()]
  for (const [i, label] of sure) (label === SURE_OBJECT ? wanted : unwanted).add(parts[i] as number)
  for (let i = 0; i < labels.length; i++) {
    const part = parts[i] as number
    if (part > 0 && unwanted.has(part) && !wanted.has(part)) labels[i] = MAYBE_BACKGROUND
  }
}

/** GrabCut draws its first guess at random: the same draw each time. */
function runGrabCut({ cv }: Loaded, args: readonly unknown[]): void {
  const calls = cv as unknown as {
    setRNGSeed?: (seed: number) => void
    grabCut: (...args: readonly unknown[]) => void
  }
  calls.setRNGSeed?.(1)
  calls.grabCut(...args)
}

/** An earlier mask as a guess within the box; outside it is certain background. */
function startFrom(earlier: Uint8Array, { rect, size }: View): Uint8Array {
  const out = new Uint8Array(size.width * size.height)
  const [x1, y1, x2, y2] = rect ?? [0, 0, size.width, size.height]
  for (let y = y1; y < y2; y++) {
    for (let x = x1; x < x2; x++) {
      const i = y * size.width + x
      out[i] = earlier[i] === 1 ? MAYBE_OBJECT : MAYBE_BACKGROUND
    }
  }
  return out
}

/** Starting from a mask needs a pixel of each kind. */
function hasBoth(labels: Uint8Array): boolean {
  const object = labels.some((label) => label === SURE_OBJECT || label === MAYBE_OBJECT)
  return object && labels.some((label) => label === SURE_BACKGROUND || label === MAYBE_BACKGROUND)
}

async function backToPicture(
  mask: MaskRle,
  view: View,
  image: Image,
  signal: AbortSignal | undefined,
): Promise<MaskRle | undefined> {
  if (maskArea(mask) === 0) return undefined
  const soft = maskToBitmap(mask).map((bit) => bit * 255)
  const full = partSize(view.part)
  // Enlarged as a soft picture and cut at half, so that edges are smooth and no staircase.
  const large = await resizeBytes(soft, view.size, 1, full, { kernel: 'linear', signal })
  const cut = maskFromBitmap(large, full.height, full.width, 127)
  if (maskArea(cut) === 0) return undefined
  return placeMask(cut, image.width, image.height, view.part[0], view.part[1])
}
