import { orAbort } from '../../../base/index.ts'
import type { Abortable } from '../../../base/index.ts'
import {
  boxArea,
  boxFromLetterbox,
  clipBox,
  convertBox,
  finerImage,
  iou,
  letterbox,
  pointFromLetterbox,
} from '../../../image/index.ts'
import type { Image, Pixels } from '../../../image/index.ts'
import type { RunTensor, RunTensors } from '../../../onnx/index.ts'
import type { FaceFinding, Finding, TextLine } from '../../backends.ts'
import { BLAZEFACE_SIDE, decodeBlazeface } from './blazeface-decode.ts'
import { decodeCenternet } from './centernet-decode.ts'
import { channelsLast, PLAIN, SIGNED } from './model-input.ts'
import type { PhotoModels } from './models.ts'
import { hasFaintPeople, withFaces } from './people-by-face.ts'
import { textReader } from './read-text.ts'

/** Side of the object detector's input. */
export const CENTERNET_SIDE = 512

/** Faces below this score are not even considered. */
const FACE_FLOOR = 0.3

/**
 * What fills a part of a picture has no surroundings there, which the detector wants to see: parts are
 * looked at again with a grey border of this times the longer side.
 */
const PART_BORDER = 0.35

/** What the second look adds covers at least this much of the part. */
const FILLS_FROM = 0.4

/** Longest side at which text is read, where the file has more pixels than the picture. */
const READING_SIDE = 1600

/** A portrait smaller than this gets a grey border, since its face fills the picture. */
const SMALL_PORTRAIT = 260
const PORTRAIT_BORDER = 60

/** What the photo models see in a picture; each picture is looked at once and remembered. */
export interface Eyes {
  /**
   * Everything of the 80 classes with a score of at least 0.1, best first, in pixels of the picture.
   * Faint people with a face are surer than the detector alone has them.
   */
  objects(image: Image, options?: Abortable): Promise<readonly Finding[]>
  /** Faces with a score of at least 0.3, best first. */
  faces(image: Image, options?: Abortable): Promise<readonly FaceFinding[]>
  /** Lines of text in reading order. */
  lines(image: Image, options?: Abortable): Promise<readonly TextLine[]>
}

/** Eyes on the given models. */
export function openEyes(models: PhotoModels): Eyes {
  const faces = remembered((image) => findFaces(models, image))
  const look = async (image: Image): Promise<readonly Finding[]> => {
    const found = await findObjects(models, image)
    return hasFaintPeople(found) ? withFaces(found, await faces(image)) : found
  }
  return {
    objects: remembered(look),
    faces,
    lines: remembered(fineReader(textReader(models))),
  }
}

/** Reads the pixels of the file, which the picture may have lost; boxes are told in the picture's. */
function fineReader(
  read: (image: Image) => Promise<readonly TextLine[]>,
): (image: Image) => Promise<readonly TextLine[]> {
  return async (image) => {
    const fine = await finerImage(image, { maxSide: READING_SIDE })
    const lines = await read(fine)
    if (fine === image) return lines
    const [zx, zy] = [image.width / fine.width, image.height / fine.height]
    return lines.map((line) => ({
      ...line,
      box: convertBox(line.box, fine.frame, image.frame),
      corners: line.corners.map(([x, y]) => [x * zx, y * zy] as const),
    }))
  }
}

/**
 * Looks at each picture once, as long as it lives. A look is shared by all who wait for it, so a
 * signal ends the waiting, not the look; one that failed is forgotten.
 */
function remembered<T>(
  look: (image: Image) => Promise<T>,
): (image: Image, options?: Abortable) => Promise<T> {
  const seen = new WeakMap<Image, Promise<T>>()
  return async (image, { signal } = {}) => {
    signal?.throwIfAborted()
    const known = seen.get(image)
    if (known !== undefined) return orAbort(known, signal)
    const looking = look(image)
    seen.set(image, looking)
    looking.catch(() => seen.delete(image))
    return orAbort(looking, signal)
  }
}

