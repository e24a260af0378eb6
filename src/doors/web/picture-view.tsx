import { useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { pan, wholeView, zoom } from './view.ts'
import { words } from './words.ts'

/** What lies in it can be enlarged and moved: by buttons, keys, double click and dragging. */
export function PictureView({ children }: { readonly children: ReactNode }) {
  const [view, setView] = useState(wholeView)
  const frame = useRef<HTMLDivElement>(null)
  const near = view.scale > 1
  const place = (event: { clientX: number; clientY: number }) => {
    const box = frame.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0) return { x: 0.5, y: 0.5 }
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height }
  }
  const drag = (event: PointerEvent): void => {
    const box = frame.current?.getBoundingClientRect()
    if (!near || event.buttons !== 1 || box === undefined) return
    setView((now) => pan(now, event.movementX / box.width, event.movementY / box.height))
  }
  const key = (event: KeyboardEvent): void => {
    const next = KEYS[event.key]?.(view)
    if (next === undefined || event.target !== event.currentTarget) return
    event.preventDefault()
    setView(next)
  }
  return (
    <>
      <div
        ref={frame}
        className={near ? 'picture-frame near' : 'picture-frame'}
        role="group"
        aria-label={words.look}
        tabIndex={0}
        onPointerMove={drag}
        onDoubleClick={(event) => setView(near ? wholeView : zoom(view, 2.5, place(event)))}
        onKeyDown={key}
      >
        <div
          className="picture-inside"
          style={{
            transform: `translate(${view.x * 100}%, ${view.y * 100}%) scale(${view.scale})`,
          }}
        >
          {children}
        </div>
      </div>
      <div className="picture-zoom">
        <button
          type="button"
          className="round"
          aria-label={words.zoomIn}
          onClick={() => setView(zoom(view, 1.6))}
        >
          <span aria-hidden="true">+</span>
        </button>
        {near && (
          <>
            <button
              type="button"
              className="round"
              aria-label={words.zoomOut}
              onClick={() => setView(zoom(view, 1 / 1.6))}
            >
              <span aria-hidden="true">−</span>
            </button>
            <button
              type="button"
              className="round"
              aria-label={words.zoomReset}
              onClick={() => setView(wholeView)}
            >
              <span aria-hidden="true">⤢</span>
            </button>
          </>
        )}
      </div>
    </>
  )
}

type Move = (view: typeof wholeView) => typeof wholeView
const KEYS: Readonly<Record<string, Move>> = {
  '+': (view) => zoom(view, 1.6),
  '-': (view) => zoom(view, 1 / 1.6),
  '0': () => wholeView,
  ArrowLeft: (view) => pan(view, 0.15, 0),
  ArrowRight: (view) => pan(view, -0.15, 0),
  ArrowUp: (view) => pan(view, 0, 0.15),
  ArrowDown: (view) => pan(view, 0, -0.15),
}
