import type { Abortable, Progress } from '../../base/index.ts'
import type { Box, Image, MaskRle } from '../../image/index.ts'
import type { OpenSessionOptions } from '../../onnx/index.ts'

/** A picture that prompts are learnt from or checked with. */
export interface TuningExample {
  /** Shows the concept; else it shows something else, whose name it carries. */
  readonly positive: boolean
  readonly name: string
  readonly image: Image
  /** In pixels of the image; default the whole. */
  readonly box?: Box
  readonly mask?: MaskRle
  /** What else is known to be in the picture. */
  readonly others?: readonly { readonly name: string; readonly box: Box }[]
}

export interface TuningOptions extends Abortable {
  /** Start of the random numbers; default 0. */
  readonly seed?: number
  /** At most so many steps an instance; default that of the paper. */
  readonly steps?: number
  /** Default that of the paper. */
  readonly rate?: number
  /** At most so many training instances; default by tool. */
  readonly most?: number
  /** Whether prompts must pass validation; false shows what is lost without (CLOVA table 4). */
  readonly validate?: boolean
  readonly progress?: Progress
  readonly session?: OpenSessionOptions
}

/** A prompt of one training instance. */
export interface TunedPrompt {
  /** Hash of the picture it was learnt from. */
  readonly picture: string
  readonly feature: Float32Array
  readonly values: Float32Array
  readonly shape: readonly number[]
}

/** Why a prompt, or an instance before it had one, was dropped. */
export interface Discarded {
  readonly picture: string
  readonly reason: string
}

/**
 * How well held-out pictures come out, 0 to 1: the share that is right (encoder, answerer), mean F1 of boxes
 * (detector), mean overlap of masks (segmenter), the share of the error that is gone (filler).
 */
export interface TuningScores {
  readonly plain: number
  /** With examples as nearest neighbours; null where nothing can be said. */
  readonly exemplars: number | null
  /** With the ensemble of the prompts kept; null when none was. */
  readonly tuned: number | null
}

/** What a tuning came to. */
export interface Tuned {
  readonly kept: readonly TunedPrompt[]
  readonly discarded: readonly Discarded[]
  readonly heldOut: { readonly positives: number; readonly negatives: number }
  readonly scores: TuningScores
  /** Near-duplicates that were left out beforehand. */
  readonly folded: number
  readonly steps: number
  /** Why the prompts are not to be applied. */
  readonly against?: string
}

/** The reason against prompts by their scores: they must beat the plain tool and the examples. */
export function againstScores({ plain, exemplars, tuned }: TuningScores): string | undefined {
  if (tuned === null) return 'No prompt passed validation.'
  const share = (value: number): string => `${Math.round(100 * value)} %`
  if (tuned <= plain) {
    return `Tuned, the tool scores ${share(tuned)} on the held-out pictures, as it was ${share(plain)}.`
  }
  if (exemplars !== null && tuned <= exemplars) {
    return `The examples alone get ${share(exemplars)} on the held-out pictures, tuning ${share(tuned)}.`
  }
  return undefined
}

/** A tuning that never began. */
export function untuned(against: string, folded = 0): Tuned {
  return {
    ...{ kept: [], discarded: [], folded, steps: 0, heldOut: { positives: 0, negatives: 0 } },
    ...{ scores: { plain: 0, exemplars: null, tuned: null }, against },
  }
}
