export type { EvqaMetric, EvqaRow, EvqaScore, EvqaType } from './evqa.ts'
export { exactEvqa, f1Evqa, normalizeEvqa, readEvqa, scoreEvqa } from './evqa.ts'
export type { InfoSeekRow, InfoSeekScore, InfoSeekType, Prediction } from './infoseek.ts'
export {
  normalizeInfoSeek,
  readInfoSeek,
  readInfoSeekPredictions,
  scoreInfoSeek,
} from './infoseek.ts'
export type { OkVqaPrediction, OkVqaRow, OkVqaScore } from './okvqa.ts'
export {
  normalizeOkVqa,
  OKVQA_TYPES,
  okVqaAccuracy,
  readOkVqa,
  readOkVqaPredictions,
  scoreOkVqa,
} from './okvqa.ts'
export type { Quantity, Range } from './quantity-strict.ts'
export type { Mode } from './score-quantity.ts'
export { parseQuantity, scoreQuantity } from './score-quantity.ts'
export { bootstrapInterval, bootstrapShares } from './bootstrap.ts'
export type { TagTally, TaskOutcome } from './task-outcome.ts'
export type { Figure, FigureRow } from './figures.ts'
export { figureRows } from './figures.ts'
export { reportSvg } from './report-svg.ts'
export { reportTable } from './report-table.ts'
export type { BenchAnswer, BenchMode, BenchQuestion, JudgeCall, JudgeRequest } from './judge.ts'
export { answerBench, modelJudge } from './judge.ts'
export type {
  JudgeContext,
  JudgeRule,
  LlavaBenchOptions,
  Review,
  ReviewRow,
} from './llava-bench.ts'
export {
  firstLineScores,
  judgeContent,
  judgeLlavaBench,
  printReviewsStrictly,
  readJudgeContext,
  scoreReviews,
} from './llava-bench.ts'
export type { MmVetGrade, MmVetQuestion, MmVetScore } from './mm-vet.ts'
export { gradeMmVet, mmVetFile, mmVetPrompt, readMmVet, scoreMmVet } from './mm-vet.ts'
export type { SeedAnnotations, SeedQuestion, SeedScore } from './seed-bench.ts'
export { printSeed, readSeed, scoreSeed, seedPrompt, seedUpload } from './seed-bench.ts'
export {
  benchAnswersText,
  readBenchAnswers,
  readBenchQuestions,
  readJudgeContexts,
  readJudgeRules,
} from './bench-files.ts'
export type { EvqaJudged } from './evqa-judge.ts'
export { judgeEvqa, readEvqaPredictions } from './evqa-judge.ts'
export { JUDGE_RULES } from './judge-rules.ts'
