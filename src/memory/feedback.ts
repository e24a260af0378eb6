import type { Box } from '../image/index.ts'

/** What of a run was corrected. `index` is the call's position among the executed calls, from 0. */
export type FeedbackTarget =
  | { readonly kind: 'answer' }
  | { readonly kind: 'step'; readonly index: number }
  /** A region of a call's picture: pixels of `picture`, the hash of which stands here. */
  | {
      readonly kind: 'region'
      readonly index: number
      readonly picture: string
      readonly box: Box
    }
  | { readonly kind: 'plan' }
  | { readonly kind: 'program' }

/** The tap that is already most of the blame (product §3). */
export type FeedbackReason =
  | 'not-there'
  | 'wrong-thing'
  | 'wrong-place'
  | 'misread-text'
  | 'wrong-fact'
  | 'bad-plan'
  | 'bad-photo'

export const FEEDBACK_REASONS: readonly FeedbackReason[] = [
  ...(['not-there', 'wrong-thing', 'wrong-place', 'misread-text'] as const),
  ...(['wrong-fact', 'bad-plan', 'bad-photo'] as const),
]

/** What is right instead; at least one of these, or a rejection. */
export interface Expected {
  /** The right answer of the run or of a step. */
  readonly answer?: string
  /** What the region or the step's objects are called. */
  readonly label?: string
  /** Where things are: pixels of the step's picture. */
  readonly boxes?: readonly Box[]
  /** The right plan in words. */
  readonly plan?: string
  /** The right program. */
  readonly program?: string
  /** What was found is not there, or not so: a tombstone. */
  readonly rejected?: true
}

/** A person's correction of a run; stored before anything is computed from it (clova §3.1). */
export interface Feedback {
  readonly id: string
  readonly run: string
  readonly target: FeedbackTarget
  readonly expected: Expected
  readonly reason?: FeedbackReason
  readonly comment?: string
  readonly author: string
  /** `this`: only set right; `teach`: learn from it. */
  readonly scope: 'this' | 'teach'
  readonly at: number
  /** The earlier correction of the same target that it takes the place of. */
  readonly supersedes?: string
}

/** Equal for two corrections of the same thing, of which only the newer one stands (product R2). */
export function feedbackSubject({ run, target }: Pick<Feedback, 'run' | 'target'>): string {
  const { kind } = target
  switch (kind) {
    case 'answer':
    case 'plan':
    case 'program':
      return `${run}#${kind}`
    case 'step':
      return `${run}#step/${target.index}`
    case 'region':
      return `${run}#region/${target.index}/${target.box.join(',')}`
    default:
      return kind satisfies never
  }
}
