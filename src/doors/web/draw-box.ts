export type Box = readonly [x1: number, y1: number, x2: number, y2: number]

export interface Size {
  readonly width: number
  readonly height: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Shorter movements are a tap, not a drag; part of the picture's shorter side. */
const TAP = 0.015
/** Side of a box that a tap puts down, and of the one that the keyboard begins with; part of the shorter side. */
const FIRST = 0.25
const LEAST = 2

/** The box between two corners in whole pixels; undefined while it is only a tap. */
export function boxBetween(from: Point, to: Point, size: Size): Box | undefined {
  const short = Math.min(size.width, size.height)
  if (Math.abs(to.x - from.x) < TAP * short && Math.abs(to.y - from.y) < TAP * short)
    return undefined
  return inside(
    [
      Math.min(from.x, to.x),
      Math.min(from.y, to.y),
      Math.max(from.x, to.x),
      Math.max(from.y, to.y),
    ],
    size,
  )
}

/** A square about a point, where nothing is found under it. */
export function boxAbout({ x, y }: Point, size: Size): Box {
  const half = (Math.min(size.width, size.height) * FIRST) / 2
  const left = clamp(x, half, size.width - half) - half
  const top = clamp(y, half, size.height - half) - half
  return inside([left, top, left + 2 * half, top + 2 * half], size)
}

/** The smallest of the boxes that a point lies in. */
export function boxAt(boxes: readonly Box[], { x, y }: Point): number | undefined {
  const area = ([x1, y1, x2, y2]: Box): number => (x2 - x1) * (y2 - y1)
  const under = boxes
    .map((box, index) => ({ box, index }))
    .filter(({ box: [x1, y1, x2, y2] }) => x >= x1 && x < x2 && y >= y1 && y < y2)
    .sort((a, b) => area(a.box) - area(b.box))
  return under[0]?.index
}

export interface Stroke {
  readonly key: string
  /** Moves the lower right corner instead of the whole. */
  readonly shift: boolean
  /** One pixel at a time. */
  readonly fine: boolean
}

/** The box after an arrow key, inside the picture; undefined for any other key. */
export function boxAfterKey(
  [x1, y1, x2, y2]: Box,
  { key, shift, fine }: Stroke,
  size: Size,
): Box | undefined {
  const step = fine ? 1 : Math.max(1, Math.round(Math.min(size.width, size.height) * 0.02))
  const [dx, dy] = ARROWS[key] ?? [0, 0]
  if (dx === 0 && dy === 0) return undefined
  if (shift) {
    const right = clamp(x2 + dx * step, x1 + LEAST, size.width)
    return [x1, y1, right, clamp(y2 + dy * step, y1 + LEAST, size.height)]
  }
  const left = clamp(x1 + dx * step, 0, size.width - (x2 - x1))
  const top = clamp(y1 + dy * step, 0, size.height - (y2 - y1))
  return [left, top, left + (x2 - x1), top + (y2 - y1)]
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

function inside([x1, y1, x2, y2]: Box, { width, height }: Size): Box {
  const left = Math.round(clamp(x1, 0, width - LEAST))
  const top = Math.round(clamp(y1, 0, height - LEAST))
  return [
    ...([left, top] as const),
    Math.round(clamp(x2, left + LEAST, width)),
    Math.round(clamp(y2, top + LEAST, height)),
  ]
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high))
}
