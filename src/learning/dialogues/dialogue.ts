import type { PythonList } from '../../tools/index.ts'

/** A turn of a dialogue in the data: what a person said or a skill gave, or what the assistant wrote. */
export type DialogueTurn =
  | { readonly from: 'human'; readonly value: string }
  | {
      readonly from: 'gpt'
      readonly thoughts: string
      /** As on the wire, spelling of numbers kept. */
      readonly actions: PythonList
      readonly value: string
    }

/** `plain`: chat without skills; `fly`: skills when needed; `all-tools`: all results in the first turn. */
export type DialogueVariant = 'plain' | 'fly' | 'all-tools'

/** A dialogue of instruction data (llava-plus §7.1), with where it came from. */
export interface Dialogue {
  readonly id: string
  /** Relative path of the picture; absent for text-only dialogues. */
  readonly image?: string
  readonly turns: readonly DialogueTurn[]
  readonly variant: DialogueVariant
  /** The first skill that is called, or `none`. */
  readonly skill: string
  readonly source: 'annotation' | 'run' | 'correction'
}

/** A picture with what is known to be in it. */
export interface AnnotatedPicture {
  readonly id: string
  /** Relative path of its file. */
  readonly file: string
  readonly width: number
  readonly height: number
  readonly captions: readonly string[]
  readonly objects: readonly AnnotatedObject[]
  readonly texts?: readonly { readonly text: string; readonly box: AnnotatedObject['box'] }[]
  /** Categories that are known to be absent; where not given, those of the data set that are not named. */
  readonly absent?: readonly string[]
}

export interface AnnotatedObject {
  readonly category: string
  /** Pixels of the picture, xyxy. */
  readonly box: readonly [x1: number, y1: number, x2: number, y2: number]
  /** COCO's compressed run lengths, when there is a mask. */
  readonly rle?: { readonly size: readonly [number, number]; readonly counts: string }
}
