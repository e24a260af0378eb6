import { useCallback, useEffect, useState } from 'react'
import { JobProgress } from './job-progress.tsx'
import { useKeys } from './use-keys.ts'
import { words } from './words.ts'

/** Something that happened, and how it is taken back. */
export interface Note {
  readonly text: string
  readonly undo?: () => Promise<string>
  readonly again?: () => void
  /** A lesson whose tuning is watched. */
  readonly lesson?: string
}

export interface Notes {
  readonly note: Note | undefined
  say(note: Note): void
  clear(): void
}

export function useNotes(): Notes {
  const [note, setNote] = useState<Note>()
  const say = useCallback((next: Note) => setNote(next), [])
  const clear = useCallback(() => setNote(undefined), [])
  return { note, say, clear }
}

/** The last thing that happened; it stays until the next, so that nobody has to hurry. */
export function Toast({ notes: { note, say, clear } }: { readonly notes: Notes }) {
  const [busy, setBusy] = useState(false)
  useEffect(() => setBusy(false), [note])
  const undo = (): void => {
    if (note?.undo === undefined || busy) return
    setBusy(true)
    void note.undo().then((text) => say({ text }))
  }
  useKeys({ z: note?.undo === undefined ? undefined : undo })
  return (
    <div className="toast-place" role="status" aria-live="polite">
      {note !== undefined && (
        <div className="toast">
          <p>{note.text}</p>
          {note.lesson !== undefined && <JobProgress lesson={note.lesson} />}
          {note.undo !== undefined && (
            <button type="button" disabled={busy} aria-keyshortcuts="z" onClick={undo}>
              {words.undo} <kbd aria-hidden="true">Z</kbd>
            </button>
          )}
          {note.again !== undefined && (
            <button type="button" onClick={note.again}>
              {words.askAgain}
            </button>
          )}
          <button type="button" className="quiet round" aria-label={words.close} onClick={clear}>
            <span aria-hidden="true">×</span>
          </button>
        </div>
      )}
    </div>
  )
}
