export type { CacheEntry, CacheShelf } from './cache.ts'
export type {
  Config,
  Limits,
  ProviderConfig,
  ResolvedConfig,
  ResolveOptions,
  Role,
  ServerConfig,
  SourcesConfig,
  ToolServerConfig,
  UserConfig,
  WorkersConfig,
} from './config.ts'
export { defineConfig, resolveConfig } from './config.ts'
export type { Profile } from './profile.ts'
export type { BenchReport, BenchRequest } from './benches.ts'
export { runBench } from './benches.ts'
export type { Evaluation, EvaluateRequest, WorldTasks } from './eval-desk.ts'
export { evaluateOnWorld } from './world-desk.ts'
export type { Diagnosis, Finding, Licence } from './doctor.ts'
export type {
  DocumentOptions,
  ImageDocument,
  InputDocument,
  MakingDocument,
  RunDocument,
  StepDocument,
  TagDocument,
  ValueDocument,
} from './document.ts'
export { runDocument, stepDocument } from './document.ts'
export { openChat } from './open-chat.ts'
export type { ChatDesk, ChatDeskOptions, ChatSkill, SayOptions } from './chat-desk.ts'
export type { ChatPartDocument } from './chat-document.ts'
export type { SavedChat } from './chat-file.ts'
export type { ChatDocument, ChatShelf } from './chat-shelf.ts'
export type { Environment } from './environment.ts'
export { readEnvironment } from './environment.ts'
export type { LiveRun, RunEvent } from './live-run.ts'
export type { PictureFile, PictureInput, PictureLibrary } from './picture-library.ts'
export type {
  CheckDocument,
  DiagnosticDocument,
  EvalDocument,
  ProgramDesk,
} from './program-desk.ts'
export type { DemonstrationShelf } from './demonstration-shelf.ts'
export type {
  CorrectionRequest,
  LearningDesk,
  LessonDetail,
  PeopleDesk,
  TaughtLesson,
  TeachOptions,
  TeachRequest,
} from './learning-desk.ts'
export type { Pupil, PupilOptions, RunOptions, RunRequest } from './pupil.ts'
export type { PictureConsent, SeekRequest, SeekSettings } from './pupil.ts'
export type { StudyDesk, StudyGraph, StudyScore, StudySettings } from './study-desk.ts'
export type { Person, PersonChoice, PersonView, SeekReading } from '../agents/index.ts'
export type { SeekDocument, SeekMove, SeekSource } from './seek-document.ts'
export { seekMoves } from './seek-document.ts'
export type { RunShelf } from './run-shelf.ts'
export type { OpenPupilOptions } from './open-pupil.ts'
export { openPupil } from './open-pupil.ts'
export { version } from './version.ts'
export { createPupil } from './create-pupil.ts'
export type { FetchPicture } from './picture-address.ts'
export { base64Bytes, blobAddress, pictureAt } from './picture-address.ts'
export type { PictureBytes, SkillCall } from './skill-call.ts'
export { callableSkills, skillRequest } from './skill-call.ts'
export { openExternalTools } from './external-tools.ts'
export type { Differentiated, DifferentiateRequest, ModelDesk, OperatorUse } from './model-desk.ts'
export { openModelDesk } from './model-desk.ts'
export type { WorldScene } from './world-desk.ts'
export type { DialogueRequest, DialoguesMade } from './dialogue-desk.ts'
export { DIALOGUE_TARGETS, makeInstructionData } from './dialogues.ts'
export { openWorld } from './world-desk.ts'
export type { LoopOptions, LoopReport, LoopResult, LoopSwitches, LoopTask } from './train-loop.ts'
export type { LearningJobs } from './learning-jobs.ts'
export type { Scope } from './scope.ts'
export { SCOPES } from './scope.ts'
export type { ConceptCard, ConceptDetail, ConceptExample, ConceptShelf } from './concept-shelf.ts'
export type { JobDocument } from './job-document.ts'
export { jobDocument } from './job-document.ts'
export type { TokenRequest, TokenShelf } from './token-shelf.ts'
export type { ProtocolHosts } from './protocol-hosts.ts'
export { openProtocolHosts, registerElsewhere } from './protocol-hosts.ts'
