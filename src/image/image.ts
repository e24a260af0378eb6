import { createHash } from 'node:crypto'
import { expected, UserFault } from '../base/index.ts'
import { clipBox } from './box.ts'
import type { Size } from './box.ts'
import { croppedFrame, originalFrame } from './frame.ts'
import { inheritSource } from './source.ts'
import type { Box, Frame, Image, ObjectRecord } from './types.ts'

/** What a new picture may be told; without a frame it is an original of its own. */
export interface ImageOptions {
  readonly frame?: Frame
  /** Hash of the picture it was made from. */
  readonly parent?: string
  /** SHA-256 of the file that it was reduced from. */
  readonly file?: string
  readonly tags?: readonly ObjectRecord[]
}

/**
 * A frozen picture from RGB bytes.
 *
 * The bytes are kept, not copied: the caller gives them away. The hash is computed when first read
 * (for an original at once, since it names the frame).
 *
 * @param data  [height, width, 3], row-major, 0..255
 * @throws UserFault `E_ARGUMENT` when size and bytes disagree
 */
export function createImage(
  data: Uint8Array,
  width: number,
  height: number,
  options: ImageOptions = {},
): Image {
  if (!Number.isInteger(width) || width < 1) throw expected('at least 1 pixel', 'width', width)
  if (!Number.isInteger(height) || height < 1) throw expected('at least 1 pixel', 'height', height)
  if (data.length !== width * height * 3) {
    throw expected(`${width * height * 3} bytes (RGB)`, 'data', data.length)
  }
  let hash: string | undefined
  const hashed = (): string => (hash ??= pixelHash(data, width, height))
  const frame = options.frame ?? originalFrame(hashed().slice(0, 16), { width, height })
  if (frame.width !== width || frame.height !== height) {
    throw expected(`a frame of ${width} x ${height}`, 'frame', `${frame.width} x ${frame.height}`)
  }
  return Object.freeze({
    type: 'image' as const,
    width,
    height,
    data,
    frame,
    get hash(): string {
      return hashed()
    },
    ...(options.parent === undefined ? {} : { parent: options.parent }),
    ...(options.file === undefined ? {} : { file: options.file }),
    ...(options.tags === undefined ? {} : { tags: Object.freeze([...options.tags]) }),
  })
}

/** SHA-256 of size and pixels, lower-case hex. */
export function pixelHash(data: Uint8Array, width: number, height: number): string {
  return createHash('sha256').update(`${width}x${height}rgb8\n`).update(data).digest('hex')
}

/** A picture of one colour. */
export function solidImage(
  { width, height }: Size,
  [r, g, b]: readonly [r: number, g: number, b: number],
  options: ImageOptions = {},
): Image {
  const data = new Uint8Array(width * height * 3)
  for (let i = 0; i < data.length; i += 3) {
    data[i] = r
    data[i + 1] = g
    data[i + 2] = b
  }
  return createImage(data, width, height, options)
}

/** An edit: new pixels of the same size in the same frame, with its source remembered. */
export function editedImage(
  source: Image,
  data: Uint8Array,
  tags?: readonly ObjectRecord[],
): Image {
  return createImage(data, source.width, source.height, {
    frame: source.frame,
    parent: source.hash,
    ...(tags === undefined ? {} : { tags }),
  })
}

/** True for a value made by this room. */
export function isImage(value: unknown): value is Image {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Partial<Image>).type === 'image' &&
    (value as Partial<Image>).data instanceof Uint8Array
  )
}

/**
 * A part of a picture, in a frame of its own that remembers where it was cut.
 *
 * @param part  whole pixels of the picture; clipped to it
 * @returns the same picture when the part is all of it
 * @throws UserFault `T_INPUT` when no pixel of the part lies inside
 */
export function cropImage(image: Image, part: Box): Image {
  const inside = clipBox(part, image)
  if (inside === undefined || !inside.every(Number.isInteger)) {
    throw new UserFault('T_INPUT', `The box [${part.join(', ')}] holds no pixel of the picture.`, {
      fields: { box: part, width: image.width, height: image.height },
      cure: `Give whole pixels within [0, 0, ${image.width}, ${image.height}].`,
    })
  }
  const frame = croppedFrame(image.frame, inside)
  if (frame === image.frame) return image
  const data = cropBytes(image.data, image.width, inside, 3)
  const { hash: parent, file } = image
  const more = { frame, parent, ...(file === undefined ? {} : { file }) }
  const cut = createImage(data, frame.width, frame.height, more)
  inheritSource(cut, image)
  return cut
}

/** The bytes of a part; `part` lies inside and is whole. */
export function cropBytes(
  data: Uint8Array,
  width: number,
  part: Box,
  channels: number,
): Uint8Array<ArrayBuffer> {
  const row = (part[2] - part[0]) * channels
  const out = new Uint8Array(row * (part[3] - part[1]))
  for (let y = part[1], to = 0; y < part[3]; y++, to += row) {
    const from = (y * width + part[0]) * channels
    out.set(data.subarray(from, from + row), to)
  }
  return out
}

/** The colour of one pixel. */
export function pixelAt(image: Image, x: number, y: number): readonly [number, number, number] {
  const i = (y * image.width + x) * 3
  return [image.data[i] ?? 0, image.data[i + 1] ?? 0, image.data[i + 2] ?? 0]
}
