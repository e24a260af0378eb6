export type { ColourWord, Place, RelationName, Scene, SceneObject, Sprite, Style } from './types.ts'
export type { Concept, ConceptClass } from './concepts.ts'
export { readClasses, readConcepts } from './concepts.ts'
export type { AskableClass, Lexicon } from './lexicon.ts'
export { createLexicon, openLexicon } from './lexicon.ts'
export { namesByClass, namesStrictly } from './naming.ts'
export type { RawScene, SceneOptions } from './scene.ts'
export { paintScene, SCENE_VERSION } from './scene.ts'
export { sceneTruth } from './truth.ts'
export { captionOf } from './caption.ts'
export { miniSprites } from './mini/mini-sprites.ts'
export type { DrawingPackage } from './sprites/packages.ts'
export { DRAWING_PACKAGES } from './sprites/packages.ts'
export { spriteHash } from './sprites/build-sprites.ts'
export { DEVELOPMENT_STYLE, loadSprites, TRAIN_STYLES } from './sprites/load-sprites.ts'
export type {
  DialogueTurn,
  EditKind,
  SceneRecipe,
  Task,
  TaskEdit,
  TaskFact,
  TaskFamily,
  TaskObject,
  TaskScene,
  TaskSplit,
} from './tasks/task.ts'
export type { Library } from './tasks/library.ts'
export { createLibrary } from './tasks/library.ts'
export type { TaskOptions } from './tasks/make-tasks.ts'
export { makeTasks } from './tasks/make-tasks.ts'
export { truthBackends } from './tasks/truth-backends.ts'
export { languageFamily, runOnTruth, taskInputs, taskOnTruth } from './tasks/run-on-truth.ts'
export type { AnswerKind, TextOnlyScore } from './tasks/text-only.ts'
export { answerKind, TEXT_ONLY_BOUNDS, textOnlyBaseline } from './tasks/text-only.ts'
export { kindsOf } from './tasks/knowledge.ts'
export type { FoundPicture, PictureSource, PictureTruth, SearchOptions } from './pictures.ts'
export { createPictureSource } from './pictures.ts'
export type { GroundingOptions } from './grounding.ts'
export { grounding } from './grounding.ts'
export type { CocoEntry, Segmentation } from './formats/coco.ts'
export { maskOf, readCoco, writeCoco } from './formats/coco.ts'
export type { GqaQuestion, GqaScene } from './formats/gqa.ts'
export {
  readGqaQuestions,
  readGqaScenes,
  readGqaTasks,
  writeGqaQuestions,
  writeGqaScenes,
} from './formats/gqa.ts'
export type { Chunks } from './formats/json-stream.ts'
export { fileChunks } from './formats/json-stream.ts'
export type { LlavaSample, LlavaTurn } from './formats/llava.ts'
export { readLlava, readLlavaTasks, writeLlava } from './formats/llava.ts'
export type { LvisScene } from './formats/lvis.ts'
export { writeLvis } from './formats/lvis.ts'
export type { Nlvr2Statement } from './formats/nlvr2.ts'
export { nlvr2Images, readNlvr2, readNlvr2Tasks, writeNlvr2 } from './formats/nlvr2.ts'
export type { Crop, Judge, JudgeModel } from './judge/judge.ts'
export type { OpenJudge } from './judge/shipped-judge.ts'
export { openJudge } from './judge/shipped-judge.ts'
export type { ScoreMeans, TaskScore } from './score/score-task.ts'
export { scoreTask } from './score/score-task.ts'
export { scorePlan } from './score/score-plan.ts'
export type { TagCounts, TagScore } from './score/score-tags.ts'
export { scoreTags } from './score/score-tags.ts'
export { judgeCrop, judgeFrom, missingJudge, NOTHING } from './judge/judge.ts'
export type { Check, EditCase, Judgement } from './judge/judge-edit.ts'
export { judgeEdit } from './judge/judge-edit.ts'
export type { Fitness, FitnessOptions } from './judge/fitness.ts'
export { judgeFitness } from './judge/fitness.ts'
export type { SceneRequest, TaskFormat, WorldPlace } from './commands.ts'
export {
  exportTasks,
  openLibrary,
  taskFiles,
  worldPictures,
  worldScene,
  worldTasks,
} from './commands.ts'
export type { WorldDemonstration } from './demonstrations.ts'
export { worldDemonstrations } from './demonstrations.ts'
export type { PackageNotice, StyleStats, WorldStats } from './stats.ts'
export { answerBalance, DRAWING_NOTICES, worldStats } from './stats.ts'
