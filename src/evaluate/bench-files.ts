import { expected } from '../base/index.ts'
import type { BenchAnswer, BenchQuestion } from './judge.ts'
import { inputFault, readJsonLines } from './infoseek.ts'
import { readJudgeContext } from './llava-bench.ts'
import type { JudgeContext, JudgeRule } from './llava-bench.ts'

type Row = Readonly<Record<string, unknown>>

/** Questions as LLaVA's benchmarks have them, a JSON line each. @throws UserFault `E_SCORE_INPUT` */
export function readBenchQuestions(file: string): readonly BenchQuestion[] {
  return readJsonLines(file, 'questions').map(({ value, line }) => ({
    ...{ id: field(value, 'question_id', line), text: field(value, 'text', line) },
    category: field(value, 'category', line),
    ...(typeof value['image'] === 'string' ? { image: value['image'] } : {}),
  }))
}

/** Answers `{"question_id", "text"}`, a JSON line each; `failed` says why there is none. */
export function readBenchAnswers(file: string): readonly BenchAnswer[] {
  return readJsonLines(file, 'answers').map(({ value, line }) => ({
    ...{ id: field(value, 'question_id', line), text: field(value, 'text', line, true) },
    ...(typeof value['failed'] === 'string' ? { failed: value['failed'] } : {}),
  }))
}

/** The same, written; keys as the published runners write them. */
export function benchAnswersText(
  questions: readonly BenchQuestion[],
  answers: readonly BenchAnswer[],
  model: string,
): string {
  const asked = new Map(questions.map(({ id, text }) => [id, text]))
  return answers
    .map(({ id, text, failed }) =>
      JSON.stringify({
        ...{ question_id: id, prompt: asked.get(id) ?? '', text, answer_id: id, model_id: model },
        ...{ metadata: {}, ...(failed === undefined ? {} : { failed }) },
      }),
    )
    .map((line) => `${line}\n`)
    .join('')
}

/** Contexts of the judge by picture. */
export function readJudgeContexts(file: string): ReadonlyMap<string, JudgeContext> {
  const lines = file.split(/\r?\n/).filter((line) => line.trim() !== '')
  return new Map(lines.map(readJudgeContext).map((one) => [one.image, one]))
}

/** A rule file: by category who answers and how to judge. @throws UserFault `E_SCORE_INPUT` */
export function readJudgeRules(json: unknown): Readonly<Record<string, JudgeRule>> {
  const rows = Object.entries((json ?? {}) as Readonly<Record<string, Row>>)
  for (const [category, { role, prompt }] of rows) {
    if (typeof role === 'string' && typeof prompt === 'string') continue
    throw inputFault(`rules: "${category}" needs the texts "role" and "prompt"`, { category })
  }
  return Object.fromEntries(
    rows.map(([name, { role, prompt }]) => [name, { role: String(role), prompt: String(prompt) }]),
  )
}

function field(value: Row, name: string, line: number, empty = false): string {
  const found = value[name]
  const good = typeof found === 'number' || (typeof found === 'string' && (empty || found !== ''))
  if (good) return String(found)
  throw inputFault(`line ${line}: ${expected('a text', name, found).message}`, {
    ...{ line, field: name },
  })
}
