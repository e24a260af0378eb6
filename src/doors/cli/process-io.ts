import { readEnvironment } from '../../app/index.ts'
import type { Io } from './io.ts'

/** The process's own streams; Ctrl-C asks for an orderly end, a second one ends at once. */
export function processIo(): Io {
  const control = new AbortController()
  const stop = (): void => {
    if (control.signal.aborted) process.exit(130)
    control.abort(new DOMException('You stopped it.', 'AbortError'))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // Whoever reads our output may stop reading: that is no error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const { stdin, stdout, stderr } = process
  return {
    stdin,
    stdout,
    stderr,
    env: readEnvironment(),
    cwd: process.cwd(),
    signal: control.signal,
  }
}
