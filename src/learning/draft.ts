import type { Box, Image } from '../image/index.ts'

/** An example before it has numbers and an id. */
export interface ExampleDraft {
  readonly kind: 'thing' | 'face' | 'answer'
  /** Normalised name, or the question. */
  readonly concept: string
  readonly answer?: string
  readonly positive: boolean
  readonly image: Image
  /** In pixels of the image; default the whole. */
  readonly box?: Box
}

/** What a correction would teach, or why it teaches nothing. */
export type Draft =
  | {
      readonly tool: string
      readonly concept: string | null
      readonly examples: readonly ExampleDraft[]
    }
  | { readonly nothing: string }
