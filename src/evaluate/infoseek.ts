import { expected, UserFault } from '../base/index.ts'
import { bootstrapInterval } from './bootstrap.ts'
import { ASCII_PUNCTUATION } from './punctuation.ts'
import { round2 } from './round.ts'
import { parseQuantity, scoreQuantity } from './score-quantity.ts'
import type { Mode } from './score-quantity.ts'
import type { Quantity } from './quantity-strict.ts'

export type InfoSeekType = 'string' | 'numerical' | 'time'

export interface InfoSeekRow {
  readonly id: string
  readonly split: string
  readonly type: InfoSeekType
  /** Accepted texts, for String and Time. */
  readonly answers: readonly string[]
  /** For Numerical. */
  readonly range?: Quantity
}

export interface Prediction {
  readonly id: string
  readonly prediction: string
}

export interface InfoSeekScore {
  readonly mode: Mode
  readonly unseenQuestion: number
  readonly unseenEntity: number
  /** Harmonic mean of both. */
  readonly final: number
  readonly interval: readonly [low: number, high: number]
  /** Share of the references that have a prediction, 0..100. */
  readonly coverage: number
  readonly abstained: number
  readonly references: number
  readonly predictions: number
  readonly byType: Readonly<Partial<Record<InfoSeekType, number>>>
  /** What the official code counts otherwise than a careful reader would. */
  readonly quirks: readonly string[]
}

/**
 * A text as InfoSeek compares it: lower case, no punctuation, no articles, single blanks.
 *
 * @source avis §15.1 (normalise)
 */
export function normalizeInfoSeek(text: string, mode: Mode = 'strict'): string {
  const plain = mode === 'sane' ? plainQuotes(text.normalize('NFKC')) : text
  return plain
    .toLowerCase()
    .replace(ASCII_PUNCTUATION, '')
    .replace(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, ' ')
    .split(/[\s\u001c-\u001f\u0085]+/)
    .filter((word) => word !== '')
    .join(' ')
}

const plainQuotes = (text: string): string =>
  text
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .replace(/[‐‑‒–—−]/g, '-')

