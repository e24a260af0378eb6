import type { Image } from '../../../image/index.ts'
import type { Finding } from '../../backends.ts'
import type { Place, Relation } from './phrase.ts'

type Boxed = Pick<Finding, 'box'>

const middleX = ({ box }: Boxed): number => (box[0] + box[2]) / 2
const middleY = ({ box }: Boxed): number => (box[1] + box[3]) / 2
const width = ({ box }: Boxed): number => box[2] - box[0]
const height = ({ box }: Boxed): number => box[3] - box[1]

/** Whether a relation can be read off boxes; depth cannot. */
export function isMeasurable(how: Relation): boolean {
  return how !== 'in front of' && how !== 'behind'
}

/** Whether the middle of a thing lies in a part of the picture: a half, or the middle third. */
export function inPlace(
  one: Boxed,
  place: Place,
  picture: Pick<Image, 'width' | 'height'>,
): boolean {
  const fit = placeFit(one, place, picture)
  return place === 'middle'
    ? fit > 2 / 3
    : place === 'left' || place === 'top'
      ? fit > 0.5
      : fit >= 0.5
}

/** How far a thing lies towards a side, 0..1; 1 at the side itself. Of several, the farthest is meant. */
export function placeFit(
  one: Boxed,
  place: Place,
  picture: Pick<Image, 'width' | 'height'>,
): number {
  const x = middleX(one) / picture.width
  const y = middleY(one) / picture.height
  switch (place) {
    case 'left':
      return 1 - x
    case 'right':
      return x
    case 'top':
      return 1 - y
    case 'bottom':
      return y
    case 'middle':
      return 1 - 2 * Math.abs(x - 0.5)
    default:
      return place satisfies never
  }
}

/** How two boxes may lie for each relation that needs one reference. */
const HOLDS: {
  readonly [K in Exclude<Relation, 'between'>]: (a: Boxed, b: Boxed) => boolean
} = {
  'left of': (a, b) => middleX(a) < middleX(b),
  'right of': (a, b) => middleX(a) > middleX(b),
  above: (a, b) => middleY(a) < middleY(b),
  below: (a, b) => middleY(a) > middleY(b),
  // The foot of one stands within the other, and most of it is over it.
  on: (a, b) =>
    sharedX(a, b) >= 0.5 * Math.min(width(a), width(b)) &&
    a.box[3] > b.box[1] - 0.1 * height(b) &&
    a.box[3] <= b.box[3] + 0.1 * height(b) &&
    middleY(a) < middleY(b),
  in: (a, b) => sharedX(a, b) * sharedY(a, b) >= 0.7 * width(a) * height(a),
  'next to': (a, b) => gap(a, b) < 0.5 * Math.min(size(a), size(b)),
  'in front of': () => false,
  behind: () => false,
}

/**
 * Whether a thing stands in a relation to any of the references (for `between`: to one of each).
 * A thing is never in relation to itself.
 */
export function inRelation(
  one: Boxed,
  how: Relation,
  references: readonly (readonly Boxed[])[],
): boolean {
  const [first = [], second = []] = references
  if (how !== 'between') return first.some((other) => !same(other, one) && HOLDS[how](one, other))
  return first.some((a) =>
    second.some(
      (b) =>
        !same(a, b) &&
        !same(a, one) &&
        !same(b, one) &&
        (between(one, a, b, middleX) || between(one, a, b, middleY)),
    ),
  )
}

/** Whether two findings are one. */
function same(a: Boxed, b: Boxed): boolean {
  return a.box.every((n, i) => n === b.box[i])
}

function between(one: Boxed, a: Boxed, b: Boxed, middle: (x: Boxed) => number): boolean {
  const [low, high] = [Math.min(middle(a), middle(b)), Math.max(middle(a), middle(b))]
  return middle(one) > low && middle(one) < high
}

function sharedX(a: Boxed, b: Boxed): number {
  return Math.max(0, Math.min(a.box[2], b.box[2]) - Math.max(a.box[0], b.box[0]))
}

function sharedY(a: Boxed, b: Boxed): number {
  return Math.max(0, Math.min(a.box[3], b.box[3]) - Math.max(a.box[1], b.box[1]))
}

function size(a: Boxed): number {
  return Math.sqrt(width(a) * height(a))
}

/** Distance between two boxes; 0 when they touch. */
function gap(a: Boxed, b: Boxed): number {
  const dx = Math.max(0, Math.max(a.box[0], b.box[0]) - Math.min(a.box[2], b.box[2]))
  const dy = Math.max(0, Math.max(a.box[1], b.box[1]) - Math.min(a.box[3], b.box[3]))
  return Math.hypot(dx, dy)
}

/** Where the middle of a thing lies, in words: `left`, `top right`, `middle`. */
export function placeWords(one: Boxed, picture: Pick<Image, 'width' | 'height'>): string {
  const third = (share: number, low: string, high: string): string =>
    share < 1 / 3 ? low : share > 2 / 3 ? high : ''
  const words = [
    third(middleY(one) / picture.height, 'top', 'bottom'),
    third(middleX(one) / picture.width, 'left', 'right'),
  ].filter((word) => word !== '')
  return words.length === 0 ? 'middle' : words.join(' ')
}
