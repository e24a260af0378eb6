/** What of the tags of one picture was right. */
export interface TagTally {
  readonly hits: number
  readonly misses: number
  readonly surplus: number
}

/** How one task of a benchmark came out. */
export interface TaskOutcome {
  readonly id: string
  readonly family: string
  readonly type: string
  /** Whether it hinges on a concept that the models never saw. */
  readonly concept: 'known' | 'new'
  readonly wording: 'train' | 'held-out'
  /** Which draw of scenes. */
  readonly seed: number
  readonly strict: boolean
  readonly byClass: boolean
  readonly tags?: {
    readonly strict: TagTally
    readonly byClass: TagTally
    readonly located: TagTally
  }
  /** Code of what went wrong; such a task is wrong. */
  readonly error?: string
  /** The agent had no plan and went round it. */
  readonly fallback: boolean
  /** Whether the program is the reference program. */
  readonly samePlan: boolean
  readonly ms: number
}
