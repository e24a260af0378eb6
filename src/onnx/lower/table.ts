import { activationLowerings } from './activations.ts'
import { attentionLowerings } from './attention.ts'
import type { Lowering } from './lower.ts'
import { normLowerings } from './norms.ts'
import { quantisedLowerings } from './quantised.ts'

/** A lowering for each operator by `lowerKey`. */
export const lowerings: Readonly<Record<string, Lowering>> = {
  ...activationLowerings,
  ...normLowerings,
  ...attentionLowerings,
  ...quantisedLowerings,
}
