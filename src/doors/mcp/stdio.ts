import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Pupil } from '../../app/index.ts'
import { requestBytes } from './request-bytes.ts'
import { createMcpServer } from './server.ts'

export interface McpStdioOptions {
  readonly stdin?: Readable
  readonly stdout?: Writable
  /** Ends serving. */
  readonly signal?: AbortSignal | undefined
  /** Hears of what goes wrong beside the protocol, for stderr. */
  readonly note?: (text: string) => void
}

/** Serves the protocol on standard input and output until the other side closes its end or the signal fires. */
export async function serveMcpStdio(pupil: Pupil, options: McpStdioOptions = {}): Promise<void> {
  const { stdin = process.stdin, stdout = process.stdout, signal, note } = options
  const transport = new StdioServerTransport(stdin, stdout, {
    maxBufferSize: requestBytes(pupil.config.limits),
  })
  const handle = serveStdio(() => createMcpServer(pupil, { files: true }), {
    transport,
    onerror: (error) => note?.(error.message),
  })
  const stopped = signal === undefined ? [] : [fired(signal)]
  await Promise.race([once(stdin, 'end'), once(stdin, 'close'), ...stopped])
  await handle.close()
}

function fired(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
