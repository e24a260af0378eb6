import { errorData, errorLine, expected } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import { isDict, isList, pythonRepr, readPython } from '../tools/index.ts'
import type { PythonValue } from '../tools/index.ts'
import { bootstrapShares } from './bootstrap.ts'
import { pythonFloat } from './judge.ts'
import type { BenchAnswer, BenchQuestion, JudgeCall } from './judge.ts'

/** What the judge is told of the picture, which it does not see. */
export interface JudgeContext {
  readonly captions: readonly string[]
  /** COCO: category and box of each thing, numbers spelt as in the file. */
  readonly instances?: readonly { readonly category: string; readonly box: PythonValue }[]
}

/** Who answers, as the judge is told, and by what to judge; by category, from the user's rule file. */
export interface JudgeRule {
  readonly role: string
  readonly prompt: string
}

const SYSTEM = 'You are a helpful and precise assistant for checking the quality of the answer.'

/** One line of a context file: `{image, caption}` or COCO's `{id, image, captions, instances}`. */
export function readJudgeContext(line: string): JudgeContext & { readonly image: string } {
  const row = readPython(line)
  if (!isDict(row)) throw expected('an object', 'context', line.slice(0, 60))
  const text = (value: PythonValue | undefined): string => (typeof value === 'string' ? value : '')
  const captions = row.get('captions') ?? row.get('caption')
  const instances = row.get('instances')
  return {
    image: text(row.get('image')),
    captions: isList(captions) ? captions.map(text) : [text(captions)],
    ...(isList(instances)
      ? {
          instances: instances.filter(isDict).map((one) => ({
            category: text(one.get('category')),
            box: one.get('bbox') ?? [],
          })),
        }
      : {}),
  }
}

/** The whole message to the judge. @source llava-plus §8.1 (golden `judge_content`) */
export function judgeContent(
  context: JudgeContext,
  question: string,
  answers: readonly [reference: string, candidate: string],
  { role, prompt }: JudgeRule,
): string {
  const boxes = (context.instances ?? []).map(
    ({ category, box }) => `${category}: ${pythonRepr(box)}`,
  )
  const seen = [context.captions.join('\n'), ...(boxes.length === 0 ? [] : [boxes.join('\n')])]
  const parts = [
    `[Context]\n${seen.join('\n\n')}`,
    `[Question]\n${question}`,
    ...answers.flatMap((answer, i) => [
      `[${role} ${i + 1}]\n${answer}`,
      `[End of ${role} ${i + 1}]`,
    ]),
    `[System]\n${prompt}`,
  ]
  return `${parts.join('\n\n')}\n\n`
}

/** The two scores of a review's first line; undefined where the reference writes -1, -1. */
export function firstLineScores(review: string): readonly [number, number] | undefined {
  const parts = (review.split('\n')[0] ?? '').replaceAll(',', ' ').split(' ')
  const scores = parts.map(pythonFloat)
  const [a, b] = scores
  return parts.length === 2 && a !== undefined && b !== undefined ? [a, b] : undefined
}

export interface Review {
  readonly id: string
  readonly category: string
  /** Reference and candidate; undefined when the judgement failed. */
  readonly scores?: readonly [reference: number, candidate: number]
  readonly text: string
  /** Why there are no scores. */
  readonly failed?: string
}

export interface LlavaBenchOptions extends Abortable {
  readonly judge: JudgeCall
  readonly rules: Readonly<Record<string, JudgeRule>>
  /** Prefix of categories in the rule file, as `llava_bench_` of In-the-Wild. */
  readonly prefix?: string
  /** Also with the answers in the other order; the mean of both counts (position bias). */
  readonly swap?: boolean
  readonly onReview?: (review: Review) => void
}

/**
 * Judges candidate answers against references, question by question. Ids are matched, never line numbers; a
 * judgement that failed is a review that says so.
 *
 * @throws UserFault `E_ARGUMENT` when a question lacks its reference, context or rule
 */
