import type { Box } from '../image/index.ts'

/**
 * An example that a person gave; it works at once as a nearest neighbour (photo-starter §6, §9).
 *
 * `thing`: a region that is, or is not, of a concept. `face`: a face of a person. `answer`: the answer
 * to a question about a picture.
 */
export interface Exemplar {
  readonly id: string
  readonly kind: 'thing' | 'face' | 'answer'
  /** Normalised name of the concept, the person's name, or the question. */
  readonly concept: string
  /** `answer`: what is to be answered. */
  readonly answer?: string
  /** False for a tombstone: this is not that. */
  readonly positive: boolean
  /** Of the named encoder; vectors of different encoders are never compared. */
  readonly encoder: string
  readonly feature: Float32Array
  /** Content hash of the picture it was cut from. */
  readonly picture: string
  /** In pixels of that picture. */
  readonly box?: Box
  /** Applied, undone and superseded together with it. */
  readonly lesson: string
  readonly author: string
  readonly createdAt: number
}

/** The exemplar as JSON text; the vector as base 64 of little-endian 32-bit floats. */
export function exemplarText(exemplar: Exemplar): string {
  return JSON.stringify({ ...exemplar, feature: floatsText(exemplar.feature) })
}

export function exemplarOf(text: string): Exemplar {
  const json = JSON.parse(text) as Omit<Exemplar, 'feature'> & { readonly feature: string }
  return Object.freeze({ ...json, feature: floatsOf(json.feature) })
}

/** Numbers as base 64 of little-endian 32-bit floats. */
export function floatsText(values: Float32Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64')
}

export function floatsOf(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4))
}
