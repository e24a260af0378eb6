import type { Progress, ProgressNote } from '../../base/index.ts'
import type { Io } from './io.ts'
import { paintFor } from './style.ts'

/** Shows slow work on stderr: one line that changes on a terminal, nothing elsewhere. */
export interface ProgressLine {
  readonly note: Progress
  /** Says what is going on now. */
  say(text: string): void
  /** Takes the line away. */
  clear(): void
}

const CLEAR = '\r\u001b[2K'

export function progressLine(io: Io, options: { quiet: boolean; color: boolean }): ProgressLine {
  const shown = io.stderr.isTTY === true && !options.quiet && (io.env.CI ?? '') === ''
  const paint = paintFor(io.stderr, io, options.color)
  let dirty = false
  const say = (text: string): void => {
    if (!shown) return
    const most = (io.stderr.columns ?? 80) - 1
    io.stderr.write(`${CLEAR}${paint.dim([...text].slice(0, most).join(''))}`)
    dirty = true
  }
  const clear = (): void => {
    if (dirty) io.stderr.write(CLEAR)
    dirty = false
  }
  return {
    say,
    clear,
    note: (note) => (note.status === 'done' ? clear() : say(noteText(note))),
  }
}

/** `convert centernet 3.1 of 4.2 MB`. */
export function noteText({ task, loaded, total, unit = '' }: ProgressNote): string {
  if (loaded === undefined) return `${task} …`
  const bytes = unit === 'bytes'
  const shown = (n: number): string => (bytes ? (n / 1e6).toFixed(1) : String(n))
  const of = total === undefined ? '' : ` of ${shown(total)}`
  return `${task} ${shown(loaded)}${of} ${bytes ? 'MB' : unit}`.trimEnd()
}
