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
