import { useState } from 'react'
import type { RunDocument } from '../../app/index.ts'
import { CopyButton } from './copy-button.tsx'
import { words } from './words.ts'

/** The run's record as it is, its cost and its models; written out only when opened. */
export function TraceCard({ run }: { readonly run: RunDocument }) {
  const [open, setOpen] = useState(false)
  const text = (): string => JSON.stringify(run, null, 2)
  const { calls, tokens } = run.costs
  return (
    <details className="card trace" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{words.trace}</h2>
        <small>{words.cost(calls, tokens)}</small>
      </summary>
      {open && (
        <>
          <p className="program-why">{words.traceMore}</p>
          <pre tabIndex={0}>{text()}</pre>
          <CopyButton text={text} label={words.copy} />
        </>
      )}
    </details>
  )
}
