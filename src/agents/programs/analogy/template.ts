import type { Demonstration } from '../../../memory/index.ts'
import type { Program } from '../../../program/index.ts'
import type { Token } from './tokens.ts'

/** What a slot takes: a thing of several words, or one token of a closed class. */
export type SlotType =
  | 'thing'
  | 'action'
  | 'color'
  | 'number'
  | 'comp'
  | 'rel'
  | 'side'
  | 'conj'
  | 'emoji'
  | 'kind'
  /** What is said of a thing, word for word: `lives in water`. */
  | 'clause'

/** A span of an instruction that its program takes over, to be bound anew. */
export interface Slot {
  readonly index: number
  readonly type: SlotType
  /** What the demonstration had there. */
  readonly filler: readonly Token[]
  /** A list of things can be bound: its places in the program split texts at commas. */
  readonly list: boolean
  /** May be missing, as `exactly` in `exactly three`. */
  readonly optional: boolean
}

/** How a bound thing is written at a place of the program. */
export type Form = 'same' | 'singular' | 'plural'

/** A part of a text of a program: fixed, or what a slot is bound to. */
export type Piece =
  | string
  | {
      readonly slot: number
      readonly form: Form
      /** An article goes before it, where the number allows. */
      readonly article: boolean
      /** Inside a quoted text of an expression. */
      readonly quoted: boolean
      /** A relation between two things in a text: `to the left of`. */
      readonly said?: true
    }

/** A place that one token fills. */
export interface Atom {
  readonly slot: number
  /** The other side than the one that is bound: `more on the left` compares with the right. */
  readonly opposite: boolean
}

/** Places of the program where something is put in, by the node of the demonstration's tree. */
export interface Holes {
  /** Texts and expressions. */
  readonly texts: ReadonlyMap<object, readonly Piece[]>
  /** Numbers, names of inputs, names of tools. */
  readonly atoms: ReadonlyMap<object, Atom>
}

export type TemplatePart =
  | {
      readonly kind: 'fixed'
      readonly token: Token
      /** The program repeats the word, so another cannot stand in its place. */
      readonly repeated: boolean
    }
  | { readonly kind: 'slot'; readonly slot: Slot }

/** What a demonstration teaches beyond itself: its instruction and program with the shared spans open. */
export interface Template {
  /** Equal for demonstrations that teach the same. */
  readonly key: string
  readonly parts: readonly TemplatePart[]
  readonly slots: readonly Slot[]
  readonly program: Program
  readonly holes: Holes
  readonly demonstration: Demonstration
}
