/** A picture to try, with a thing to say about it. */
export interface Sample {
  readonly name: string
  readonly address: string
  readonly instruction: string
  readonly credit: string
}

export const SAMPLES: readonly Sample[] = []
