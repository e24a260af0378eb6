import { errorData, errorLine } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import type { LanguageModel } from '../llm/index.ts'

/** What a judge is asked. */
export interface JudgeRequest {
  readonly system: string
  readonly user: string
  readonly temperature: number
  readonly maxTokens: number
}

/** Whoever judges: a configured model, a person, a script. @throws whatever went wrong */
export type JudgeCall = (request: JudgeRequest, options?: Abortable) => Promise<string>

/** Any configured language model as a judge. */
export function modelJudge(model: LanguageModel): JudgeCall {
  return async ({ system, user, temperature, maxTokens }, options = {}) => {
    const reply = await model.generate(
      {
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
        ...{ temperature, maxTokens },
      },
      options,
    )
    return reply.text
  }
}

/** A question of a benchmark of open answers (llava-plus §8). */
export interface BenchQuestion {
  readonly id: string
  readonly image?: string
  readonly text: string
  readonly category: string
}

/** What was answered; an answer that failed says why and is judged by nobody. */
export interface BenchAnswer {
  readonly id: string
  readonly text: string
  readonly failed?: string
}

/** Plain chat, all results before the question, or skills when they are needed. */
export type BenchMode = 'plain' | 'all-tools' | 'fly'

/**
 * Answers of a system to every question, one after another; a failure is an answer that says so, so that the
 * others are still given.
 */
export async function answerBench(
  questions: readonly BenchQuestion[],
  answer: (question: BenchQuestion, options: Abortable) => Promise<string>,
  options: Abortable & { readonly onAnswer?: (answer: BenchAnswer) => void } = {},
): Promise<readonly BenchAnswer[]> {
  const { signal, onAnswer } = options
  const answers: BenchAnswer[] = []
  for (const question of questions) {
    signal?.throwIfAborted()
    const { id } = question
    const made = await answer(question, signal === undefined ? {} : { signal }).then(
      (text): BenchAnswer => ({ id, text }),
      (error: unknown): BenchAnswer => {
        signal?.throwIfAborted()
        return { id, text: '', failed: errorLine(errorData(error)) }
      },
    )
    answers.push(made)
    onAnswer?.(made)
  }
  return answers
}

/** A number as Python's `float` reads it; undefined where it would complain. */
export function pythonFloat(text: string): number | undefined {
  const plain = text.trim().replace(/(?<=\d)_(?=\d)/g, '')
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return Number(plain)
  const word = /^([+-]?)(inf(?:inity)?|nan)$/i.exec(plain)
  if (word === null) return undefined
  if (/nan/i.test(word[2] ?? '')) return NaN
  return word[1] === '-' ? -Infinity : Infinity
}
