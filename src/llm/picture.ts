import type { Image } from '../image/index.ts'

/** A picture as the bytes of a file that models read. */
export interface PictureFile {
  readonly bytes: Uint8Array
  /** Such as `image/png`. */
  readonly mediaType: string
}

/** Turns pixels into a file for sending; asked once for each picture, see `encodeOnce`. */
export type PictureEncoder = (image: Image) => Promise<PictureFile>

/**
 * An encoder that encodes a picture once, however many turns of a conversation show it (product R7).
 *
 * Keeps a file as long as the picture itself is alive.
 */
export function encodeOnce(encode: PictureEncoder): PictureEncoder {
  const files = new WeakMap<Image, Promise<PictureFile>>()
  return (image) => {
    const known = files.get(image)
    if (known !== undefined) return known
    const file = encode(image)
    files.set(image, file)
    file.catch(() => files.delete(image))
    return file
  }
}

/** A picture as JPEG, quality 90, by the `image` room, which is loaded when first needed. */
export async function jpegFile(image: Image): Promise<PictureFile> {
  const { encodePicture } = await import('../image/index.ts')
  return { bytes: await encodePicture(image, 'jpeg'), mediaType: 'image/jpeg' }
}
