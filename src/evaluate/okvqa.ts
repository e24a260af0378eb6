import { bootstrapInterval } from './bootstrap.ts'
import { inputFault } from './infoseek.ts'
import { CONTRACTIONS, SMALL_NUMBERS } from './punctuation.ts'
import { round2 } from './round.ts'
import type { Mode } from './score-quantity.ts'

export interface OkVqaRow {
  readonly id: number
  readonly type: string
  /** Ten, as the annotators gave them. */
  readonly answers: readonly string[]
}

export interface OkVqaPrediction {
  readonly id: number
  readonly answer: string
}

export interface OkVqaScore {
  readonly mode: Mode
  readonly overall: number
  readonly interval: readonly [low: number, high: number]
  readonly byType: Readonly<Record<string, number>>
  readonly coverage: number
  readonly abstained: number
  readonly references: number
}

export const OKVQA_TYPES: Readonly<Record<string, string>> = {
  one: 'Vehicles and Transportation',
  two: 'Brands, Companies and Products',
  three: 'Objects, Material and Clothing',
  four: 'Sports and Recreation',
  five: 'Cooking and Food',
  six: 'Geography, History, Language and Culture',
  seven: 'People and Everyday Life',
  eight: 'Plants and Animals',
  nine: 'Science and Technology',
  ten: 'Weather and Climate',
  other: 'Other',
}

const MARKS = ';/[]"{}()=+\\_-><@`,?!'

/** An answer as the official scorer compares it. @source avis §15.2 (strict) */
export function normalizeOkVqa(text: string): string {
  return wordsOf(withoutMarks(text.replace(/[\n\t]/g, ' ').trim()))
}

function withoutMarks(text: string): string {
  const commaNumber = /\d,\d/.test(text)
  let out = text
  for (const mark of MARKS) {
    const touches = text.includes(`${mark} `) || text.includes(` ${mark}`) || commaNumber
    out = out.replaceAll(mark, touches ? '' : ' ')
  }
  // Each period not before a digit goes; the official code passes 32 as a count, not as a flag.
  let left = 32
  return out.replace(/\.(?!\d)/g, (dot) => (left-- > 0 ? '' : dot))
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => SMALL_NUMBERS[word] ?? word)
    .filter((word) => word !== 'a' && word !== 'an' && word !== 'the')
    .map((word) => (Object.hasOwn(CONTRACTIONS, word) ? (CONTRACTIONS[word] ?? word) : word))
    .join(' ')
}

/**
 * One question's accuracy, 0..100: over the ten answers, each left out in turn, a third for each other that
 * agrees, at most one.
 *
 * Strict keeps the quirk that ten equal answers are compared exactly.
 */
export function okVqaAccuracy(answer: string, references: readonly string[], mode: Mode): number {
  const plain = (text: string): string => text.replace(/[\n\t]/g, ' ').trim()
  const exact = mode === 'strict' && new Set(references.map(plain)).size === 1
  const read = exact ? plain : normalizeOkVqa
  const said = read(answer)
  const known = references.map(read)
  const sum = known.reduce((total, _, left) => {
    const others = known.filter((one, i) => i !== left && one === said).length
    return total + Math.min(1, others / 3)
  }, 0)
  return (100 * sum) / Math.max(1, known.length)
}

/**
 * OK-VQA's accuracy over all questions and for each type.
 *
 * @throws UserFault `E_SCORE_INPUT` in strict mode when the ids differ from the annotations'
 */
export function scoreOkVqa(
  rows: readonly OkVqaRow[],
  predictions: readonly OkVqaPrediction[],
  mode: Mode,
): OkVqaScore {
  const said = new Map(predictions.map(({ id, answer }) => [id, answer]))
  const ids = new Set(rows.map(({ id }) => id))
  const same = said.size === ids.size && [...said.keys()].every((id) => ids.has(id))
  if (mode === 'strict' && !same) {
    throw inputFault('The ids of the predictions are not those of the annotations.', {
      references: ids.size,
      predictions: said.size,
    })
  }
  const scores = rows.map(({ id, type, answers }) => {
    const answer = said.get(id)
    return { type, score: answer === undefined ? 0 : okVqaAccuracy(answer, answers, mode) }
  })
  const mean = (list: readonly { readonly score: number }[]): number =>
    list.length === 0 ? 0 : round2(list.reduce((sum, { score }) => sum + score, 0) / list.length)
  const types = [...new Set(scores.map(({ type }) => type))]
  const found = rows.filter(({ id }) => said.has(id)).length
  return {
    ...{ mode, overall: mean(scores), references: rows.length },
    interval: bootstrapInterval(scores.map(({ score }) => score)),
    byType: Object.fromEntries(
      types.map((type) => [type, mean(scores.filter((one) => one.type === type))]),
    ),
    coverage: round2((100 * found) / Math.max(1, rows.length)),
    abstained: predictions.filter(({ answer }) => /^(?:cannot be answered)?$/i.test(answer.trim()))
      .length,
  }
}

/** `mscoco_*2014_annotations.json`. @throws UserFault `E_SCORE_INPUT` */
export function readOkVqa(
  file: string,
  options: { readonly answers?: 'answer' | 'raw_answer' } = {},
): readonly OkVqaRow[] {
  const { answers: name = 'answer' } = options
  const list = (readJson(file, 'annotations') as { readonly annotations?: unknown }).annotations
  if (!Array.isArray(list)) throw inputFault('annotations: the list "annotations" is missing', {})
  return list.map((one: Readonly<Record<string, unknown>>, i) => {
    const answers = one['answers']
    const id = one['question_id']
    if (typeof id !== 'number' || !Array.isArray(answers)) {
      throw inputFault(`annotations, item ${i + 1}: question_id or answers is missing`, {
        item: i + 1,
      })
    }
    const texts = answers.map((answer: Readonly<Record<string, unknown>>) => String(answer[name]))
    return { id, type: String(one['question_type'] ?? 'other'), answers: texts }
  })
}

/** `[{"question_id", "answer"}]`. @throws UserFault `E_SCORE_INPUT` */
export function readOkVqaPredictions(file: string): readonly OkVqaPrediction[] {
  const list = readJson(file, 'predictions')
  if (!Array.isArray(list)) throw inputFault('predictions: expected a list', {})
  return list.map((one: Readonly<Record<string, unknown>>, i) => {
    const { question_id: id, answer } = one
    if (typeof id !== 'number' || typeof answer !== 'string') {
      throw inputFault(`predictions, item ${i + 1}: question_id or answer is missing`, {
        item: i + 1,
      })
    }
    return { id, answer }
  })
}

function readJson(file: string, name: string): unknown {
  try {
    return JSON.parse(file)
  } catch (cause) {
    throw inputFault(`${name}: this is not JSON (${(cause as Error).message})`, { file: name })
  }
}
