import type { PromptUse } from '../../../program/index.ts'
import type { Sight } from './things.ts'

/** The same sight, that notes which taught examples took part. */
export function noting(sight: Sight, uses: PromptUse[]): Sight {
  return sight.taught === undefined ? sight : { ...sight, taught: sight.taught.noting(uses) }
}
