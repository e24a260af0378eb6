import type { Abortable } from '../../base/index.ts'
import type { Box, Image, MaskRle } from '../../image/index.ts'

/** A picture that was found for a concept, with where it came from. */
export interface FoundExample {
  readonly image: Image
  /** Where the concept is in it; default the whole picture. */
  readonly box?: Box
  readonly mask?: MaskRle
  /** What else is known to be in it. */
  readonly others?: readonly { readonly name: string; readonly box: Box }[]
  readonly title?: string
  /** Address, path or name of what it was found by. */
  readonly source: string
  readonly licence: string
  readonly creator?: string
}

/** A way to find pictures of a concept: a folder, an annotated data set, a search (clova §5). */
export interface PictureFinder {
  readonly name: string
  /** What it can be asked for, where it can say so. */
  names?(options?: Abortable): Promise<readonly string[]>
  /**
   * @param words  a normalised name
   * @param options.most  how many are wanted
   * @throws Unavailable when it cannot be asked now; nothing found is an empty list
   */
  find(
    words: string,
    options: Abortable & { readonly most: number },
  ): Promise<readonly FoundExample[]>
}
