import { suppress } from '../../../image/index.ts'
import type { Finding } from '../../backends.ts'
import { COCO_NAMES } from './coco.ts'

/** Finds below this score are not even considered. */
export const CENTERNET_FLOOR = 0.1

/** Overlap within a class, and across classes, from which the weaker box goes. */
export const CENTERNET_OVERLAP = { within: 0.5, across: 0.65 } as const

/**
 * The detector's table as findings, in pixels of the model's input, best first.
 *
 * @param table  [100, 6] row-major: x1, y1, x2, y2, score, class
 * @source photo-starter §4
 */
export function decodeCenternet(table: ArrayLike<number>): readonly Finding[] {
  const found: Finding[] = []
  for (let row = 0; row + 5 < table.length; row += 6) {
    const at = (column: number): number => table[row + column] ?? 0
    const name = COCO_NAMES[Math.round(at(5))]
    const score = at(4)
    if (name === undefined || score < CENTERNET_FLOOR) continue
    const box = [at(0), at(1), at(2), at(3)] as const
    if (box[2] > box[0] && box[3] > box[1]) found.push({ box, score, name })
  }
  const { within, across } = CENTERNET_OVERLAP
  return suppress(suppress(found, { maxOverlap: within, within: (one) => one.name }), {
    maxOverlap: across,
  })
}
