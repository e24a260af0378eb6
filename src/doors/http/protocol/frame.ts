/** What a worker of the protocol says in place of any reason. */
export const SERVER_ERROR =
  '**NETWORK ERROR DUE TO HIGH TRAFFIC. PLEASE REGENERATE OR REFRESH THIS PAGE.**'

/** One frame of a stream: the prompt and all text so far; ours adds the reason of a failure. */
export interface FrameText {
  readonly text: string
  readonly code: number
  readonly reason?: string
}

const encoder = new TextEncoder()

/**
 * A frame as bytes: ASCII JSON with `, ` and `: `, then a zero byte.
 *
 * @source llava-plus §5.3
 */
export function writeFrame({ text, code, reason }: FrameText): Uint8Array {
  const more = reason === undefined ? '' : `, "reason": ${ascii(reason)}`
  return encoder.encode(`{"text": ${ascii(text)}, "error_code": ${code}${more}}\u0000`)
}

function ascii(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A frame of failure. */
export function failureFrame(code: number, reason: string): Uint8Array {
  return writeFrame({ text: SERVER_ERROR, code, reason })
}