async function findObjects(models: PhotoModels, image: Image): Promise<readonly Finding[]> {
  const found = await detect(models, image)
  // What begins at the corner may be the whole picture at another size.
  const isPart = image.frame.x > 0 || image.frame.y > 0
  return isPart ? withFilling(models, image, found) : found
}

/** Adds the kinds of things that fill the picture and were missed for it. */
async function withFilling(
  models: PhotoModels,
  image: Image,
  found: readonly Finding[],
): Promise<readonly Finding[]> {
  const by = Math.round(Math.max(image.width, image.height) * PART_BORDER)
  const again = await detect(models, bordered(image, by))
  const filling = again.flatMap((one) => {
    const [x1, y1, x2, y2] = one.box
    const box = clipBox([x1 - by, y1 - by, x2 - by, y2 - by], image)
    if (box === undefined || boxArea(box) < FILLS_FROM * image.width * image.height) return []
    const before = found.find(({ name }) => name === one.name)
    return before !== undefined && before.score >= one.score ? [] : [{ ...one, box }]
  })
  const rest = found.filter((one) => !filling.some((two) => isSame(one, two)))
  return [...rest, ...filling].toSorted((a, b) => b.score - a.score)
}

function isSame(one: Finding, two: Finding): boolean {
  return one.name === two.name && iou(one.box, two.box) >= 0.5
}

async function detect(models: PhotoModels, image: Pixels): Promise<readonly Finding[]> {
  const session = await models.session('centernet')
  const side = CENTERNET_SIDE
  const fitted = await letterbox(image, { width: side, height: side })
  const output = 'tower_0/detections'
  const results = await session.run(
    { 'tower_0/images': channelsLast(fitted, PLAIN) },
    { fetch: [output] },
  )
  return decodeCenternet(numbers(results[output])).map((one) => ({
    ...one,
    box: boxFromLetterbox(fitted, one.box),
  }))
}

async function findFaces(models: PhotoModels, image: Image): Promise<readonly FaceFinding[]> {
  const session = await models.session('blazeface')
  const border = Math.max(image.width, image.height) < SMALL_PORTRAIT ? PORTRAIT_BORDER : 0
  const side = BLAZEFACE_SIDE
  const fitted = await letterbox(bordered(image, border), { width: side, height: side })
  const results = await session.run({ input: channelsLast(fitted, SIGNED) })
  const scores = joined(results, 1)
  const boxes = joined(results, 16)
  const shift = ([x, y]: readonly [number, number]): readonly [number, number] => [
    x - border,
    y - border,
  ]
  return decodeBlazeface(scores, boxes, FACE_FLOOR).map((face) => {
    const [x1, y1, x2, y2] = boxFromLetterbox(fitted, face.box)
    return {
      score: face.score,
      box: [...shift([x1, y1]), ...shift([x2, y2])] as const,
      points: face.points.map(([x, y]) => shift(pointFromLetterbox(fitted, x, y))),
    }
  })
}

function bordered(image: Pixels, by: number): Pixels {
  if (by === 0) return image
  const width = image.width + 2 * by
  const height = image.height + 2 * by
  const data = new Uint8Array(width * height * 3).fill(114)
  for (let y = 0; y < image.height; y++) {
    const row = image.data.subarray(y * image.width * 3, (y + 1) * image.width * 3)
    data.set(row, ((y + by) * width + by) * 3)
  }
  return { width, height, data }
}

/** The outputs [1, n, last] of a width, those of the finer grid (more anchors) first. */
function joined(results: RunTensors, last: number): Float32Array {
  const parts = Object.values(results)
    .filter((tensor) => tensor.dims.at(-1) === last)
    .toSorted((a, b) => (b.dims[1] ?? 0) - (a.dims[1] ?? 0))
    .map(numbers)
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function numbers(tensor: RunTensor | undefined): Float32Array {
  return tensor?.data as Float32Array
}
