import { readFile } from 'node:fs/promises'
import {
  findBlobs,
  growRect,
  minAreaRect,
  quarterTurn,
  resizeBytes,
  warpQuad,
} from '../../../image/index.ts'
import type { Image, Pixels, TurnedRect } from '../../../image/index.ts'
import type { Session } from '../../../onnx/index.ts'
import type { TextLine } from '../../backends.ts'
import { readingOrder } from '../../text-lines.ts'
import { decodeCtc } from './ctc-decode.ts'
import type { Reading } from './ctc-decode.ts'
import { photoFile } from './files.ts'
import { planes, UNIT } from './model-input.ts'
import type { PhotoModels } from './models.ts'

/**
 * Longest side that is looked at for text, in pixels; small pictures are enlarged to the least one, at
 * most twice.
 */
const MOST = 1280
const LEAST = 640

/** Probability from which a pixel belongs to text. */
const TEXT_FROM = 0.2

/** Short sides below these are no text: before growing and after it, in pixels of the model. */
const LEAST_SIDE = 3
const LEAST_GROWN = 5

/** Growth of a text's rectangle: this times area over perimeter. */
const GROWTH = 1.5

/** Readings below this mean probability are noise. */
const LEAST_SCORE = 0.5

/** A single character is often a pattern that looks like one, so it must be surer. */
const LEAST_SINGLE = 0.8

/** Height of the recogniser's input; the width is in proportion, at most this. */
const LINE_HEIGHT = 48
const MOST_WIDTH = 2400

/**
 * What finds text in a picture and reads it; the recogniser's characters are loaded at the first text.
 *
 * @source photo-starter §8 (PP-OCRv4)
 */
export function textReader(models: PhotoModels): (image: Image) => Promise<readonly TextLine[]> {
  let characters: Promise<readonly string[]> | undefined
  return async (image) => {
    const rects = await findText(await models.session('ocr-detect'), image)
    if (rects.length === 0) return []
    characters ??= readFile(photoFile('ocr-keys'), 'utf8').then((text) => text.split(/\r?\n/))
    const recogniser = {
      session: await models.session('ocr-recognise'),
      characters: await characters,
    }
    const pieces: Omit<TextLine, 'line'>[] = []
    for (const rect of rects) {
      const { text, score } = await readPiece(recogniser, image, rect)
      const length = text.trim().length
      if (length === 0 || score < (length === 1 ? LEAST_SINGLE : LEAST_SCORE)) continue
      pieces.push({ text: text.trim(), score, box: boxAround(rect), corners: rect.corners })
    }
    return readingOrder(pieces)
  }
}

function boxAround({ corners }: TurnedRect): readonly [number, number, number, number] {
  const xs = corners.map(([x]) => x)
  const ys = corners.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

interface Recogniser {
  readonly session: Session
  /** The 6,623 characters in the order of the model's numbers. */
  readonly characters: readonly string[]
}

/** Rectangles around text, in pixels of the picture. */
async function findText(session: Session, image: Pixels): Promise<readonly TurnedRect[]> {
  const long = Math.max(image.width, image.height)
  const scale = Math.min(MOST / long, Math.max(1, Math.min(2, LEAST / long)))
  const size = {
    width: Math.max(1, Math.round(image.width * scale)),
    height: Math.max(1, Math.round(image.height * scale)),
  }
  const data =
    scale === 1 ? image.data : await resizeBytes(image.data, image, 3, size, { kernel: 'linear' })
  const fitted = paddedTo32({ ...size, data })
  const results = await session.run({ x: planes(fitted, UNIT, 'bgr') })
  const probability = Object.values(results)[0]?.data as Float32Array
  const bits = probability.map((p) => (p > TEXT_FROM ? 1 : 0))
  const toPicture = [image.width / size.width, image.height / size.height] as const
  return findBlobs(bits, fitted.width, fitted.height, { least: 10 }).flatMap((blob) => {
    const tight = minAreaRect(blob.points)
    if (tight === undefined || Math.min(tight.width, tight.height) < LEAST_SIDE) return []
    const grown = growRect(tight, grow(tight))
    return Math.min(grown.width, grown.height) < LEAST_GROWN ? [] : [scaled(grown, toPicture)]
  })
}

/** Half of the polygon offset on each side; for a rectangle no clipping library is needed. */
function grow({ width, height }: TurnedRect): number {
  return (GROWTH * width * height) / (2 * (width + height))
}

/** Black at the right and bottom, up to multiples of 32. */
function paddedTo32({ width, height, data }: Pixels): Pixels {
  const full = { width: Math.ceil(width / 32) * 32, height: Math.ceil(height / 32) * 32 }
  if (full.width === width && full.height === height) return { width, height, data }
  const out = new Uint8Array(full.width * full.height * 3)
  for (let y = 0; y < height; y++) {
    out.set(data.subarray(y * width * 3, (y + 1) * width * 3), y * full.width * 3)
  }
  return { ...full, data: out }
}

function scaled(rect: TurnedRect, [sx, sy]: readonly [number, number]): TurnedRect {
  const [a, b, c, d] = rect.corners
  const move = ([x, y]: readonly [number, number]): readonly [number, number] => [x * sx, y * sy]
  return {
    corners: [move(a), move(b), move(c), move(d)],
    width: rect.width * sx,
    height: rect.height * sy,
  }
}

async function readPiece(
  { session, characters }: Recogniser,
  image: Pixels,
  rect: TurnedRect,
): Promise<Reading> {
  const upright = rect.height >= 1.5 * rect.width
  const [long, short] = upright ? [rect.height, rect.width] : [rect.width, rect.height]
  const length = Math.round((LINE_HEIGHT * long) / short)
  const width = Math.min(MOST_WIDTH, Math.max(LINE_HEIGHT / 2, length))
  const size = upright ? { width: LINE_HEIGHT, height: width } : { width, height: LINE_HEIGHT }
  const cut = warpQuad(image, rect.corners, size, { sampling: 'cubic', samples: 4 })
  // A line that runs upwards or downwards is turned so that its top comes to the right side up.
  const line = upright ? quarterTurn(cut, 3) : cut
  const results = await session.run({ x: planes(line, UNIT, 'bgr') })
  const table = Object.values(results)[0]
  return decodeCtc(table?.data as Float32Array, table?.dims[1] ?? 0, characters)
}
