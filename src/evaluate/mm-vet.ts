import { errorData, errorLine } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import { pythonFloat } from './judge.ts'
import type { BenchAnswer, JudgeCall } from './judge.ts'

/** A question of MM-Vet; `<AND>` and `<OR>` in the answer join what must, or may, be said. */
export interface MmVetQuestion {
  readonly id: string
  readonly question: string
  readonly answer: string
  /** rec, ocr, know, gen, spat, math. */
  readonly capabilities: readonly string[]
  readonly image: string
}

/** The annotation file: an object of questions by id. */
export function readMmVet(json: unknown): readonly MmVetQuestion[] {
  return Object.entries(
    (json ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ).map(([id, row]) => ({
    ...{ id, question: String(row['question']), answer: String(row['answer']) },
    capabilities: Array.isArray(row['capability']) ? row['capability'].map(String) : [],
    image: String(row['imagename'] ?? ''),
  }))
}

/** Answers in the form that the grader's page takes: `{"v1_17": …}`, indented by four. */
export function mmVetFile(
  answers: readonly { readonly id: string; readonly text: string }[],
): string {
  const text = JSON.stringify(
    Object.fromEntries(answers.map((one) => [`v1_${one.id}`, one.text])),
    null,
    4,
  )
  return text
    .replace(/^ +/gm, (spaces) => ' '.repeat(spaces.length / 2))
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const EXAMPLES: readonly (readonly [string, string, string, string])[] = [
  ['What is x in the equation?', '-1 <AND> -5', 'x = 3', '0.0'],
  ['What is x in the equation?', '-1 <AND> -5', 'x = -1', '0.5'],
  ['What is x in the equation?', '-1 <AND> -5', 'x = -1 or x = -5', '1.0'],
  [
    'Which animal is on the flag?',
    'an eagle <OR> a bald eagle',
    'It is a bird, maybe an eagle.',
    '0.7',
  ],
]

/** A cell of the table: what would end it is written so that it cannot. */
const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '/')

/**
 * What the grader is asked: our own examples, then the row to be scored. Bars and line ends in a prediction are
 * replaced, since they would forge a score; the published script sends them as they are.
 */
export function mmVetPrompt({ question, answer }: MmVetQuestion, prediction: string): string {
  const rows = EXAMPLES.map((row) => row.map(cell).join(' | '))
  return [
    'Compare the ground truth and prediction from AI models, to give a correctness score from 0.0 (totally wrong) to 1.0 (totally right). <AND> means that all parts are needed, <OR> that any one will do. Answer with the score alone, in the last column.',
    '',
    'Question | Ground truth | Prediction | Correctness',
    '--- | --- | --- | ---',
    ...rows,
    `${cell(question)} | ${cell(answer)} | ${cell(prediction)} | `,
  ].join('\n')
}

/** A grade of one run; undefined when no try gave a number from 0 to 1. */
export interface MmVetGrade {
  readonly id: string
  readonly scores: readonly (number | undefined)[]
  readonly failed?: string
}

const TRIES = 6

/** Grades each answer in some runs. The first word of a reply is the score; five more tries, each warmer. */
export async function gradeMmVet(
  questions: readonly MmVetQuestion[],
  answers: readonly BenchAnswer[],
  options: Abortable & { readonly judge: JudgeCall; readonly runs?: number },
): Promise<readonly MmVetGrade[]> {
  const { judge, runs = 1, signal } = options
  const byId = new Map(answers.map((one) => [one.id, one]))
  const grades: MmVetGrade[] = []
  for (const question of questions) {
    const answer = byId.get(question.id)
    const missing = answer === undefined ? 'it was not answered' : answer.failed
    if (answer === undefined || missing !== undefined) {
      const scores = Array.from({ length: runs }, () => undefined)
      grades.push({ id: question.id, scores, failed: missing ?? '' })
      continue
    }
    const scores: (number | undefined)[] = []
    let failed: string | undefined
    for (let run = 0; run < runs; run++) {
      signal?.throwIfAborted()
      const graded = await gradeOnce(mmVetPrompt(question, answer.text), judge, signal)
      if ('failed' in graded) failed = graded.failed
      scores.push('score' in graded ? graded.score : undefined)
    }
    grades.push({ id: question.id, scores, ...(failed === undefined ? {} : { failed }) })
  }
  return grades
}

async function gradeOnce(
  user: string,
  judge: JudgeCall,
  signal: AbortSignal | undefined,
): Promise<{ readonly score: number } | { readonly failed: string }> {
  let failed = 'no reply began with a number from 0 to 1'
  for (let i = 0; i < TRIES; i++) {
    const call = { system: '', user, temperature: 0.5 * i, maxTokens: 3 }
    try {
      const reply = await judge(call, signal === undefined ? {} : { signal })
      const score = pythonFloat(reply.trim().split(/\s+/)[0] ?? '')
      if (score !== undefined && score >= 0 && score <= 1) return { score }
    } catch (error) {
      signal?.throwIfAborted()
      failed = errorLine(errorData(error))
    }
  }
  return { failed }
}

export interface MmVetScore {
  /** By capability and `total`: mean over runs in percent, and its standard deviation over runs. */
  readonly rows: readonly {
    readonly name: string
    readonly mean: number
    readonly std: number
    readonly n: number
  }[]
  /** Questions without a grade in any run; they are in no mean. */
  readonly failed: number
  /** The total with failed ones as 0, as published. */
  readonly strict: number
}

export function scoreMmVet(
  questions: readonly MmVetQuestion[],
  grades: readonly MmVetGrade[],
): MmVetScore {
  const byId = new Map(grades.map((one) => [one.id, one.scores]))
  const runs = Math.max(0, ...grades.map(({ scores }) => scores.length))
  const combinations = questions.map(({ capabilities }) => capabilities.toSorted().join('+'))
  const names = [
    ...new Set([...questions.flatMap(({ capabilities }) => capabilities), ...combinations]),
  ]
  const row = (name: string, list: readonly MmVetQuestion[]) => {
    const means = Array.from({ length: runs }, (_, run) => {
      const scores = list.flatMap(({ id }) => byId.get(id)?.[run] ?? [])
      return scores.length === 0 ? [] : [scores.reduce((a, b) => a + b, 0) / scores.length]
    }).flat()
    const mean = means.reduce((a, b) => a + b, 0) / Math.max(1, means.length)
    const spread =
      means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, means.length)
    return { name, mean: 100 * mean, std: 100 * Math.sqrt(spread), n: list.length }
  }
  const graded = (id: string): boolean =>
    byId.get(id)?.some((score) => score !== undefined) === true
  const firsts = questions.map(({ id }) => byId.get(id)?.[0] ?? 0)
  return {
    rows: [
      ...names.map((name) =>
        row(
          name,
          questions.filter(
            ({ capabilities }, i) => capabilities.includes(name) || combinations[i] === name,
          ),
        ),
      ),
      row('total', questions),
    ],
    failed: questions.filter(({ id }) => !graded(id)).length,
    strict: (100 * firsts.reduce((a, b) => a + b, 0)) / Math.max(1, firsts.length),
  }
}
