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
export type { Toolbox, ToolboxOptions } from './toolbox.ts'
export { createToolbox } from './toolbox.ts'
export type { Synset, Wordnet } from './sources/wordnet.ts'
export { openWordnet } from './sources/wordnet.ts'
export { normaliseName, singular, splitTexts } from './names.ts'
export { parseList } from './list.ts'
