import { crc32, deflateSync } from 'node:zlib'
import { expected } from '../base/index.ts'

/** The eight bytes that every PNG begins with. */
export const PNG_SIGNATURE: Uint8Array = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10)

/** One chunk: length, type, body, checksum. */
export function pngChunk(type: string, body: Uint8Array): Uint8Array {
  const out = Buffer.alloc(body.length + 12)
  out.writeUInt32BE(body.length, 0)
  out.write(type, 4, 'latin1')
  out.set(body, 8)
  out.writeUInt32BE(crc32(out.subarray(4, body.length + 8)), body.length + 8)
  return out
}

/**
 * A PNG from raw pixels, the same bytes on every run: no filter choice, no metadata.
 *
 * @param data  [height, width, 3 or 4], row-major; the channels are told by its length
 */
export function encodePng(data: Uint8Array, width: number, height: number): Uint8Array {
  const channels = data.length / (width * height)
  if (channels !== 3 && channels !== 4) {
    throw expected(`${width * height} x 3 or 4 bytes`, 'data', data.length)
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, channels === 3 ? 2 : 6, 0, 0, 0], 8)
  return plainConcat([
    PNG_SIGNATURE,
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(upFiltered(data, width * channels, height), { level: 6 })),
    pngChunk('IEND', new Uint8Array(0)),
  ])
}

/** The parts one after another. */
export function plainConcat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

/** Each row less the one above it (filter 2): flat and drawn pictures become mostly zeros. */
function upFiltered(data: Uint8Array, row: number, height: number): Uint8Array {
  const out = new Uint8Array((row + 1) * height)
  for (let y = 0; y < height; y++) {
    const to = y * (row + 1)
    const from = y * row
    out[to] = 2
    for (let i = 0; i < row; i++) {
      out[to + 1 + i] = (data[from + i] ?? 0) - (y === 0 ? 0 : (data[from - row + i] ?? 0))
    }
  }
  return out
}
