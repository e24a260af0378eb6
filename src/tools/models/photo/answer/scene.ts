import type { Abortable } from '../../../../base/index.ts'
import type { Image } from '../../../../image/index.ts'
import type { Notice } from '../../../../program/index.ts'
import type { Answer, FaceIdentifier, Segmenter, UnknownWord } from '../../../backends.ts'
import type { Sight } from '../things.ts'

/** What an answer is looked for in, and with what. */
export interface Scene {
  readonly image: Image
  readonly sight: Sight
  readonly segmenter: Segmenter
  readonly identity: FaceIdentifier
  readonly options: Abortable
}

/** What would answer a question that cannot be measured. */
export const WOULD_ANSWER =
  'A vision-language model can: name one as "vqa" in pupil.config.ts, or use one from the hub.'

/** An answer with how it was found. */
export function answered(
  answer: string,
  score: number | null,
  how: string,
  notices: readonly Notice[] = [],
): Answer {
  const clipped = score === null ? null : Math.min(1, Math.max(0, Math.round(score * 1000) / 1000))
  return { outcome: 'answered', answer, score: clipped, how, notices }
}

/** The word or relation that keeps a question from being answered. */
export function notKnown({ word, near, would }: UnknownWord): Answer {
  const hint = near.length === 0 ? '' : ` The nearest words that are: ${near.join(', ')}.`
  return {
    outcome: 'unavailable',
    reason: `"${word}" is nothing that the photo models know.${hint}`,
    would: `${would} ${WOULD_ANSWER}`,
  }
}

/** An honest "I cannot tell", which is an answer to a question that was understood. */
export function unsure(how: string, notices: readonly Notice[] = []): Answer {
  return { outcome: 'unknown', how, notices }
}
