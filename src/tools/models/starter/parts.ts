import type { LearntPrompts } from '../../learnt-prompts.ts'
import type { TaughtLook } from '../../taught.ts'
import type { Wordnet } from '../../sources/wordnet.ts'
import type { Encoder } from './encoder.ts'
import type { Eyes } from './eyes.ts'
import type { StarterModels } from './models.ts'
import type { Namer } from './namer.ts'
import type { Names } from './names.ts'
import type { Texts } from './texts.ts'

/** What the starter back ends share. */
export interface StarterParts {
  readonly models: StarterModels
  readonly names: Names
  readonly texts: Texts
  readonly eyes: Eyes
  readonly namer: Namer
  readonly encoder: () => Promise<Encoder>
  readonly wordnet: () => Promise<Wordnet>
  /** Prompts that act now. */
  readonly learnt: LearntPrompts
  /** What people taught by example. */
  readonly taught?: TaughtLook
  /** Whether VQA finds and measures what can be. */
  readonly measure: boolean
}

/** What every card says that these models cannot. */
export const DRAWINGS_ONLY =
  'photographs, objects below 40 pixels, text in pictures: the profile photo, a hub or served model'
