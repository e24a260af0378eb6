import { UserFault } from '../base/index.ts'
import { createMask } from './rle.ts'
import type { MaskRle } from './types.ts'

/**
 * The run lengths as COCO's compressed text.
 *
 * From the fourth run on, the difference to the run two before is written; each number in groups of
 * five bits, least first, bit 6 for "more follows", sign-extended, plus 48.
 */
export function maskToString(mask: MaskRle): string {
  let text = ''
  mask.counts.forEach((count, i) => {
    let rest = i > 2 ? count - (mask.counts[i - 2] ?? 0) : count
    for (let more = true; more;) {
      const bits = rest & 31
      rest >>= 5
      // Done when what is left is only the sign that bit 5 already carries.
      more = (bits & 16) !== 0 ? rest !== -1 : rest !== 0
      text += String.fromCharCode((more ? bits | 32 : bits) + 48)
    }
  })
  return text
}

/**
 * The mask of COCO's compressed text.
 *
 * @throws UserFault `E_MASK` when the text is not of this kind or does not fit the size
 */
export function maskFromString(text: string, height: number, width: number): MaskRle {
  const counts: number[] = []
  for (let at = 0; at < text.length;) {
    let value = 0
    for (let shift = 0, more = true; more; shift += 5) {
      const code = text.charCodeAt(at++) - 48
      if (!(code >= 0 && code < 64) || shift > 30) throw badText(at - 1)
      value |= (code & 31) << shift
      more = (code & 32) !== 0
      if (!more && (code & 16) !== 0 && shift < 27) value |= -1 << (shift + 5)
    }
    if (counts.length > 2) value += counts[counts.length - 2] ?? 0
    if (value < 0) throw badText(at - 1)
    counts.push(value)
  }
  return createMask(height, width, counts)
}

function badText(at: number): UserFault {
  return new UserFault('E_MASK', `The mask's text is damaged at position ${at}.`, {
    fields: { at },
    cure: 'Give the "counts" text of a COCO file, unchanged.',
  })
}
