import type { Abortable } from '../base/index.ts'
import type { Image, MaskRle } from '../image/index.ts'
import type { Usage } from './model.ts'

/** What is asked of a model that paints into pictures. */
export interface PictureEdit {
  readonly image: Image
  /** Where to paint; of the picture's size. */
  readonly mask: MaskRle
  /** What there should be. */
  readonly prompt: string
  /** Sent to models at home; hosted ones take none. */
  readonly seed?: number
  /** Diffusion steps, for models at home. */
  readonly steps?: number
  /** How closely a diffusion model keeps to the prompt, for models at home. */
  readonly guidance?: number
}

export interface EditedPicture {
  /** As the model gave it: perhaps of another size, perhaps changed outside the mask. */
  readonly image: Image
  /** Absent where the server does not count. */
  readonly usage?: Usage
}

/**
 * A model that paints what a text names into a part of a picture.
 *
 * @throws Unavailable `T_LLM` when it does not answer or answers something that is no picture,
 *   UserFault `E_MODEL_KEY`, `E_MODEL_UNKNOWN`, `E_MODEL_REQUEST` when it refuses
 */
export interface PictureEditor {
  /** `provider/name`, split at the first slash. */
  readonly id: string
  edit(request: PictureEdit, options?: Abortable): Promise<EditedPicture>
}
