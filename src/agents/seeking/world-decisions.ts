import { deepFreeze } from '../../base/index.ts'
import type { Decision } from '../../memory/index.ts'
import recorded from './world-decisions.json' with { type: 'json' }

/**
 * Our own recorded decisions for the picture world: 53 in 12 searches over 12 pictures (7 different questions), each
 * typed in answer to what the tools had shown; 11 were answered, all rightly, one was given up.
 *
 * The person was one of this project's engineers, a language model, and not a group of people as in the paper's
 * study: it saw the results of the tools, not the pictures. The tools were those of `bench/seek-world.ts`, which err
 * at stated rates, and WordNet. `bench/seek-record.ts` makes them again from the lines that were typed.
 */
export const WORLD_DECISIONS: readonly Decision[] = deepFreeze(
  recorded as unknown as readonly Decision[],
)
