import { createInterface } from 'node:readline'
import type { Io } from './io.ts'

/** Lines of standard input, one after the other. */
export interface ChatLines {
  /** The next line; undefined at the end. */
  next(): Promise<string | undefined>
  /** What Ctrl-C does on a terminal. */
  onInterrupt(act: () => void): void
  close(): void
}

/** @param prompted  shows a prompt and lets lines be edited; for terminals */
export function chatLines(io: Io, prompted: boolean): ChatLines {
  const lines = createInterface({
    input: io.stdin,
    ...(prompted ? { output: io.stdout as unknown as NodeJS.WritableStream, prompt: '> ' } : {}),
    terminal: prompted,
    crlfDelay: Infinity,
  })
  const each = lines[Symbol.asyncIterator]()
  const close = (): void => lines.close()
  io.signal?.addEventListener('abort', close, { once: true })
  return {
    next: async () => {
      if (prompted) lines.prompt()
      const { done, value } = await each.next()
      return done === true ? undefined : value
    },
    onInterrupt: (act) => void lines.on('SIGINT', act),
    close,
  }
}