/** What the systems of the field write when they give no answer. */
export function isAbstention(prediction: string): boolean {
  return /^(?:cannot be answered|unknown|i do(?: not|n't) know|)$/i.test(prediction.trim())
}

/**
 * InfoSeek's accuracy: by split, harmonic mean of both, coverage beside it.
 *
 * Strict keeps the official behaviour (a missing prediction is not counted wrong). Sane counts it wrong, and
 * refuses duplicates and unknown ids.
 *
 * @throws UserFault `E_SCORE_INPUT` in sane mode
 */
export function scoreInfoSeek(
  rows: readonly InfoSeekRow[],
  predictions: readonly Prediction[],
  mode: Mode,
): InfoSeekScore {
  const byId = new Map(rows.map((row) => [row.id, row]))
  if (mode === 'sane') checkPredictions(byId, predictions)
  const given = predictions.filter(({ id }) => byId.has(id))
  const said = new Map(given.map((one) => [one.id, one.prediction]))
  const judged =
    mode === 'strict'
      ? given.flatMap(({ id, prediction }) => judge(byId.get(id), prediction, mode))
      : rows.flatMap((row) => judge(row, said.get(row.id), mode))
  const split = (name: 'question' | 'entity') =>
    judged.filter(({ row }) => row.split.endsWith('unseen_question') === (name === 'question'))
  const unseenQuestion = share(split('question'))
  const unseenEntity = share(split('entity'))
  const types = ['string', 'numerical', 'time'] as const
  return {
    ...{ mode, unseenQuestion, unseenEntity, final: harmonic(unseenQuestion, unseenEntity) },
    interval: bootstrapInterval(judged.map(({ right }) => Number(right) * 100)),
    coverage: round2((100 * said.size) / Math.max(1, rows.length)),
    abstained: given.filter(({ prediction }) => isAbstention(prediction)).length,
    ...{ references: rows.length, predictions: predictions.length },
    byType: Object.fromEntries(
      types.flatMap((type) => {
        const some = judged.filter(({ row }) => row.type === type)
        return some.length === 0 ? [] : [[type, share(some)]]
      }),
    ),
    quirks: mode === 'strict' ? quirksOf(rows, predictions, byId) : [],
  }
}

interface Judged {
  readonly row: InfoSeekRow
  readonly right: boolean
}

function judge(row: InfoSeekRow | undefined, said: string | undefined, mode: Mode): Judged[] {
  if (row === undefined) return []
  if (said === undefined || (mode === 'sane' && said.trim() === '')) return [{ row, right: false }]
  if (row.type === 'numerical') {
    const range = row.range ?? [0, 0]
    return [{ row, right: scoreQuantity(parseQuantity(said, mode), range, mode) }]
  }
  const text = normalizeInfoSeek(said, mode)
  const right = row.answers.some((answer) => normalizeInfoSeek(answer, mode) === text)
  return [{ row, right: right || (mode === 'sane' && row.type === 'time' && sameYear(said, row)) }]
}

/** A reference that is a bare year is met by a prediction whose only four-digit year equals it. */
function sameYear(said: string, { answers }: InfoSeekRow): boolean {
  const years = said.match(/(?<!\d)\d{4}(?!\d)/g) ?? []
  return (
    years.length === 1 &&
    answers.some((one) => /^\s*\d{4}\s*$/.test(one) && one.trim() === years[0])
  )
}

const share = (judged: readonly Judged[]): number =>
  judged.length === 0
    ? 0
    : round2((judged.filter(({ right }) => right).length / judged.length) * 100)

/** 2ab / (a + b), a zero taken as almost zero, at two decimals. */
export function harmonic(a: number, b: number): number {
  const [x, y] = [a === 0 ? 1e-12 : a, b === 0 ? 1e-12 : b]
  return round2((2 * x * y) / (x + y))
}

function quirksOf(
  rows: readonly InfoSeekRow[],
  predictions: readonly Prediction[],
  byId: ReadonlyMap<string, InfoSeekRow>,
): readonly string[] {
  const ids = predictions.map(({ id }) => id)
  const missing = rows.filter(({ id }) => !ids.includes(id)).length
  const twice = ids.length - new Set(ids).size
  const unknown = ids.filter((id) => !byId.has(id)).length
  return [
    ...(missing > 0 ? [`${missing} references have no prediction and are not counted`] : []),
    ...(twice > 0 ? [`${twice} predictions are given again and count again`] : []),
    ...(unknown > 0 ? [`${unknown} predictions have no reference and vanish`] : []),
  ]
}

function checkPredictions(
  byId: ReadonlyMap<string, InfoSeekRow>,
  predictions: readonly Prediction[],
): void {
  const seen = new Set<string>()
  for (const [i, { id }] of predictions.entries()) {
    const line = i + 1
    if (!byId.has(id))
      throw inputFault(`prediction ${line}: no reference has the id "${id}"`, { line, id })
    if (seen.has(id))
      throw inputFault(`prediction ${line}: the id "${id}" is given twice`, { line, id })
    seen.add(id)
  }
}

export function inputFault(message: string, fields: Readonly<Record<string, unknown>>): UserFault {
  return new UserFault('E_SCORE_INPUT', message, { fields })
}

/** Rows of `infoseek_*.jsonl`, with the types of `infoseek_val_qtype.jsonl`. @throws UserFault `E_SCORE_INPUT` */
export function readInfoSeek(references: string, types: string): readonly InfoSeekRow[] {
  const typeOf = new Map(
    readJsonLines(types, 'types').map(({ value }) => [
      text(value, 'data_id'),
      text(value, 'question_type').toLowerCase(),
    ]),
  )
  return readJsonLines(references, 'references').map(({ value, line }) => {
    const id = text(value, 'data_id')
    const split = text(value, 'data_split')
    const kind = typeOf.get(id) ?? ''
    const type: InfoSeekType = kind === 'time' || kind === 'numerical' ? kind : 'string'
    const evaluated = value['answer_eval']
    if (type !== 'numerical') {
      if (!Array.isArray(evaluated))
        throw fieldFault('references', line, 'answer_eval', 'a list', evaluated)
      return { id, split, type, answers: evaluated.map(String) }
    }
    const first: unknown = Array.isArray(evaluated) ? evaluated[0] : evaluated
    const range = (first as { readonly range?: unknown } | undefined)?.range
    if (!Array.isArray(range) || range.length < 1) {
      throw fieldFault('references', line, 'answer_eval.range', 'a list of numbers', range)
    }
    const [a, b] = range.map(Number)
    return { id, split, type, answers: [], range: b === undefined ? (a ?? 0) : [a ?? 0, b] }
  })
}

/** Lines `{"data_id", "prediction"}`. @throws UserFault `E_SCORE_INPUT` with file, line and field */
export function readInfoSeekPredictions(file: string): readonly Prediction[] {
  return readJsonLines(file, 'predictions').map(({ value }) => ({
    id: text(value, 'data_id'),
    prediction: text(value, 'prediction'),
  }))
}

export function readJsonLines(
  file: string,
  name: string,
): readonly { readonly value: Readonly<Record<string, unknown>>; readonly line: number }[] {
  return file.split(/\r?\n/).flatMap((raw, i) => {
    if (raw.trim() === '') return []
    try {
      const value: unknown = JSON.parse(raw)
      if (typeof value === 'object' && value !== null) {
        return [{ value: value as Record<string, unknown>, line: i + 1 }]
      }
    } catch {
      // Told below, with its place.
    }
    throw inputFault(`${name}, line ${i + 1}: this is not a JSON object`, {
      file: name,
      line: i + 1,
    })
  })
}

function text(value: Readonly<Record<string, unknown>>, name: string): string {
  const found = value[name]
  if (typeof found === 'string' || typeof found === 'number') return String(found)
  throw inputFault(expected('a text', name, found).message, { field: name })
}

function fieldFault(file: string, line: number, field: string, what: string, got: unknown) {
  return inputFault(`${file}, line ${line}: ${expected(what, field, got).message}`, {
    file,
    line,
    field,
  })
}
