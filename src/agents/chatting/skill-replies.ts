import { maskToString } from '../../image/index.ts'
import type { Image, ObjectRecord } from '../../image/index.ts'
import { round2 } from '../../tools/index.ts'
import type { PythonDict, PythonList, PythonValue } from '../../tools/index.ts'

/** Corners in shares of the picture, floats of two decimals, xyxy. */
export function boxesOf(objects: readonly ObjectRecord[], { width, height }: Image): PythonList {
  return objects.map(({ box: [x1, y1, x2, y2] }): PythonValue =>
    [x1 / width, y1 / height, x2 / width, y2 / height].map(round2),
  )
}

/** Scores of two decimals; what has none is null. */
export function scoresOf(objects: readonly ObjectRecord[]): PythonList {
  return objects.map(({ score }) => (score === null ? null : round2(score)))
}

/** `[height, width]`, whole numbers. */
export function sizeOf({ width, height }: Image): PythonList {
  return [BigInt(height), BigInt(width)]
}

/** Masks as COCO's compressed run lengths. */
export function masksOf(objects: readonly ObjectRecord[]): PythonList {
  return objects.flatMap(({ mask }): PythonValue[] => {
    if (mask === null) return []
    const [height, width] = mask.size
    return [
      new Map<string, PythonValue>([
        ['size', [BigInt(height), BigInt(width)]],
        ['counts', maskToString(mask)],
      ]),
    ]
  })
}

/** A detector's reply, keys in the order of the protocol. */
export function detectionReply(
  objects: readonly ObjectRecord[],
  image: Image,
): Map<string, PythonValue> {
  return new Map<string, PythonValue>([
    ['boxes', boxesOf(objects, image)],
    ['logits', scoresOf(objects)],
    ['phrases', objects.map(({ category }) => category)],
    ['size', sizeOf(image)],
  ])
}

/** A reply from its entries. */
export function replyOf(entries: readonly (readonly [string, PythonValue])[]): PythonDict {
  return new Map(entries)
}
