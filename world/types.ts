import type { Box, ColourWord, MaskRle } from '../src/image/index.ts'

/** Drawing styles; the last two are opened by the final benchmark only. */
export type Style =
  | 'noto'
  | 'noto-v1'
  | 'fluent-flat'
  | 'fluent-3d'
  | 'fxemoji'
  | 'emojione'
  | 'twemoji'
  | 'final-a'
  | 'final-b'

/** A trimmed drawing: [height, width, 4] straight RGBA, row-major. */
export interface Sprite {
  readonly id: string
  readonly concept: string
  readonly style: Style
  /** Shared by renderings of one drawing (the Fluent variants). */
  readonly drawing: string
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
}

export type { ColourWord }

export type Place = 'left' | 'right' | 'top' | 'bottom'

/** A thing in a scene with its exact truth; boxes half-open in scene pixels. */
export interface SceneObject {
  readonly id: string
  readonly concept: string
  readonly synset: string
  readonly style: Style
  readonly sprite: string
  /** 0 is the lowest. */
  readonly z: number
  /** Tight box of the visible pixels. */
  readonly box: Box
  readonly fullBox: Box
  /** Visible pixels (alpha of at least 128, not covered). */
  readonly mask: MaskRle
  readonly fullMask: MaskRle
  /** Opaque pixels, and how many of them are visible. */
  readonly area: number
  readonly visibleArea: number
  readonly longer: number
  readonly rotation: number
  readonly flip: boolean
  readonly tint: ColourWord | null
  /** Measured on the visible pixels; null when unclear. */
  readonly colour: ColourWord | null
  /** Whole per cent of the visible pixels in the cell of each colour word, from 1 on. */
  readonly shares: Readonly<Partial<Record<ColourWord, number>>>
  readonly size: 'small' | 'large' | null
  readonly places: readonly Place[]
}

export type RelationName =
  'to the left of' | 'to the right of' | 'above' | 'below' | 'in front of' | 'behind'

/** The truth of a generated picture (picture-world §4). */
export interface Scene {
  readonly version: string
  readonly seed: number
  readonly width: number
  readonly height: number
  /** Hash of the sprite set it was drawn from. */
  readonly sprites: string
  readonly ground: string
  readonly clutter: number
  readonly objects: readonly SceneObject[]
  readonly relations: readonly {
    readonly subject: string
    readonly name: RelationName
    readonly object: string
  }[]
}
