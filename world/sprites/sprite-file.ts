import { deflateSync, inflateSync } from 'node:zlib'
import { UserFault } from '../../src/base/index.ts'
import type { Sprite } from '../types.ts'

const MAGIC = 'PUPIL-SPRITES-1\n'

/** All sprites of a style in one lossless file: a line of JSON, then the deflated pixels. */
export function writeSprites(sprites: readonly Sprite[]): Uint8Array {
  const header = JSON.stringify(sprites.map(({ rgba: _, ...rest }) => rest))
  const pixels = Buffer.concat(sprites.map((sprite) => sprite.rgba))
  return Buffer.concat([Buffer.from(`${MAGIC}${header}\n`), deflateSync(pixels, { level: 9 })])
}

/** The inverse. @throws UserFault `E_SPRITES` for a file that is not of this form */
export function readSprites(bytes: Uint8Array): readonly Sprite[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = buffer.indexOf(10, MAGIC.length)
  if (buffer.subarray(0, MAGIC.length).toString() !== MAGIC || end < 0) {
    throw new UserFault('E_SPRITES', 'This is no sprite file of this version.', {
      cure: 'Run "npm run world:sprites" to build them again.',
    })
  }
  const entries = JSON.parse(buffer.subarray(MAGIC.length, end).toString()) as Omit<
    Sprite,
    'rgba'
  >[]
  const pixels = inflateSync(buffer.subarray(end + 1))
  let at = 0
  return entries.map((entry) => {
    const length = entry.width * entry.height * 4
    at += length
    return { ...entry, rgba: new Uint8Array(pixels.subarray(at - length, at)) }
  })
}
