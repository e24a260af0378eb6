import type { Abortable } from '../base/index.ts'
import {
  judgeEvqa,
  OKVQA_TYPES,
  readEvqa,
  readEvqaPredictions,
  readInfoSeek,
  readInfoSeekPredictions,
  readOkVqa,
  readOkVqaPredictions,
  scoreEvqa,
  scoreInfoSeek,
  scoreOkVqa,
} from '../evaluate/index.ts'
import type { JudgeCall } from '../evaluate/index.ts'
import { benchFile } from './bench-report.ts'
import type { BenchFigure, BenchReport } from './bench-report.ts'

export type ScoreMode = 'strict' | 'sane'

/** Files of InfoSeek: predictions, references with their splits, and the types of the questions. */
export interface InfoSeekRequest {
  readonly predictions: string
  readonly references: string
  readonly types: string
  readonly mode: ScoreMode
}

/** @source avis §15.1 */
export async function infoSeekReport(request: InfoSeekRequest): Promise<BenchReport> {
  const [predictions, references, types] = await Promise.all(
    [request.predictions, request.references, request.types].map(benchFile),
  )
  const rows = readInfoSeek(references ?? '', types ?? '')
  const score = scoreInfoSeek(rows, readInfoSeekPredictions(predictions ?? ''), request.mode)
  return {
    ...{ bench: `InfoSeek, ${score.mode}`, coverage: score.coverage, failed: [] },
    questions: score.references,
    figures: [
      { name: 'unseen question', value: score.unseenQuestion },
      { name: 'unseen entity', value: score.unseenEntity },
      { name: 'final (harmonic mean)', value: score.final },
      ...typed(score.byType),
    ],
    notes: [
      `95 % of all questions together: ${score.interval[0]} … ${score.interval[1]}.`,
      ...abstained(score.abstained),
      ...score.quirks,
    ],
  }
}

export interface OkVqaRequest {
  readonly predictions: string
  readonly annotations: string
  readonly mode: ScoreMode
  /** Against `raw_answer` instead of `answer`. */
  readonly raw: boolean
}

/** @source avis §15.2 */
export async function okVqaReport(request: OkVqaRequest): Promise<BenchReport> {
  const [predictions, annotations] = await Promise.all(
    [request.predictions, request.annotations].map(benchFile),
  )
  const rows = readOkVqa(annotations ?? '', { answers: request.raw ? 'raw_answer' : 'answer' })
  const score = scoreOkVqa(rows, readOkVqaPredictions(predictions ?? ''), request.mode)
  return {
    ...{ bench: `OK-VQA, ${score.mode}`, coverage: score.coverage, failed: [] },
    questions: score.references,
    figures: [
      { name: 'all', value: score.overall, interval: score.interval },
      ...Object.entries(score.byType).map(([type, value]) => ({
        ...{ name: OKVQA_TYPES[type] ?? type, value },
      })),
    ],
    notes: [
      ...abstained(score.abstained),
      ...(request.raw ? ['Scored against raw_answer: not comparable with published figures.'] : []),
    ],
  }
}

export interface EvqaRequest {
  readonly predictions: string
  readonly questions: string
  /** Who judges whether two answers mean the same; left out: no such figure. */
  readonly judge?: { readonly name: string; readonly call: JudgeCall } | undefined
}

/** @source avis §15.3 */
export async function evqaReport(
  request: EvqaRequest,
  options: Abortable = {},
): Promise<BenchReport> {
  const [predictions, questions] = await Promise.all(
    [request.predictions, request.questions].map(benchFile),
  )
  const rows = readEvqa(questions ?? '')
  const said = readEvqaPredictions(predictions ?? '', rows.length)
  const [exact, tokens] = [scoreEvqa(rows, said, 'evqa-em'), scoreEvqa(rows, said, 'evqa-f1')]
  const { judge } = request
  const judged =
    judge === undefined ? undefined : await judgeEvqa(rows, said, { judge: judge.call, ...options })
  return {
    ...{ bench: 'E-VQA', coverage: exact.coverage, questions: exact.references },
    ...(judge === undefined ? {} : { judge: judge.name }),
    figures: [
      { name: 'evqa-em', value: exact.accuracy, interval: exact.interval },
      { name: 'evqa-f1', value: tokens.accuracy, interval: tokens.interval },
      ...(judged === undefined
        ? []
        : [{ name: 'evqa-judge', value: judged.accuracy, n: judged.judged }]),
      ...typed(exact.byType, 'evqa-em '),
    ],
    failed: (judged?.failed ?? []).map(({ row, reason }) => ({ id: String(row), reason })),
    notes: [
      ...abstained(exact.abstained),
      'None of these is BEM: they are not comparable with figures scored by BEM.',
    ],
  }
}

function typed(scores: Readonly<Record<string, number>>, prefix = ''): readonly BenchFigure[] {
  return Object.entries(scores).map(([name, value]) => ({ name: `${prefix}${name}`, value }))
}

const abstained = (count: number): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? 'answer says' : 'answers say'} that there is none.`]
