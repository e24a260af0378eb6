import { suppress } from '../../../image/index.ts'
import type { FaceFinding } from '../../backends.ts'

/** Side of the model's input. */
export const BLAZEFACE_SIDE = 256

/** Overlap from which the weaker face goes. */
const OVERLAP = 0.3

/** Grids of anchors: cells along a side, anchors in each cell. */
const GRIDS = [
  { cells: 16, each: 2 },
  { cells: 8, each: 6 },
] as const

/** Middles of the 896 anchors, in pixels of the input. */
const ANCHORS: readonly (readonly [x: number, y: number])[] = GRIDS.flatMap(({ cells, each }) =>
  Array.from({ length: cells * cells * each }, (_, i): readonly [number, number] => {
    const cell = Math.floor(i / each)
    const step = BLAZEFACE_SIDE / cells
    return [((cell % cells) + 0.5) * step, (Math.floor(cell / cells) + 0.5) * step]
  }),
)

/**
 * The detector's numbers as faces, in pixels of its input, best first.
 *
 * @param scores  [896] before the sigmoid: those of the 16 x 16 grid, then those of the 8 x 8 grid
 * @param boxes  [896, 16] row-major: middle and size of the box, six points, all from the anchor
 * @source photo-starter §5
 */
export function decodeBlazeface(
  scores: ArrayLike<number>,
  boxes: ArrayLike<number>,
  threshold: number,
): readonly FaceFinding[] {
  const found: FaceFinding[] = []
  ANCHORS.forEach(([ax, ay], i) => {
    const score = 1 / (1 + Math.exp(-(scores[i] ?? -Infinity)))
    if (!(score >= threshold)) return
    const at = (k: number): number => boxes[i * 16 + k] ?? 0
    const [cx, cy] = [ax + at(0), ay + at(1)]
    const [w, h] = [at(2), at(3)]
    if (!(w > 0 && h > 0)) return
    found.push({
      box: [cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2],
      score,
      points: Array.from(
        { length: 6 },
        (_, j) => [ax + at(4 + 2 * j), ay + at(5 + 2 * j)] as const,
      ),
    })
  })
  return suppress(found, { maxOverlap: OVERLAP })
}
