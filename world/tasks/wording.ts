import { Bug, hash32 } from '../../src/base/index.ts'
import type { Stream } from '../stream.ts'

/** A wording of a question type: a text with slots in braces. */
export interface Wording {
  /** Type and place in its list. */
  readonly id: string
  readonly text: string
  readonly part: 'train' | 'held-out'
}

/**
 * The wordings of a type, a third of them (rounded up) held out by a rule that looks at the text only.
 *
 * @source picture-world §3, vector W13
 */
export function wordingsOf(type: string, texts: readonly string[]): readonly Wording[] {
  const byHash = [...texts].sort((a, b) => hash32(a) - hash32(b))
  const heldOut = new Set(byHash.slice(0, Math.ceil(texts.length / 3)))
  return texts.map((text, i) => ({
    id: `${type}#${i}`,
    text,
    part: heldOut.has(text) ? 'held-out' : 'train',
  }))
}

/** One wording of a part. */
export function pickWording(
  wordings: readonly Wording[],
  part: 'train' | 'held-out',
  stream: Stream,
): Wording {
  return stream.pick(wordings.filter((one) => one.part === part))
}

/** Fills the slots; the first letter becomes a capital. @throws Bug `E_SLOT` for an empty slot */
export function fillWording(text: string, slots: Readonly<Record<string, string>>): string {
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = slots[name]
    if (value === undefined) throw new Bug('E_SLOT', `"${text}" has no value for {${name}}.`)
    return value
  })
  return filled.charAt(0).toUpperCase() + filled.slice(1)
}
