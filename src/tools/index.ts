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
export type {
  Learnable,
  LearnableAnswerer,
  LearnableDetector,
  LearnableEncoder,
  LearnableFiller,
  LearnableSegmenter,
  PaddedPicture,
} from './learnable.ts'
export type { LearntPrompts, MixedPrompt, NearPrompt, PromptAsk } from './learnt-prompts.ts'
export { flatPrompt, mixPrompts, NO_PROMPTS, promptTensors } from './learnt-prompts.ts'
export type { Taught, TaughtAnswer, TaughtExample, TaughtLook, TaughtSource } from './taught.ts'
export { NOTHING_TAUGHT } from './taught.ts'
export type {
  FaultReason,
  Fetch,
  Fetched,
  FetchOptions,
  FoundBox,
  FoundEntry,
  FoundLine,
  FoundPicture,
  GuardedFetch,
  GuardOptions,
  Passage,
  PassageHit,
  PassageIndex,
  PictureSource,
  SourceArgs,
  SourceCall,
  SourceOutput,
  SourceProvider,
  SourceTool,
  WikimediaOptions,
  PictureEncoder,
  PictureIndex,
  PictureRow,
  PictureToIndex,
} from './sources/index.ts'
export {
  brave,
  buildPassageIndex,
  cloudVision,
  commons,
  documentsSource,
  faultReason,
  guardedFetch,
  kiwix,
  LOCAL_SOURCE,
  openPage,
  openPictureIndex,
  pictureFolder,
  pictureIndexSource,
  pictureTitles,
  vectorIndex,
  openPassageIndex,
  openverse,
  outgoingPicture,
  searxng,
  searxngPictures,
  serpapiLens,
  sourceFault,
  visionSources,
  wikidata,
  wikimediaClient,
  wikipedia,
  wordnetFacts,
} from './sources/index.ts'
export type { ToolSettings } from './settings.ts'
export { DEFAULT_SETTINGS } from './settings.ts'
export type { Toolbox, ToolboxOptions } from './toolbox.ts'
export { createToolbox } from './toolbox.ts'
export type { Synset, Wordnet } from './sources/wordnet.ts'
export { openWordnet } from './sources/wordnet.ts'
export { normaliseName, singular, splitTexts } from './names.ts'
export { parseList } from './list.ts'
export { emojiName } from './emoji.ts'
export { joinLines } from './text-lines.ts'
export { standardTools } from './standard-tools.ts'
export { llmAnswerer, llmCaptioner } from './models/llm/llm-answerer.ts'
export { llmLister } from './models/llm/llm-lister.ts'
export { editorFiller } from './models/llm/painting-filler.ts'
export { wordnetLister } from './sources/wordnet-lister.ts'
export type { PhotoBackends, PhotoOptions } from './models/photo/photo-backends.ts'
export { photoBackends } from './models/photo/photo-backends.ts'
export type { PhotoModel, PhotoModels, PhotoModelsOptions } from './models/photo/models.ts'
export { openPhotoModels } from './models/photo/models.ts'
export type { StarterBackends, StarterOptions } from './models/starter/starter-backends.ts'
export { starterBackends } from './models/starter/starter-backends.ts'
export type { StarterModels, StarterModelsOptions } from './models/starter/models.ts'
export { openStarterModels } from './models/starter/models.ts'
export type { StarterCard, StarterModel } from './models/starter/files.ts'
export { findStarterFolder } from './models/starter/files.ts'
export type { Features } from './models/photo/features.ts'
export { cosine } from './models/photo/features.ts'
export { PHOTO_LIKENESS, questionKey } from './models/photo/exemplars.ts'
export type { Likeness } from './models/photo/features.ts'
export { ACCEPT_BELOW, euclidean, nearestPerson } from './models/photo/identity.ts'
export { COCO_NAMES } from './models/photo/coco.ts'
export type { ModelNotice } from './models/photo/model-notices.ts'
export { MODEL_NOTICES } from './models/photo/model-notices.ts'
export type { Capability } from './capabilities.ts'
export { capabilities, missingTools } from './capabilities.ts'
export {
  scriptedAnswerer,
  scriptedDetector,
  scriptedMatcher,
  scriptedSegmenter,
  testContext,
} from './scripted.ts'
export type { PhotoFile } from './models/photo/files.ts'
export { findPhotoFile } from './models/photo/files.ts'
export type { PythonDict, PythonList, PythonValue } from './models/remote/python-value.ts'
export {
  asFloat,
  dict,
  isDict,
  isList,
  numberOf,
  plainOf,
  pythonOf,
} from './models/remote/python-value.ts'
export { readPython } from './models/remote/python-read.ts'
export { compactJson, pythonJson, pythonRepr } from './models/remote/python-write.ts'
export { pythonStrip, round2 } from './models/remote/python-round.ts'
export { filled, OVER_BUDGET, SERVER_ERROR, WIRE } from './models/remote/strings.ts'
export type { Action, ReadAction, WireTurn } from './models/remote/turn.ts'
export { readActions, wireActions, writeTurn } from './models/remote/turn.ts'
export type { ParsedTurn, ParsedVia } from './models/remote/parse-turn.ts'
export { parseTurn } from './models/remote/parse-turn.ts'
export type { Template, TemplateName } from './models/remote/templates.ts'
export { templateFor, TEMPLATES } from './models/remote/templates.ts'
export type { PromptTurn } from './models/remote/prompt.ts'
export { harmless, writePrompt } from './models/remote/prompt.ts'
export type { ResultSpelling, SkillReply } from './models/remote/result-turn.ts'
export { cleanReply, resultTurn, routedName } from './models/remote/result-turn.ts'
export type { SkillState } from './models/remote/tool-request.ts'
export { toolRequest } from './models/remote/tool-request.ts'
export { forModel, forTools, imageName, inputBoxLine } from './models/remote/picture-sizes.ts'
export type { ControllerClient } from './models/remote/controller-client.ts'
export { controllerClient } from './models/remote/controller-client.ts'
export type { RemoteTools, RemoteToolsOptions } from './models/remote/tool-client.ts'
export { remoteTools } from './models/remote/tool-client.ts'
export { remoteFiller } from './models/remote/remote-filler.ts'
export type { WorkerRequest } from './models/remote/model-client.ts'
export { askModelWorker, likelyCauses } from './models/remote/model-client.ts'
export type { RegistrationOptions, WorkerStatus } from './models/remote/registration.ts'
export { keepRegistered } from './models/remote/registration.ts'
export type {
  ExternalAddress,
  ExternalOptions,
  ExternalServer,
  ExternalTools,
} from './external/open-external-tools.ts'
export { openExternalTools } from './external/open-external-tools.ts'
