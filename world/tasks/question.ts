import type { Lexicon } from '../lexicon.ts'
import type { Stream } from '../stream.ts'
import type { ColourWord, Scene } from '../types.ts'
import type { DialogueTurn, Task, TaskEdit, TaskFact, TaskFamily, TaskObject } from './task.ts'

/** The scene that a question needs; related and disputed concepts are kept out by the maker. */
export interface SceneWish {
  readonly wanted: readonly string[]
  readonly tints?: readonly (ColourWord | null)[]
  readonly without?: Iterable<string>
  /** Objects in all. */
  readonly objects: number
}

/** What a scene turned out to hold: the answer, and what else is true. */
export interface Solution {
  readonly answer?: string
  readonly accepted?: readonly string[]
  readonly objects?: readonly TaskObject[]
  readonly edits?: readonly TaskEdit[]
  readonly facts?: readonly TaskFact[]
  readonly dialogue?: readonly DialogueTurn[]
}

/**
 * A question before it has a picture.
 *
 * `answers`: with two, it is made once for each with the same words; with more, for the one least given
 * so far; with none, for whatever the picture gives.
 */
export interface Question {
  readonly slots: Readonly<Record<string, string>>
  readonly program: string
  readonly hops: number
  /** Concepts that instruction, answer or program turn on; the new ones become the task's hinges. */
  readonly about: readonly string[]
  readonly answers: readonly string[]
  /** The pictures wished for; `close` asks for one that differs from the true one in one fact. */
  stage(answer: string | undefined, close: boolean): readonly SceneWish[]
  /** Nothing when a fact that the answer turns on is not clear. */
  solve(scenes: readonly Scene[]): Solution | undefined
}

/** Gives concepts and chances to whoever asks questions. */
export interface Desk {
  readonly lexicon: Lexicon
  readonly stream: Stream
  /** New concept that the question must turn on, if it is to hinge on one. */
  readonly hinge: string | undefined
  /** The hinge where there is one, else a known concept, with a test. */
  subject(test?: (id: string) => boolean): string | undefined
  /** Another known concept that nothing confuses with those given. */
  other(beside: readonly string[], test?: (id: string) => boolean): string | undefined
}

/** A way of asking; its wordings are split by `wordingsOf`. */
export interface QuestionType {
  readonly family: TaskFamily
  readonly type: Task['type']
  /** Type and form, such as `exist/relation`. */
  readonly form: string
  readonly wordings: readonly string[]
  /** Nothing when it cannot be asked about the hinge. */
  ask(desk: Desk): Question | undefined
}
