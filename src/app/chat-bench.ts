import { basename } from 'node:path'
import { systemClock, UserFault } from '../base/index.ts'
import {
  gradeMmVet,
  JUDGE_RULES,
  judgeLlavaBench,
  modelJudge,
  printReviewsStrictly,
  printSeed,
  readBenchAnswers,
  readBenchQuestions,
  readJudgeContexts,
  readJudgeRules,
  readMmVet,
  readSeed,
  scoreMmVet,
  scoreReviews,
  scoreSeed,
  seedPrompt,
} from '../evaluate/index.ts'
import type { BenchAnswer, JudgeCall } from '../evaluate/index.ts'
import { resolveModel, withRetry, withTimeout } from '../llm/index.ts'
import { benchAnswers } from './bench-answers.ts'
import type { BenchAnswering, BenchSetting } from './bench-answers.ts'
import { benchFile, benchJson } from './bench-report.ts'
import type { BenchReport } from './bench-report.ts'
import { modelSources } from './model-sources.ts'

/** A judge by its name, or the configured planner. @throws UserFault `E_MODEL_NAME` when there is none */
export function benchJudge(
  name: string | undefined,
  { config, env }: Pick<BenchSetting, 'config' | 'env'>,
): { readonly name: string; readonly call: JudgeCall } {
  const wanted = name ?? config.models.planner ?? config.models.chat
  if (wanted === undefined) {
    throw new UserFault('E_MODEL_NAME', 'A model must judge, and none is named or configured.', {
      cure: 'Add --judge provider/model, or set "models.planner".',
    })
  }
  const clock = systemClock
  const model = resolveModel(wanted, modelSources(config, env))
  return { name: wanted, call: modelJudge(withRetry(withTimeout(model, { clock }), { clock })) }
}

/** LLaVA-Bench in any of its forms: COCO, In-the-Wild, and the tools bench. */
export interface LlavaBenchRequest extends BenchAnswering {
  readonly questions: string
  readonly contexts: string
  readonly references: string
  /** By category; default ours, in our own words. */
  readonly rules?: string
  readonly prefix?: string
  readonly swap?: boolean
  readonly judge?: string
}

/** @source llava-plus §8.1 */
export async function llavaBenchReport(
  request: LlavaBenchRequest,
  setting: BenchSetting,
): Promise<BenchReport> {
  const [questions, contexts, references] = await Promise.all(
    [request.questions, request.contexts, request.references].map(benchFile),
  )
  const asked = readBenchQuestions(questions ?? '')
  const judge = benchJudge(request.judge, setting)
  const { answers, model } = await benchAnswers(asked, request, setting)
  const rules =
    request.rules === undefined ? JUDGE_RULES : readJudgeRules(await benchJson(request.rules))
  const reviews = await judgeLlavaBench(
    {
      ...{ questions: asked, candidates: answers, contexts: readJudgeContexts(contexts ?? '') },
      references: new Map(readBenchAnswers(references ?? '').map(({ id, text }) => [id, text])),
    },
    {
      ...{ judge: judge.call, rules, prefix: request.prefix ?? '', swap: request.swap ?? false },
      ...(setting.signal === undefined ? {} : { signal: setting.signal }),
    },
  )
  return {
    ...{ bench: 'LLaVA-Bench', judge: judge.name, ...(model === undefined ? {} : { model }) },
    figures: scoreReviews(reviews).map((row) => ({
      ...{ name: row.category, value: row.relative, interval: row.interval },
      n: row.questions - row.failed,
    })),
    ...coverageOf(asked, answers),
    failed: reviews.flatMap(({ id, failed }) =>
      failed === undefined ? [] : [{ id, reason: failed }],
    ),
    notes: [
      'Percent of the reference answer by the judge; failed answers and judgements are in no mean.',
      ...(request.rules === undefined ? ['Rules in our own words: not the published ones.'] : []),
      ...(request.swap === true ? ['Judged in both orders.'] : []),
    ],
    published: printReviewsStrictly(basename(request.questions), reviews),
  }
}

