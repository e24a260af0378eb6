import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import { boxAbout, boxAfterKey, boxBetween } from './draw-box.ts'
import type { Box, Size } from './draw-box.ts'
import { words } from './words.ts'

interface Properties {
  readonly size: Size
  readonly box: Box | undefined
  readonly onBox: (box: Box) => void
  readonly onTap: (at: { readonly x: number; readonly y: number }) => void
  /** Enter: the box is as it should be. */
  readonly onDone: () => void
  readonly onCancel: () => void
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Takes a box or a point on the picture below it, by pointer and by keyboard. */
export function DrawLayer(properties: Properties) {
  const { size, box } = properties
  const layer = useRef<HTMLDivElement>(null)
  useEffect(() => layer.current?.focus({ preventScroll: true }), [])
  const { now, handlers } = useDragging(layer, properties)
  const shown = now ?? box
  return (
    <div
      ref={layer}
      className="draw-layer"
      role="application"
      aria-label={words.correct.drawHere}
      aria-describedby="draw-how"
      tabIndex={0}
      onKeyDown={(event) => pressKey(event, properties)}
      {...handlers}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {shown !== undefined && <Drawn box={shown} />}
      </svg>
    </div>
  )
}

function pressKey(event: KeyboardEvent, { size, box, onBox, onDone, onCancel }: Properties): void {
  const stroke = { key: event.key, shift: event.shiftKey, fine: event.altKey }
  const moved = box === undefined ? undefined : boxAfterKey(box, stroke, size)
  if (moved !== undefined) onBox(moved)
  else if (event.key === 'Escape') onCancel()
  else if (event.key === 'Enter' && box === undefined) {
    onBox(boxAbout({ x: size.width / 2, y: size.height / 2 }, size))
  } else if (event.key === 'Enter') onDone()
  else if (!(event.key in ARROWS)) return
  event.preventDefault()
  event.stopPropagation()
}

/** The box while the pointer is down. */
function useDragging(layer: RefObject<HTMLDivElement | null>, properties: Properties) {
  const { size, box, onBox, onTap } = properties
  const [from, setFrom] = useState<Point>()
  const [now, setNow] = useState<Box>()
  const place = (event: PointerEvent): Point => {
    const frame = layer.current?.getBoundingClientRect()
    if (frame === undefined || frame.width === 0) return { x: 0, y: 0 }
    return {
      x: ((event.clientX - frame.left) / frame.width) * size.width,
      y: ((event.clientY - frame.top) / frame.height) * size.height,
    }
  }
  const end = (): void => {
    setFrom(undefined)
    setNow(undefined)
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>): void => {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.focus({ preventScroll: true })
      event.currentTarget.setPointerCapture(event.pointerId)
      setFrom(anchor(box, place(event), size))
    },
    onPointerMove: (event: PointerEvent): void => {
      event.stopPropagation()
      if (from !== undefined) setNow(boxBetween(from, place(event), size))
    },
    onPointerUp: (event: PointerEvent): void => {
      if (from === undefined) return
      const drawn = boxBetween(from, place(event), size)
      end()
      if (drawn === undefined) onTap(place(event))
      else onBox(drawn)
    },
    onPointerCancel: end,
  }
  return { now, handlers }
}

const ARROWS = { ArrowLeft: 1, ArrowRight: 1, ArrowUp: 1, ArrowDown: 1 }
/** So near to a corner, as part of the shorter side, it is the corner that is dragged. */
const NEAR = 0.04

/** Where a drag begins: the far corner when a corner of the box is taken. */
function anchor(box: Box | undefined, at: Point, { width, height }: Size): Point {
  if (box === undefined) return at
  const [x1, y1, x2, y2] = box
  const near = NEAR * Math.min(width, height)
  for (const [x, y, farX, farY] of [
    [x1, y1, x2, y2],
    [x2, y1, x1, y2],
    [x1, y2, x2, y1],
    [x2, y2, x1, y1],
  ] as const) {
    if (Math.abs(at.x - x) < near && Math.abs(at.y - y) < near) return { x: farX, y: farY }
  }
  return at
}

function Drawn({ box: [x1, y1, x2, y2] }: { readonly box: Box }) {
  const place = { x: x1, y: y1, width: x2 - x1, height: y2 - y1 }
  return (
    <>
      <rect className="halo" {...place} />
      <rect className="box drawn" {...place} />
    </>
  )
}
