export type { Demonstration, DemonstrationKind, DemonstrationPool } from './demonstration.ts'
export { memoryDemonstrations } from './memory-demonstrations.ts'
export { startDemonstrations } from './start-demonstrations.ts'
export type { SentenceEncoder, SentenceVector } from './encoder.ts'
export { cosine, unit } from './encoder.ts'
export { lexicalEncoder } from './lexical-encoder.ts'
export type { DemonstrationQuery, Retrieved, Retriever } from './retrieve.ts'
export { createRetriever } from './retrieve.ts'
export type { Word } from './words.ts'
export { plainSentence, words } from './words.ts'
export { article, isPlural, plural, pluralPhrase, singular, singularPhrase } from './inflect.ts'
export type { PromptEntry, PromptHead, PromptPool } from './prompt-pool.ts'
export { memoryPrompts, promptOf, promptText } from './prompt-pool.ts'
export type { Lesson, LessonParts, LessonStatus } from './lesson.ts'
export { NO_PARTS } from './lesson.ts'
export type { Exemplar } from './exemplar.ts'
export { exemplarOf, exemplarText, floatsOf, floatsText } from './exemplar.ts'
export type { Expected, Feedback, FeedbackReason, FeedbackTarget } from './feedback.ts'
export { FEEDBACK_REASONS, feedbackSubject } from './feedback.ts'
export type {
  LearntFilter,
  LearntKind,
  LearntReader,
  LearntRow,
  LearntRows,
  LearntWriter,
} from './learnt-rows.ts'
export { memoryLearntRows } from './learnt-rows.ts'
export type { Learnt, LessonFilter, Recorded } from './learnt.ts'
export { createLearnt } from './learnt.ts'
export type { Label, LabelBook } from './label.ts'
export { memoryLabels } from './label.ts'
export type { Decision, DecisionBook } from './decision.ts'
export { memoryDecisions } from './decision.ts'
