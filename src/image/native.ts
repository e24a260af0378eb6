import type * as Canvas from '@napi-rs/canvas'
import type Sharp from 'sharp'

/**
 * libvips, loaded when first needed, so that importing this room costs nothing.
 *
 * NOTE: its operation cache is switched off: our pictures are keyed by content already.
 */
export async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp
}

/** Node's Buffer as the plain bytes it is, without copying: bytes of this room are of one kind. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The canvas add-on, loaded when first needed. */
export async function loadCanvas(): Promise<typeof Canvas> {
  return import('@napi-rs/canvas')
}
