import { bootstrapInterval } from './bootstrap.ts'
import { inputFault } from './infoseek.ts'
import { ASCII_PUNCTUATION, CONTRACTIONS, SMALL_NUMBERS } from './punctuation.ts'
import { round2 } from './round.ts'

export type EvqaType = 'templated' | 'automatic' | 'multi_answer' | '2_hop'

export interface EvqaRow {
  readonly question: string
  /** Annotators by `|`, parts of a multi-answer by `&&`. */
  readonly answer: string
  readonly type: EvqaType
}

/** `evqa-em` is the strict port of the exact part; neither is BEM, nor compared with BEM numbers. */
export type EvqaMetric = 'evqa-em' | 'evqa-f1'

export interface EvqaScore {
  readonly metric: EvqaMetric
  readonly accuracy: number
  readonly interval: readonly [low: number, high: number]
  readonly byType: Readonly<Partial<Record<EvqaType, number>>>
  readonly coverage: number
  readonly abstained: number
  readonly references: number
}

const WORDS: Readonly<Record<string, string>> = {
  ...SMALL_NUMBERS,
  ...{ true: 'yes', entailment: 'yes', false: 'no', contradiction: 'no' },
}

/** An answer as Encyclopedic-VQA compares it. @source avis §15.3 */
export function normalizeEvqa(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\n\t]/g, ' ')
    .trim()
    .replace(/^<extra_id_0> /, '')
    .replace(ASCII_PUNCTUATION, '')
    .replace(/[‘’´]/g, '')
    .replace(/\b(?:the answer is|a|an|the)\b/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => WORDS[word] ?? word)
    .map((word) => (Object.hasOwn(CONTRACTIONS, word) ? (CONTRACTIONS[word] ?? word) : word))
    .join(' ')
}

/**
 * Whether a candidate is exactly one of the references; a multi-answer by half of both sets.
 *
 * @throws UserFault `E_SCORE_INPUT` for a reference that normalises to nothing
 */
export function exactEvqa(candidate: string, answer: string, type: EvqaType): boolean {
  return answer.split('|').some((reference) => {
    if (type === 'multi_answer') return setOverlap(candidate, reference) >= 0.5
    return normalizeEvqa(candidate) === referenceText(reference)
  })
}

function referenceText(reference: string): string {
  const text = normalizeEvqa(reference)
  if (text === '')
    throw inputFault(`A reference is empty after normalisation: "${reference}".`, { reference })
  return text
}

function setOverlap(candidate: string, reference: string): number {
  const wanted = new Set(reference.split('&&').map(referenceText))
  const listed = candidate.replaceAll(' and ', ',').replaceAll(' & ', ',').split(',')
  const given = new Set(listed.map(normalizeEvqa).filter((one) => one !== ''))
  const both = [...given].filter((one) => wanted.has(one)).length
  return both / (given.size + wanted.size - both)
}

/** The best token F1 against a reference, 0..1. */
export function f1Evqa(candidate: string, answer: string): number {
  const said = normalizeEvqa(candidate)
    .split(' ')
    .filter((one) => one !== '')
  const scores = answer.split('|').map((reference) => {
    const wanted = normalizeEvqa(reference.replaceAll('&&', ' '))
      .split(' ')
      .filter((one) => one !== '')
    const left = [...wanted]
    const common = said.filter((word) => {
      const at = left.indexOf(word)
      if (at === -1) return false
      left.splice(at, 1)
      return true
    }).length
    return common === 0 ? 0 : (2 * common) / (said.length + wanted.length)
  })
  return Math.max(0, ...scores)
}

/** Accuracy over rows; a row without a prediction is wrong and lowers the coverage. */
export function scoreEvqa(
  rows: readonly EvqaRow[],
  predictions: readonly (string | undefined)[],
  metric: EvqaMetric,
): EvqaScore {
  const scores = rows.map((row, i) => {
    const said = predictions[i]
    if (said === undefined) return { type: row.type, score: 0 }
    const score =
      metric === 'evqa-em'
        ? Number(exactEvqa(said, row.answer, row.type))
        : f1Evqa(said, row.answer)
    return { type: row.type, score: 100 * score }
  })
  const mean = (list: readonly { readonly score: number }[]): number =>
    list.length === 0 ? 0 : round2(list.reduce((sum, { score }) => sum + score, 0) / list.length)
  const given = predictions.slice(0, rows.length).filter((one) => one !== undefined)
  const types = [...new Set(scores.map(({ type }) => type))]
  return {
    ...{ metric, accuracy: mean(scores), references: rows.length },
    interval: bootstrapInterval(scores.map(({ score }) => score)),
    byType: Object.fromEntries(
      types.map((type) => [type, mean(scores.filter((one) => one.type === type))]),
    ),
    coverage: round2((100 * given.length) / Math.max(1, rows.length)),
    abstained: given.filter((one) => /^(?:cannot be answered)?$/i.test(one.trim())).length,
  }
}

/** `train|val|test.csv` with a header line. @throws UserFault `E_SCORE_INPUT` */
export function readEvqa(file: string): readonly EvqaRow[] {
  const [header = [], ...lines] = readCsv(file)
  const place = (name: string): number => {
    const at = header.indexOf(name)
    if (at === -1) throw inputFault(`The column "${name}" is missing.`, { field: name })
    return at
  }
  const [question, answer, type] = [place('question'), place('answer'), place('question_type')]
  return lines.map((cells, i) => {
    const kind = cells[type] ?? ''
    if (!['templated', 'automatic', 'multi_answer', '2_hop'].includes(kind)) {
      throw inputFault(`line ${i + 2}: "${kind}" is no question type`, {
        line: i + 2,
        field: 'question_type',
      })
    }
    return { question: cells[question] ?? '', answer: cells[answer] ?? '', type: kind as EvqaType }
  })
}

/** Rows of a CSV: quoted cells may hold commas, doubled quotes and line breaks. */
export function readCsv(file: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const endCell = (): void => {
    row.push(cell)
    cell = ''
  }
  const endRow = (): void => {
    endCell()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  for (let i = 0; i < file.length; i++) {
    const letter = file[i]
    if (quoted) {
      if (letter === '"' && file[i + 1] === '"') cell += file[++i] ?? ''
      else if (letter === '"') quoted = false
      else cell += letter
    } else if (letter === '"') quoted = true
    else if (letter === ',') endCell()
    else if (letter === '\n') endRow()
    else if (letter !== '\r') cell += letter
  }
  if (cell !== '' || row.length > 0) endRow()
  return rows
}
