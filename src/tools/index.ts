export type { Tool, ToolContext } from './tool.ts'
export { SIGNATURES } from './signatures.ts'
export { EMOJI_NAMES } from './emoji-names.ts'
export { EMOJI_ALIASES } from './emoji-aliases.ts'
export type {
  Answer,
  Answerer,
  Backend,
  Backends,
  Captioner,
  CutSeeds,
  Detection,
  Detector,
  FaceDetector,
  FaceFinding,
  FaceIdentifier,
  Filler,
  FillRequest,
  Finding,
  Identity,
  KnownPerson,
  Lister,
  Listing,
  Match,
  Matcher,
  PeopleSource,
  Reader,
  Segment,
  Segmenter,
  TextLine,
  UnknownWord,
  Vocabulary,
  WordReading,
} from './backends.ts'
export { NO_BACKENDS } from './backends.ts'
export type { ToolSettings } from './settings.ts'
export { DEFAULT_SETTINGS } from './settings.ts'
