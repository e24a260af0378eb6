import type { SharpOptions } from 'sharp'
import { orAbort } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import type { Image } from './types.ts'

/** Bits that may differ between two pictures taken for the same; of 64. */
export const NEAR_BITS = 10

/**
 * A fingerprint of what a picture looks like: 64 bits as 0 and 1, much the same after resizing,
 * recompression and small changes of light.
 */
export async function pictureFingerprint(
  image: Pick<Image, 'width' | 'height' | 'data'>,
  { signal }: Abortable = {},
): Promise<string> {
  // Its types describe a module of the newer kind; what is loaded is the function itself.
  const phash = (await import('sharp-phash')).default as unknown as (
    input: Buffer,
    options: SharpOptions,
  ) => Promise<string>
  const { width, height, data } = image
  const raw = { width, height, channels: 3 } as const
  return orAbort(phash(Buffer.from(data), { raw }), signal)
}

/** Bits in which two fingerprints differ. */
export function fingerprintDistance(a: string, b: string): number {
  let bits = 0
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) bits++
  return bits
}

/** True when two pictures look the same: a copy resized, recompressed or slightly retouched. */
export async function nearDuplicate(
  a: Image,
  b: Image,
  options: Abortable & { readonly maxBits?: number } = {},
): Promise<boolean> {
  if (a.hash === b.hash) return true
  const [one, other] = await Promise.all([
    pictureFingerprint(a, options),
    pictureFingerprint(b, options),
  ])
  return fingerprintDistance(one, other) <= (options.maxBits ?? NEAR_BITS)
}
