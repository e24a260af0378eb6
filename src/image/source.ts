import type { Size } from './box.ts'
import type { Image } from './types.ts'

/** The file that a picture was reduced from. */
export interface PictureSource {
  /** Its bytes, from memory or from where they are kept. */
  read(): Promise<Uint8Array>
  /** Such as `image/jpeg`. */
  readonly type: string
  /** Size of the file's picture after the EXIF turn. */
  readonly original: Size
}

/** Beside the pictures, not in them: a picture stays a plain value of its pixels. */
const sources = new WeakMap<Image, PictureSource>()

/** Remembers the file, as long as the picture lives. */
export function rememberSource(image: Image, source: PictureSource): void {
  sources.set(image, source)
}

/** A part comes from the file of its whole; an edit does not call this, its pixels are its own. */
export function inheritSource(part: Image, whole: Image): void {
  const source = sources.get(whole)
  if (source !== undefined) sources.set(part, source)
}

/** The file that the picture was reduced from, if it was and if it is still known. */
export function sourceOf(image: Image): PictureSource | undefined {
  return sources.get(image)
}