export async function judgeLlavaBench(
  bench: {
    readonly questions: readonly BenchQuestion[]
    readonly contexts: ReadonlyMap<string, JudgeContext>
    readonly references: ReadonlyMap<string, string>
    readonly candidates: readonly BenchAnswer[]
  },
  options: LlavaBenchOptions,
): Promise<readonly Review[]> {
  const { rules, prefix = '', onReview, signal } = options
  const answers = new Map(bench.candidates.map((one) => [one.id, one]))
  const reviews: Review[] = []
  for (const question of bench.questions) {
    signal?.throwIfAborted()
    const { id, image = '' } = question
    const category = `${prefix}${question.category}`
    const given = {
      ...{ rule: rules[category], context: bench.contexts.get(image) },
      reference: bench.references.get(id),
    }
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined) throw expected(`a ${name} of question ${id}`, name, undefined)
    }
    const answer = answers.get(id)
    const review =
      answer === undefined || answer.failed !== undefined
        ? { id, category, text: '', failed: answer?.failed ?? 'it was not answered' }
        : await reviewOf({ ...question, category }, answer.text, given as Given, options)
    reviews.push(review)
    onReview?.(review)
  }
  return reviews
}

interface Given {
  readonly rule: JudgeRule
  readonly context: JudgeContext
  readonly reference: string
}

async function reviewOf(
  { id, category, text: question }: BenchQuestion,
  candidate: string,
  { rule, context, reference }: Given,
  { judge, swap = false, signal }: LlavaBenchOptions,
): Promise<Review> {
  const ask = async (answers: readonly [string, string]) => {
    const user = judgeContent(context, question, answers, rule)
    const call = { system: SYSTEM, user, temperature: 0.2, maxTokens: 1024 }
    const text = await judge(call, signal === undefined ? {} : { signal })
    return { text, scores: firstLineScores(text) }
  }
  try {
    const first = await ask([reference, candidate])
    const other = swap ? await ask([candidate, reference]) : undefined
    const [a, b] = [first.scores, other?.scores]
    if (a === undefined || (swap && b === undefined)) {
      const failed = 'the first line of the review is not two numbers'
      return { id, category, text: first.text, failed }
    }
    const mean: readonly [number, number] =
      b === undefined ? a : [(a[0] + b[1]) / 2, (a[1] + b[0]) / 2]
    return { id, category, text: first.text, scores: mean }
  } catch (error) {
    signal?.throwIfAborted()
    return { id, category, text: '', failed: errorLine(errorData(error)) }
  }
}

/** Figures of one category, all times ten but the relative one. */
export interface ReviewRow {
  readonly category: string
  readonly questions: number
  readonly failed: number
  /** Candidate relative to reference, in percent; failed judgements left out. */
  readonly relative: number
  readonly interval: readonly [low: number, high: number]
  readonly reference: number
  readonly candidate: number
}

/** Scores by category and for all; failed judgements are counted and never averaged in. */
export function scoreReviews(reviews: readonly Review[]): readonly ReviewRow[] {
  return grouped(reviews).map(([category, list]) => {
    const pairs = list.flatMap(({ scores }) => (scores === undefined ? [] : [scores]))
    const mean = (i: 0 | 1): number =>
      pairs.reduce((sum, pair) => sum + pair[i], 0) / Math.max(1, pairs.length)
    const [reference, candidate] = [mean(0), mean(1)]
    const [low, high] = pairs.length === 0 ? [0, 0] : bootstrapShares(pairs.map(([a, b]) => [b, a]))
    return {
      ...{ category, questions: list.length, failed: list.length - pairs.length },
      relative: reference === 0 ? 0 : (100 * candidate) / reference,
      interval: [100 * low, 100 * high] as const,
      ...{ reference: 10 * reference, candidate: 10 * candidate },
    }
  })
}

/** The summary as the reference prints it, -1 of failed judgements averaged in: for comparison only. */
export function printReviewsStrictly(name: string, reviews: readonly Review[]): string {
  const lines = grouped(reviews).map(([category, list]) => {
    const mean = (i: 0 | 1): number => {
      const sum = list.reduce((all, { scores }) => all + (scores?.[i] ?? -1), 0)
      return Number((sum / list.length).toFixed(3))
    }
    const [a, b] = [mean(0), mean(1)]
    return `${category} ${((b / a) * 100).toFixed(1)} ${(a * 10).toFixed(1)} ${(b * 10).toFixed(1)}`
  })
  return `${[name, ...lines, '================================='].join('\n')}\n`
}

function grouped(reviews: readonly Review[]): readonly (readonly [string, readonly Review[]])[] {
  const names = [...new Set(reviews.map(({ category }) => category))].toSorted()
  const groups = names.map(
    (name) => [name, reviews.filter((one) => one.category === name)] as const,
  )
  return [['all', reviews] as const, ...groups]
}
