import { createObject, solidImage } from '../../src/image/index.ts'
import type { Box, ObjectRecord } from '../../src/image/index.ts'

const image = solidImage({ width: 256, height: 256 }, [0, 0, 0])

/** A tag in a picture of 256 by 256. */
export function fullFrame(box: Box, category: string): ObjectRecord {
  return createObject({ id: category, box, category, score: 1 }, image) as ObjectRecord // inside
}
