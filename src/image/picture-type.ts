import { UserFault } from '../base/index.ts'

/** The kinds of picture file that are read. */
export type PictureType = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff'

const TYPES: Readonly<Record<string, PictureType>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
}

/** The MIME type of each kind. */
export function mimeOf(type: PictureType): string {
  return `image/${type}`
}

/**
 * What a file is, by its content; its name is not asked.
 *
 * @param name  shown in errors only
 * @throws UserFault `E_PICTURE_EMPTY` for no bytes, `E_PICTURE_TYPE` for anything but the six kinds
 */
export async function pictureType(bytes: Uint8Array, name = 'The picture'): Promise<PictureType> {
  if (bytes.length === 0) {
    throw new UserFault('E_PICTURE_EMPTY', `${name} is empty (0 bytes).`, {
      fields: { name },
      cure: 'Copy or download it again.',
    })
  }
  // Loaded when needed: it takes longer to load than a picture takes to read.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes)
  const type = found === undefined ? tiffMagic(bytes) : TYPES[found.mime]
  if (type !== undefined) return type
  const is = found === undefined ? 'not a picture that can be read' : `of type ${found.mime}`
  throw new UserFault('E_PICTURE_TYPE', `${name} is ${is}.`, {
    fields: { name, type: found?.mime ?? null, bytes: bytes.length },
    cure: 'Give a JPEG, PNG, WebP, AVIF, GIF or TIFF file.',
  })
}

/** A TIFF's directory often lies at its end, so a truncated one is known by its first bytes only. */
function tiffMagic(bytes: Uint8Array): PictureType | undefined {
  const head = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  return head === 'II*\0' || head === 'MM\0*' ? 'tiff' : undefined
}
