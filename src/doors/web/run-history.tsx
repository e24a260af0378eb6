import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef, useState } from 'react'
import { readRuns } from './api.ts'
import type { RunPage } from './api.ts'
import { words } from './words.ts'

interface Properties {
  /** No run is going on; when one has ended the list is read again. */
  readonly settled: boolean
  readonly current?: string
  readonly onOpen: (id: string) => void
}

const NONE: RunPage = { runs: [] }
const ROW = 38

/** Runs of the past, newest first; only rows in sight are drawn, and older ones are fetched when they come near. */
export function RunHistory({ settled, current, onOpen }: Properties) {
  const [open, setOpen] = useState(false)
  const [{ runs, next }, setPage] = useState(NONE)
  useEffect(() => {
    if (settled) void readRuns().then(setPage, () => {})
  }, [settled])
  const more = useCallback(async () => {
    if (next === undefined) return
    const page = await readRuns(next).catch(() => NONE)
    setPage((now) => (now.next === next ? { ...page, runs: [...now.runs, ...page.runs] } : now))
  }, [next])
  if (runs.length === 0) return null
  return (
    <details className="card history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{words.history}</h2>
        <small>{next === undefined && words.historyCount(runs.length)}</small>
      </summary>
      {open && <Rows {...{ runs, current, onOpen, more }} />}
    </details>
  )
}

interface RowsProperties extends Pick<Properties, 'current' | 'onOpen'> {
  readonly runs: RunPage['runs']
  readonly more: () => Promise<void>
}

function Rows({ runs, current, onOpen, more }: RowsProperties) {
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    ...{ count: runs.length, estimateSize: () => ROW, overscan: 8 },
    getScrollElement: () => frame.current,
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= runs.length - 12) void more()
  }, [last, runs.length, more])
  return (
    <div ref={frame} className="history-frame">
      <ul style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const run = runs[index]
          if (run === undefined) return null
          return (
            <li
              key={run.id}
              aria-setsize={runs.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <button
                type="button"
                className={run.id === current ? 'history-row on' : 'history-row'}
                onClick={() => onOpen(run.id)}
              >
                <span>{run.instruction === '' ? words.program : run.instruction}</span>
                <small className={`status-${run.status}`}>{run.answer ?? run.status}</small>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
