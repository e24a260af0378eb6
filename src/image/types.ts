/** Half-open pixels `[x1, y1, x2, y2]`, origin top left, x right, y down; area at least 1. */
export type Box = readonly [x1: number, y1: number, x2: number, y2: number]

/**
 * A coordinate system: which part of which original picture a frozen picture shows.
 *
 * A crop opens a new frame with an offset; an edit keeps its frame. Objects carry the frame in which
 * their box is meant, so a box found in a crop can be drawn on the original.
 */
export interface Frame {
  readonly id: string
  /** Id of the original's own frame; frames with the same `original` can be converted. */
  readonly original: string
  /**
   * Offset of this frame's corner from the original's, in pixels of this frame's scale: pixels of
   * the input picture (the original, reduced) unless this frame was resized. May be fractional then.
   */
  readonly x: number
  readonly y: number
  /** Size of this frame in pixels. */
  readonly width: number
  readonly height: number
  /** Pixels of the original file for one pixel of this frame, along x and y. */
  readonly scale: readonly [sx: number, sy: number]
}

/** A frozen picture: 8-bit RGB, EXIF orientation applied, alpha flattened on white. */
export interface Image {
  readonly type: 'image'
  readonly width: number
  readonly height: number
  /** [height, width, 3], row-major, 0..255; never written after creation. */
  readonly data: Uint8Array
  readonly frame: Frame
  /** SHA-256 of size and pixels: the picture's address. */
  readonly hash: string
  /** The picture that this one was cut from or made from, if any. */
  readonly parent?: string
  /** SHA-256 of the file that this picture, or what it was cut from, was reduced from; not of edits. */
  readonly file?: string
  /** The objects that TAG drew; they are what is scored. In this picture's frame. */
  readonly tags?: readonly ObjectRecord[]
}

/** COCO run lengths: column-major, first run counts zeros. `size` is [height, width]. */
export interface MaskRle {
  readonly size: readonly [height: number, width: number]
  readonly counts: readonly number[]
}

/** One thing found in a picture (program-language §9). */
export interface ObjectRecord {
  readonly type: 'object'
  /** Unique within a run. */
  readonly id: string
  /** In pixels of `frame`. */
  readonly box: Box
  readonly category: string
  /** The raw name a model gave, when `category` was cleaned. */
  readonly label?: string
  /** 0..1, calibrated per concept; null where the tool has none. */
  readonly score: number | null
  /** Of the frame's size; null when only a box is known. */
  readonly mask: MaskRle | null
  /** Set by CLASSIFY. */
  readonly class?: string
  /** 100 x cosine, one decimal. */
  readonly classScore?: number
  readonly frame: Frame
}

/** Something to tell that is no error (`N_...`). */
export interface Notice {
  readonly code: string
  readonly message: string
  readonly fields?: Readonly<Record<string, unknown>>
}
