import type { Phrase, Place, Relation } from '../phrase.ts'

/** A number that is asked about: "two", "more than two". */
export interface NumberTest {
  readonly how: 'exactly' | 'more than' | 'fewer than' | 'at least'
  readonly than: number
}

/** What a question asks, as far as pictures can be measured. */
export type Ask =
  /** Is there such a thing? All of several when joined by "and". */
  | { readonly kind: 'exists'; readonly things: readonly Phrase[]; readonly negated: boolean }
  | { readonly kind: 'count'; readonly thing: Phrase; readonly test?: NumberTest }
  | {
      readonly kind: 'compare-counts'
      readonly things: readonly [Phrase, Phrase]
      readonly how: 'more' | 'fewer' | 'as many' | 'which'
    }
  /** Of the whole picture when no thing is named. */
  | {
      readonly kind: 'colour'
      readonly thing?: Phrase
      readonly part: 'all' | 'clothes' | 'background'
    }
  | { readonly kind: 'is-colour'; readonly thing: Phrase; readonly colours: readonly string[] }
  | { readonly kind: 'where'; readonly thing: Phrase; readonly among?: readonly Place[] }
  /** Which of two relations holds. */
  | {
      readonly kind: 'which-relation'
      readonly thing: Phrase
      readonly to: Phrase
      readonly among: readonly Relation[]
    }
  | {
      readonly kind: 'size'
      readonly things: readonly [Phrase, Phrase]
      readonly how: 'bigger' | 'smaller'
      readonly form: 'yes-no' | 'which'
    }
  | { readonly kind: 'read'; readonly thing?: Phrase; readonly only: 'text' | 'numbers' }
  /** What is there: of a wider kind ("animal"), or in a relation to a thing. */
  | {
      readonly kind: 'what'
      readonly group?: string
      readonly where?: { readonly how: Relation; readonly to: Phrase }
      readonly pick?: 'biggest' | 'smallest'
      /** "What is this?" wants one thing, "what is in the picture?" all. */
      readonly many: boolean
    }
  /** Is it one of these? */
  | { readonly kind: 'is-what'; readonly options: readonly string[] }
  | { readonly kind: 'who'; readonly name?: string }
  | { readonly kind: 'light'; readonly words: readonly ('day' | 'night' | 'bright' | 'dark')[] }
  | { readonly kind: 'monochrome'; readonly yesMeans: 'monochrome' | 'coloured' }
