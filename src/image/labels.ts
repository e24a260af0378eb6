import RBush from 'rbush'
import type { BBox } from 'rbush'
import { box, boxArea, intersectBoxes } from './box.ts'
import type { Size } from './box.ts'
import type { Box } from './types.ts'

/** A label that wants a place. */
export interface LabelWish {
  /** What it belongs to. */
  readonly anchor: Box
  /** The forms it may take, best first: whole text, then only its number. */
  readonly forms: readonly Size[]
}

/** Where a label stands. */
export interface LabelPlace {
  readonly box: Box
  /** Index into the wish's forms. */
  readonly form: number
  /** True when it stands apart and needs a line to its object. */
  readonly apart: boolean
}

interface Candidate {
  readonly x: number
  readonly y: number
  /** What is given up by standing here. */
  readonly cost: number
  readonly apart: boolean
}

/** Pixels kept free between labels. */
const GAP = 1

/**
 * Places for labels inside a picture that do not cover each other: greedy, in the order given.
 *
 * Each label tries eight positions around and in its box, then places further away, then its
 * shorter form; the place that covers least of other objects wins.
 *
 * @param options.most  share of the picture that labels may cover before only shortest forms are
 *   used, 0..1; default 0.2
 * @returns a place for each wish; undefined where there is no room left
 * @cost about 0.05 ms a label
 */
export function placeLabels(
  wishes: readonly LabelWish[],
  picture: Size,
  { most = 0.2 }: { readonly most?: number } = {},
): readonly (LabelPlace | undefined)[] {
  const limit = most * picture.width * picture.height
  let spent = 0
  const taken = new RBush<BBox>()
  const anchors = new RBush<BBox & { readonly index: number }>()
  anchors.load(wishes.map(({ anchor }, index) => ({ ...bbox(anchor), index })))
  return wishes.map((wish, index) => {
    // The first label always has its whole text; later ones while there is something left to see.
    const first = index > 0 && spent > limit ? wish.forms.length - 1 : 0
    const covers = (at: Box): number => covering(at, index, wishes, anchors)
    const place = bestPlace(wish, first, picture, taken, covers)
    if (place !== undefined) {
      taken.insert(bbox(place.box, GAP))
      spent += boxArea(place.box)
    }
    return place
  })
}

function bbox(a: Box, gap = 0): BBox {
  return { minX: a[0] - gap, minY: a[1] - gap, maxX: a[2] + gap, maxY: a[3] + gap }
}

function bestPlace(
  { anchor, forms }: LabelWish,
  first: number,
  picture: Size,
  taken: RBush<BBox>,
  covers: (at: Box) => number,
): LabelPlace | undefined {
  for (const [form, size] of forms.entries()) {
    if (form < first) continue
    for (const candidates of [near(anchor, size), around(anchor, size)]) {
      let best: { cost: number; place: LabelPlace } | undefined
      for (const { x, y, cost, apart } of candidates) {
        if (best !== undefined && cost >= best.cost) continue
        const at = within(x, y, size, anchor, picture)
        if (at === undefined || taken.collides(bbox(at))) continue
        const total = cost + covers(at)
        if (best === undefined || total < best.cost) {
          best = { cost: total, place: { box: at, form, apart } }
        }
      }
      if (best !== undefined) return best.place
    }
  }
  return undefined
}

/** The eight positions: above and below at either end, inside at the top, at the sides. */
function near([x1, y1, x2, y2]: Box, { width, height }: Size): Candidate[] {
  const at = (x: number, y: number, cost: number): Candidate => ({ x, y, cost, apart: false })
  return [
    at(x1, y1 - height, 0),
    at(x2 - width, y1 - height, 0.08),
    at(x1, y2, 0.12),
    at(x2 - width, y2, 0.18),
    at(x1, y1, 0.3),
    at(x2 - width, y1, 0.34),
    at(x2, y1, 0.2),
    at(x1 - width, y1, 0.24),
  ]
}

const DIRECTIONS = Array.from({ length: 16 }, (_, i) => {
  const angle = (i * Math.PI) / 8
  return [Math.cos(angle), Math.sin(angle)] as const
})

/** Places apart, ever further from the box's border. */
function around([x1, y1, x2, y2]: Box, { width, height }: Size): Candidate[] {
  const [cx, cy] = [(x1 + x2) / 2, (y1 + y2) / 2]
  return [1, 2, 3.2, 4.5].flatMap((step) =>
    DIRECTIONS.map(([dx, dy]) => ({
      x: cx + dx * ((x2 - x1) / 2 + width / 2 + step * height) - width / 2,
      y: cy + dy * ((y2 - y1) / 2 + height / 2 + step * height) - height / 2,
      cost: 0.5 + step * 0.3,
      apart: true,
    })),
  )
}

/** The label's box moved into the picture sideways; undefined when it would leave its object. */
function within(
  x: number,
  y: number,
  { width, height }: Size,
  anchor: Box,
  picture: Size,
): Box | undefined {
  const left = Math.round(Math.min(Math.max(x, 0), picture.width - width))
  const top = Math.round(y)
  if (left < 0 || top < 0 || top + height > picture.height) return undefined
  const moved = Math.abs(left - x) > 0.5
  const touches = left <= anchor[2] && left + width >= anchor[0]
  return moved && !touches ? undefined : box(left, top, left + width, top + height)
}

/** How much of the label lies on other objects, and how much of small ones it hides. */
function covering(
  at: Box,
  own: number,
  wishes: readonly LabelWish[],
  anchors: RBush<BBox & { readonly index: number }>,
): number {
  let sum = 0
  for (const { index } of anchors.search(bbox(at))) {
    const anchor = wishes[index]?.anchor
    const shared = anchor === undefined ? undefined : intersectBoxes(at, anchor)
    if (anchor === undefined || shared === undefined) continue
    const area = boxArea(shared)
    const hidden = area / Math.max(1, boxArea(anchor))
    sum += index === own ? hidden : (0.4 * area) / boxArea(at) + 2 * hidden
  }
  return sum
}
