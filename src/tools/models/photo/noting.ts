import type { PromptUse } from '../../../program/index.ts'
import type { Sight } from './things.ts'

/** The same sight, that notes which taught examples and faces took part. */
export function noting(sight: Sight, uses: PromptUse[]): Sight {
  const { taught, people } = sight
  if (taught === undefined && people === undefined) return sight
  return {
    ...sight,
    ...(taught === undefined ? {} : { taught: taught.noting(uses) }),
    ...(people === undefined
      ? {}
      : {
          people: (image, name, options) =>
            people(image, name, options, (use) => void uses.push(use)),
        }),
  }
}
