import { deflateSync, inflateSync } from 'node:zlib'
import { expected, UserFault } from '../base/index.ts'
import { plainConcat, pngChunk, PNG_SIGNATURE } from './png.ts'

/** Where an exported picture carries its run. */
export const RUN_KEYWORD = 'pupil-run'

/** Most bytes of one text after unpacking: a file may come from anyone. */
const MOST_TEXT = 32 * 2 ** 20

interface Chunk {
  readonly type: string
  readonly body: Uint8Array
  /** Where the chunk lies in the file, its frame included. */
  readonly from: number
  readonly to: number
}

/**
 * The PNG with a text in it (an iTXt chunk, packed); an earlier text of that keyword is replaced.
 *
 * @param keyword  1 to 79 Latin characters
 * @throws UserFault `E_PICTURE_TYPE` when the bytes are no PNG
 */
export function writePngText(png: Uint8Array, keyword: string, text: string): Uint8Array {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,77}[\x21-\x7e])?$/.test(keyword)) {
    throw expected('1 to 79 Latin characters', 'keyword', keyword)
  }
  const body = Buffer.concat([
    Buffer.from(keyword, 'latin1'),
    // End of the keyword, packed, by zlib, no language, no translated keyword.
    Uint8Array.of(0, 1, 0, 0, 0),
    deflateSync(Buffer.from(text, 'utf8')),
  ])
  const kept = readChunks(png).filter(
    (chunk) => chunk.type !== 'IEND' && !(isText(chunk) && keywordOf(chunk) === keyword),
  )
  return plainConcat([
    PNG_SIGNATURE,
    ...kept.map((chunk) => png.subarray(chunk.from, chunk.to)),
    pngChunk('iTXt', body),
    pngChunk('IEND', new Uint8Array(0)),
  ])
}

/**
 * The text that a PNG carries under a keyword; undefined when there is none.
 *
 * Reads iTXt, zTXt and tEXt.
 * @throws UserFault `E_PICTURE_TYPE` for no PNG, `E_PICTURE_BROKEN` for a damaged text
 */
export function readPngText(png: Uint8Array, keyword: string): string | undefined {
  const chunk = readChunks(png).findLast((one) => isText(one) && keywordOf(one) === keyword)
  if (chunk === undefined) return undefined
  try {
    return textOf(chunk)
  } catch (cause) {
    throw new UserFault('E_PICTURE_BROKEN', `The text "${keyword}" in the picture is damaged.`, {
      fields: { keyword },
      cure: 'Export the picture again.',
      cause,
    })
  }
}

/** True when the bytes begin as every PNG does. */
export function isPng(bytes: Uint8Array): boolean {
  return PNG_SIGNATURE.every((byte, i) => bytes[i] === byte)
}

function readChunks(png: Uint8Array): Chunk[] {
  if (!isPng(png)) {
    throw new UserFault('E_PICTURE_TYPE', 'The picture is no PNG, and only a PNG carries a text.', {
      cure: 'Export it as PNG.',
    })
  }
  const view = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= view.length;) {
    const length = view.readUInt32BE(at)
    const to = at + 12 + length
    if (to > view.length) break
    const type = view.toString('latin1', at + 4, at + 8)
    chunks.push({ type, body: png.subarray(at + 8, to - 4), from: at, to })
    at = to
  }
  return chunks
}

function isText({ type }: Chunk): boolean {
  return type === 'iTXt' || type === 'zTXt' || type === 'tEXt'
}

function keywordOf({ body }: Chunk): string {
  return Buffer.from(body.subarray(0, Math.max(0, body.indexOf(0)))).toString('latin1')
}

function textOf({ type, body }: Chunk): string {
  const start = body.indexOf(0) + 1
  if (type === 'tEXt') return Buffer.from(body.subarray(start)).toString('latin1')
  if (type === 'zTXt') return unpack(body.subarray(start + 1)).toString('latin1')
  const packed = body[start] === 1
  const language = body.indexOf(0, start + 2)
  const translated = body.indexOf(0, language + 1)
  const rest = body.subarray(translated + 1)
  return (packed ? unpack(rest) : Buffer.from(rest)).toString('utf8')
}

function unpack(bytes: Uint8Array): Buffer {
  return inflateSync(bytes, { maxOutputLength: MOST_TEXT })
}
