import { isFault } from '../../../base/index.ts'
import { readPython } from './python-read.ts'
import { isDict, numberOf } from './python-value.ts'

/** One frame of a model worker's stream: the prompt and all text so far. */
export interface Frame {
  readonly text: string
  readonly code: number
  /** Ours: why it failed. */
  readonly reason?: string
}

/** A frame, or bytes that are none: an error page, a proxy's body, half a frame at the end. */
export type ReadFrame =
  | { readonly outcome: 'frame'; readonly frame: Frame }
  | { readonly outcome: 'broken'; readonly text: string }

/** Bytes of one frame at most: the prompt is repeated in each. */
const MOST_BYTES = 32 * 2 ** 20

/**
 * The frames of a stream, however its bytes are cut; each ends with a zero byte.
 *
 * @source llava-plus §5.3
 */
export async function* readFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReadFrame> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    let from = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      yield readFrame(textOf([...held, chunk.subarray(from, end)]))
      held = []
      size = 0
      from = end + 1
    }
    if (from < chunk.length) held.push(chunk.subarray(from))
    size += chunk.length - from
    if (size > MOST_BYTES) break
  }
  const rest = textOf(held)
  if (rest.trim() !== '') yield readFrame(rest)
}

function textOf(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('utf8')
}

/** A frame that lacks one of the two keys, or is no JSON, is a failure of its worker. */
function readFrame(text: string): ReadFrame {
  try {
    const value = readPython(text)
    const said = isDict(value) ? value.get('text') : undefined
    const code = isDict(value) ? numberOf(value.get('error_code')) : undefined
    if (!isDict(value) || typeof said !== 'string' || code === undefined) {
      return { outcome: 'broken', text }
    }
    const reason = value.get('reason')
    const frame = { text: said, code, ...(typeof reason === 'string' ? { reason } : {}) }
    return { outcome: 'frame', frame }
  } catch (error) {
    if (isFault(error) && error.code === 'E_WIRE_JSON') return { outcome: 'broken', text }
    throw error
  }
}
