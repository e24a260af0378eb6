import { UserFault } from '../../base/index.ts'

/** Everything that training needs to go on as if it had never stopped. */
export interface Checkpoint {
  /** Steps made. */
  readonly step: number
  /** State of the generator that draws batches. */
  readonly random: number
  /** Weights, running statistics and optimiser state by input name. */
  readonly values: Readonly<Record<string, Float32Array>>
}

const magic = 'PUPILCK1'

/** A checkpoint as bytes: a line of JSON, then the numbers, little-endian, one after another. */
export function encodeCheckpoint(checkpoint: Checkpoint): Uint8Array {
  const entries = Object.entries(checkpoint.values)
  const head = new TextEncoder().encode(
    `${magic}${JSON.stringify({
      step: checkpoint.step,
      random: checkpoint.random,
      values: entries.map(([name, { length }]) => [name, length]),
    })}\n`,
  )
  const size = entries.reduce((n, [, { byteLength }]) => n + byteLength, head.length)
  const bytes = new Uint8Array(size)
  bytes.set(head)
  let at = head.length
  for (const [, values] of entries) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at)
    at += values.byteLength
  }
  return bytes
}

/**
 * The checkpoint that was encoded.
 *
 * @throws UserFault `E_CHECKPOINT` when the bytes are none, or cut short
 */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const end = bytes.indexOf(10)
  const head = new TextDecoder().decode(bytes.subarray(0, Math.max(0, end)))
  if (!head.startsWith(magic)) throw damaged('they do not begin like one')
  const { step, random, values } = JSON.parse(head.slice(magic.length)) as {
    step: number
    random: number
    values: [string, number][]
  }
  const wanted = values.reduce((n, [, length]) => n + 4 * length, end + 1)
  if (wanted !== bytes.length) throw damaged(`${wanted} bytes are due, there are ${bytes.length}`)
  let at = end + 1
  const read = values.map(([name, length]) => {
    const part = bytes.slice(at, at + 4 * length)
    at += 4 * length
    return [name, new Float32Array(part.buffer)] as const
  })
  return { step, random, values: Object.fromEntries(read) }
}

function damaged(reason: string): UserFault {
  return new UserFault('E_CHECKPOINT', `The bytes are no checkpoint: ${reason}.`, {
    cure: 'Give the file that was written last, or start anew.',
  })
}
