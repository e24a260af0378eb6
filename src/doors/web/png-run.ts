/** What a picture file carries of the run that made it. */
export interface CarriedRun {
  readonly run: string
  readonly instruction: string
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10] as const
const KEYWORD = 'pupil-run'

/**
 * The PNG with the run written into a text chunk; the pixels stay as they are.
 *
 * @param png  a whole PNG file
 */
export function withRun(png: Uint8Array, carried: CarriedRun): Uint8Array<ArrayBuffer> {
  const end = chunksOf(png).find((chunk) => chunk.type === 'IEND')
  if (end === undefined) return new Uint8Array(png)
  const text = new TextEncoder()
  // Keyword, then: no compression, its method, no language, no translated keyword.
  const data = [...text.encode(KEYWORD), 0, 0, 0, 0, 0, ...text.encode(JSON.stringify(carried))]
  const chunk = chunkBytes('iTXt', Uint8Array.from(data))
  const made = new Uint8Array(png.length + chunk.length)
  made.set(png.subarray(0, end.start), 0)
  made.set(chunk, end.start)
  made.set(png.subarray(end.start), end.start + chunk.length)
  return made
}

/** The run that a file carries; undefined for every other file. */
export function runIn(file: Uint8Array): CarriedRun | undefined {
  for (const { type, data } of chunksOf(file)) {
    if (type !== 'iTXt') continue
    const words = new TextDecoder().decode(data).split('\0')
    if (words[0] === KEYWORD) return parse(words.at(-1) ?? '')
  }
  return undefined
}

/** A file comes from anywhere: only a run's name and a short text are taken from it. */
function parse(text: string): CarriedRun | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { run, instruction } = (value ?? {}) as Partial<Record<string, unknown>>
  if (typeof run !== 'string' || !/^\w{1,80}$/.test(run)) return undefined
  return { run, instruction: typeof instruction === 'string' ? instruction.slice(0, 2000) : '' }
}

interface Chunk {
  readonly type: string
  readonly start: number
  readonly data: Uint8Array
}

function chunksOf(file: Uint8Array): readonly Chunk[] {
  if (SIGNATURE.some((byte, index) => file[index] !== byte)) return []
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at + 12 <= file.length;) {
    const length = view.getUint32(at)
    if (at + 12 + length > file.length) break
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8))
    chunks.push({ type, start: at, data: file.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

function chunkBytes(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.length)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, data.length)
  chunk.set(new TextEncoder().encode(type), 4)
  chunk.set(data, 8)
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)))
  return chunk
}

/** The check sum of PNG (PNG specification, annex D), bit by bit. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
