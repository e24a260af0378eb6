export type {
  AnnotatedObject,
  AnnotatedPicture,
  AnswerFacts,
  CorpusSink,
  CorpusStatistics,
  Dialogue,
  DialogueTools,
  DialogueTurn,
  DialogueVariant,
  MakeDialoguesOptions,
  RecordedChat,
  RecordedTurn,
  Split,
  Target,
  ModelWriter,
  TargetName,
  WriterCounts,
  TextSpan,
  TrainingText,
} from './dialogues/index.ts'
export {
  annotatedReply,
  annotatedTools,
  dialogueFaults,
  dialoguesFromChat,
  HYPERPARAMETERS,
  makeDialogues,
  modelWriter,
  readCoco,
  readVisualGenome,
  splitOf,
  TARGETS,
  templateAnswer,
  trainingRecipe,
  trainingText,
  writeCorpus,
  writeCorpusFiles,
} from './dialogues/index.ts'
export { attemptOf, callsOf } from './attempt-of.ts'
export type { Corrected, Correction, CorrectOptions, CorrectorParts } from './correct.ts'
export { correct, standingAnswer } from './correct.ts'
export type { Demonstrated, DemonstrationParts } from './demonstrate.ts'
export { demonstrate, LOWEST_SCORE, scoreDemonstrations } from './demonstrate.ts'
export type { Draft, ExampleDraft } from './draft.ts'
export { draftFromBlame, draftFromFeedback, pictureOf } from './draft-from.ts'
export type { ChangedAnswer, Effect, PastRun } from './effect.ts'
export { answerOf, dryRun } from './effect.ts'
export { answerField, answerSubject, labelsOf } from './labels-of.ts'
export type { LessonFile } from './lesson-zip.ts'
export { packLesson, unpackLesson } from './lesson-zip.ts'
export { peopleOf, taughtOf } from './taught-of.ts'
export type {
  ActingMemory,
  ExampleEncoder,
  Lecture,
  Preview,
  ShownExample,
  Teacher,
  TeacherParts,
} from './teacher.ts'
export { createTeacher } from './teacher.ts'
export type {
  Inference,
  Judge,
  LearnOutcome,
  Learning,
  LoopParts,
  Phase,
  Taught as ToolLesson,
} from './learn.ts'
export { learn } from './learn.ts'
export type { PromptSource } from './prompt-book.ts'
export { promptBook, withPrompts } from './prompt-book.ts'
export type {
  Discarded,
  Tuned,
  TunedPrompt,
  TuningExample,
  TuningOptions,
  TuningScores,
} from './tuning/tuning.ts'
export { splitExamples } from './tuning/split-examples.ts'
export { tuneEncoder } from './tuning/tune-encoder.ts'
export type { DetectorOptions } from './tuning/tune-detector.ts'
export { tuneDetector } from './tuning/tune-detector.ts'
export { tuneSegmenter } from './tuning/tune-segmenter.ts'
export type { QuestionExample } from './tuning/tune-answerer.ts'
export { tuneAnswerer } from './tuning/tune-answerer.ts'
export { tuneFiller } from './tuning/tune-filler.ts'
export type { TuningData } from './tune-tool.ts'
export { learnableFor, tuneTool } from './tune-tool.ts'
export type { LessonStage, LessonTuningParts, TuningState } from './tune-lesson.ts'
export { tuningStages } from './tune-lesson.ts'
export type { FoundExample, PictureFinder } from './collect/finder.ts'
export type { Collected, CollectedExample, CollectOptions } from './collect/collect.ts'
export { collect, collectedJson } from './collect/collect.ts'
export { folderFinder, searchFinder } from './collect/finders.ts'
export type { GroundingFiles } from './collect/grounding.ts'
export { groundingFinder } from './collect/grounding.ts'
export type { ShownDraft, ShownThing } from './shown.ts'
export { draftsOfShown, shownReflector } from './shown.ts'
export type { Fits, Weighed } from './weigh-examples.ts'
export { weighExamples } from './weigh-examples.ts'
export { verdictJson } from './verdict-json.ts'
