import type { RunRow } from './api.ts'
import { words } from './words.ts'

interface Properties {
  readonly runs: readonly RunRow[]
  readonly current?: string
  readonly onOpen: (id: string) => void
}

export function RunHistory({ runs, current, onOpen }: Properties) {
  if (runs.length === 0) return null
  return (
    <details className="card history">
      <summary>
        <h2>{words.history}</h2>
      </summary>
      <ul>
        {runs.map((run) => (
          <li key={run.id}>
            <button
              type="button"
              className={run.id === current ? 'history-row on' : 'history-row'}
              onClick={() => onOpen(run.id)}
            >
              <span>{run.instruction === '' ? words.program : run.instruction}</span>
              <small className={`status-${run.status}`}>{run.answer ?? run.status}</small>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
