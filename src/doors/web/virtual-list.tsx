import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'

interface Properties<T> {
  readonly items: readonly T[]
  readonly label: string
  /** Height of a row before it is measured, in pixels. */
  readonly height: number
  readonly keyOf: (item: T) => string
  readonly children: (item: T) => ReactNode
  /** The end is near; called again until there are more items. */
  readonly onMore?: (() => void) | undefined
}

/** A long list in a frame of its own: only rows in sight are drawn. */
export function VirtualList<T>({ items, label, height, keyOf, children, onMore }: Properties<T>) {
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    ...{ count: items.length, estimateSize: () => height, overscan: 6 },
    getScrollElement: () => frame.current,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= items.length - 12) onMore?.()
  }, [last, items.length, onMore])
  return (
    <div ref={frame} className="virtual" tabIndex={0} role="group" aria-label={label}>
      <ul style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start, key }) => {
          const item = items[index]
          if (item === undefined) return null
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(item)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