export interface SeedRequest extends BenchAnswering {
  readonly annotations: string
}

/** @source llava-plus §8 (SEED-Bench) */
export async function seedReport(
  request: SeedRequest,
  setting: BenchSetting,
): Promise<BenchReport> {
  const seed = readSeed(await benchJson(request.annotations))
  const asked = seed.questions.map((one) => ({
    ...{ id: one.id, text: seedPrompt(one), category: String(one.type) },
    ...(one.image === undefined ? {} : { image: one.image }),
  }))
  const { answers, model } = await benchAnswers(asked, request, setting)
  const said = new Map(
    answers.flatMap(({ id, text, failed }) => (failed === undefined ? [[id, text] as const] : [])),
  )
  const score = scoreSeed(seed, said)
  return {
    ...{ bench: 'SEED-Bench', ...(model === undefined ? {} : { model }) },
    figures: [
      { name: 'all', value: score.total },
      { name: 'image', value: score.image },
      { name: 'video', value: score.video },
      ...Object.entries(score.byType).map(([name, value]) => ({ name, value })),
    ],
    ...coverageOf(asked, answers),
    failed: failedOf(answers),
    notes: [
      'Letters compared exactly; the official scoring ranks choices by likelihood: not comparable.',
      'What was not answered is wrong here; the published summary leaves it out.',
    ],
    published: printSeed(scoreSeed(seed, said, { missing: 'left-out' })),
  }
}

export interface MmVetRequest extends BenchAnswering {
  readonly annotations: string
  readonly judge?: string
  /** Default 1; the paper's figures are of 5. */
  readonly runs?: number
}

/** @source llava-plus §8.2 */
export async function mmVetReport(
  request: MmVetRequest,
  setting: BenchSetting,
): Promise<BenchReport> {
  const rows = readMmVet(await benchJson(request.annotations))
  const asked = rows.map(({ id, question, image, capabilities }) => ({
    ...{ id, text: question, image, category: capabilities.join('+') },
  }))
  const judge = benchJudge(request.judge, setting)
  const { answers, model } = await benchAnswers(asked, request, setting)
  const grades = await gradeMmVet(rows, answers, {
    ...{ judge: judge.call, runs: request.runs ?? 1 },
    ...(setting.signal === undefined ? {} : { signal: setting.signal }),
  })
  const score = scoreMmVet(rows, grades)
  return {
    ...{ bench: 'MM-Vet', judge: judge.name, ...(model === undefined ? {} : { model }) },
    figures: score.rows.map(({ name, mean, std, n }) => ({
      ...{ name, value: mean, n },
      ...((request.runs ?? 1) < 2 ? {} : { interval: [mean - std, mean + std] as const }),
    })),
    ...coverageOf(asked, answers),
    failed: grades.flatMap(({ id, failed }) =>
      failed === undefined ? [] : [{ id, reason: failed }],
    ),
    notes: [
      'Examples of the grader are ours: not comparable with figures made with the published ones.',
      `With failed ones as 0, as published: ${score.strict.toFixed(1)}.`,
      ...((request.runs ?? 1) < 2 ? [] : ['The interval is one standard deviation over the runs.']),
    ],
  }
}

function coverageOf(
  questions: readonly { readonly id: string }[],
  answers: readonly BenchAnswer[],
): { readonly questions: number; readonly coverage: number } {
  const given = new Set(answers.flatMap(({ id, failed }) => (failed === undefined ? [id] : [])))
  const found = questions.filter(({ id }) => given.has(id)).length
  return { questions: questions.length, coverage: (100 * found) / Math.max(1, questions.length) }
}

const failedOf = (answers: readonly BenchAnswer[]): BenchReport['failed'] =>
  answers.flatMap(({ id, failed }) => (failed === undefined ? [] : [{ id, reason: failed }]))
