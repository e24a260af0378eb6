import type { Readable } from 'node:stream'
import type { Environment } from '../../app/index.ts'

/** A place to write text; `isTTY` when a person watches. */
export interface Sink {
  write(text: string | Uint8Array): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Everything a command touches outside itself, so that tests hand it in. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Sink
  readonly stderr: Sink
  readonly env: Environment
  readonly cwd: string
  /** Fires on Ctrl-C. */
  readonly signal?: AbortSignal
}

/** All of standard input. */
export async function readStdin(io: Io): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of io.stdin) {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array))
  }
  return Buffer.concat(chunks)
}
