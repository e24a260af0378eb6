import type { Box } from '../../src/image/index.ts'
import type { ColourWord, Scene, Style } from '../types.ts'

export type TaskFamily = 'gqa' | 'nlvr' | 'imgedit' | 'tagging' | 'knowledge' | 'dialogue'

/** All that is needed to paint a scene again, given its sprites. */
export interface SceneRecipe {
  readonly seed: number
  readonly size: number
  readonly styles: readonly Style[]
  readonly objects: number
  readonly wanted: readonly string[]
  readonly tints: readonly (ColourWord | null)[]
  /** Concepts that must not stand in it. */
  readonly without: readonly string[]
  /** New concepts whose drawings may be used; all known ones may. */
  readonly fresh: readonly string[]
}

/** A picture of a task: how to paint it, what is true in it, and a file name that tells nothing. */
export interface TaskScene {
  readonly image: string
  readonly recipe: SceneRecipe
  readonly graph: Scene
}

/** Something that is to be found; the box is half-open, in pixels of the scene. */
export interface TaskObject {
  readonly id: string
  readonly concept: string
  readonly label: string
  readonly box: Box
}

export type EditKind = 'replace' | 'remove' | 'blur' | 'colour-pop' | 'hide'

/** One edit that was asked for; the judge reads the masks of the targets from the scene. */
export interface TaskEdit {
  readonly kind: EditKind
  /** Ids of objects in the scene. */
  readonly targets: readonly string[]
  /** Replace: the concept that is to stand there. */
  readonly concept?: string
  /** Hide: the emoji by its name. */
  readonly emoji?: string
}

/** A fact of WordNet that the answer needs. */
export interface TaskFact {
  readonly concept: string
  readonly relation: 'kind' | 'part' | 'member' | 'substance' | 'property'
  readonly value: string
}

/** How the parts of a benchmark are told apart (picture-world §3). */
export interface TaskSplit {
  readonly concept: 'known' | 'new'
  readonly style: 'train' | 'development' | 'final'
  readonly wording: 'train' | 'held-out'
  readonly seeds: 'train' | 'development' | 'final'
}

/** @source picture-world §5 */
export interface Task {
  readonly id: string
  readonly family: TaskFamily
  readonly type: string
  readonly scenes: readonly TaskScene[]
  readonly instruction: string
  /** Which wording was used, such as `exist/relation#3`. */
  readonly wording: string
  /** What was filled into the wording: what a text-only baseline may look at. */
  readonly slots: Readonly<Record<string, string>>
  readonly hops: number
  readonly answer?: string
  /** Further answers that are right. */
  readonly accepted?: readonly string[]
  readonly objects?: readonly TaskObject[]
  readonly edits?: readonly TaskEdit[]
  readonly facts?: readonly TaskFact[]
  readonly dialogue?: readonly DialogueTurn[]
  /** The new concepts that the task hinges on: one or none. */
  readonly hinges: readonly string[]
  readonly split: TaskSplit
  /** Reference program in our language; run on the truth it gives the answer. */
  readonly program: string
}

/** One exchange of a dialogue: question, the skill's call and exact result, the answer. */
export interface DialogueTurn {
  readonly question: string
  readonly thoughts: string
  readonly actions: readonly {
    readonly API_name: string
    readonly API_params: Readonly<Record<string, unknown>>
  }[]
  /** What is said while the skill is called. */
  readonly announce: string
  /** The exact reply of the skill; null when none is called. */
  readonly result: Readonly<Record<string, unknown>> | null
  readonly answer: string
}
