import type { RunDocument } from '../../app/index.ts'
import type { CorrectionBody, Target } from './correct-api.ts'
import { correctableAs, stepPicture, thingsFound, toStepPixels } from './correction.ts'
import type { Box, Size } from './draw-box.ts'

/** A thing that was found, to be looked over by a person. */
export interface ReviewCard {
  readonly key: string
  readonly run: string
  /** The call that found it. */
  readonly index: number
  /** Address of the input that it lies on, and the size of its original. */
  readonly picture: string
  readonly size: Size
  /** In pixels of the original. */
  readonly box: Box
  readonly label: string
  readonly score: number | null
  /** The same found again by other runs or steps; one look is enough for all. */
  readonly alike: number
  readonly target: Target
}

export type ReviewVerdict = 'same' | 'different' | 'unsure'

/** A correction that stands, as far as a review needs it. */
export interface Judged {
  readonly target: Target
}

/** More overlap than this, of the same name in the same picture, is the same thing. */
const SAME_PLACE = 0.7

/**
 * What is to be looked over: things that steps found, the most uncertain first, the same thing once.
 *
 * @param runs  newest first; with the corrections of each that stand: what was judged is left out
 */
export function reviewCards(
  runs: readonly { readonly run: RunDocument; readonly judged: readonly Judged[] }[],
): readonly ReviewCard[] {
  const cards: ReviewCard[] = []
  const seen: { readonly card: ReviewCard; at: number; isJudged: boolean }[] = []
  for (const { run, judged } of runs) {
    for (const card of cardsOf(run)) {
      const isJudged = judged.some(({ target }) => isAbout(target, card.target))
      const twin = seen.find((one) => isTwin(one.card, card))
      if (twin === undefined) {
        seen.push({ card, at: cards.length, isJudged })
        cards.push(card)
      } else {
        twin.isJudged ||= isJudged
        const known = cards[twin.at]
        if (known !== undefined) cards[twin.at] = { ...known, alike: known.alike + 1 }
      }
    }
  }
  const open = cards.filter((_, at) => !seen.some((one) => one.at === at && one.isJudged))
  return open.sort((a, b) => certainty(a) - certainty(b))
}

/** 0 for a score of one half; without a score nothing is known, so it comes first too. */
function certainty({ score }: ReviewCard): number {
  return score === null ? 0 : Math.abs(score - 0.5)
}

function cardsOf(run: RunDocument): readonly ReviewCard[] {
  return run.steps.flatMap((step) => {
    const seen = stepPicture(step)
    if (seen === undefined || correctableAs(step) !== 'things') return []
    return thingsFound(step).flatMap(({ box, label, score, on }) => {
      const input = run.inputs[on]
      if (input === undefined || label === '') return []
      const { index } = step
      const target: Target = {
        ...{ kind: 'region', index, picture: seen.image, box: toStepPixels(box, seen) },
      }
      return [
        {
          ...{
            key: `${run.run}/${index}/${box.join(',')}`,
            run: run.run,
            index,
            box,
            label,
            score,
          },
          ...{ picture: input.image, size: input.original, alike: 0, target },
        },
      ]
    })
  })
}

function isTwin(a: ReviewCard, b: ReviewCard): boolean {
  return a.picture === b.picture && a.label === b.label && overlap(a.box, b.box) >= SAME_PLACE
}

/** True when a correction was about this thing. */
function isAbout(said: Target, card: Target): boolean {
  if (said.kind === 'step') return card.kind === 'region' && said.index === card.index
  return (
    said.kind === 'region' &&
    card.kind === 'region' &&
    said.index === card.index &&
    overlap(said.box, card.box) > 0.9
  )
}

/** Intersection over union. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  if (width <= 0 || height <= 0) return 0
  const area = ([x1, y1, x2, y2]: Box): number => (x2 - x1) * (y2 - y1)
  return (width * height) / (area(a) + area(b) - width * height)
}

/** What a verdict says to the API. */
export function reviewBody(
  { target, label }: ReviewCard,
  verdict: Exclude<ReviewVerdict, 'unsure'>,
): CorrectionBody {
  return verdict === 'same'
    ? { target, expected: { label } }
    : { target, expected: { rejected: true }, reason: 'not-there' }
}

/** The part of the picture to show: the thing with some of what is around it. */
export function cardView({ box: [x1, y1, x2, y2], size }: ReviewCard): Box {
  const around = 0.35 * Math.max(x2 - x1, y2 - y1)
  return [
    ...([Math.max(0, x1 - around), Math.max(0, y1 - around)] as const),
    Math.min(size.width, x2 + around),
    Math.min(size.height, y2 + around),
  ]
}
