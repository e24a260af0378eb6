import type { Decision } from '../../memory/index.ts'
import { bm25 } from './similar.ts'
import type { Phase } from './types.ts'

export interface ExampleQuery {
  readonly question: string
  /** `sha256:…` of the picture under test. */
  readonly picture: string
  readonly runId: string
  readonly phase: Phase
  /** Tools that may be chosen now. */
  readonly tools: readonly string[]
  readonly most: number
}

/** A recorded decision and how alike its question is. */
export interface Example {
  readonly decision: Decision
  readonly score: number
}

/**
 * The decisions most like the one to be made: by question, of tools that are feasible, each feasible tool at
 * least once where there is one.
 *
 * Never one about the same question or picture, of this run, or without consent: what is under test is not
 * shown its own answer.
 *
 * @source AVIS §3.1; avis §5
 */
export function decisionExamples(
  decisions: readonly Decision[],
  query: ExampleQuery,
): readonly Example[] {
  const open = decisions.filter(
    (one) =>
      isFair(one, query) && one.phase === query.phase && query.tools.includes(one.chosen.tool),
  )
  const ranked = rankByQuestion(open, query.question)
  const one = (tool: string): Example | undefined =>
    ranked.find(({ decision }) => decision.chosen.tool === tool)
  const first = query.tools.flatMap((tool) => one(tool) ?? [])
  const rest = ranked.filter((example) => !first.includes(example))
  return [...first, ...rest].slice(0, query.most).sort((a, b) => b.score - a.score)
}

/** Readings most like the one to be made, balanced over the three verdicts. */
export function readingExamples(
  decisions: readonly Decision[],
  query: Omit<ExampleQuery, 'tools'>,
): readonly Example[] {
  const open = decisions.filter(
    (one) => isFair(one, query) && one.phase === query.phase && one.verdict !== 'error',
  )
  const ranked = rankByQuestion(open, query.question)
  const share = Math.max(1, Math.floor(query.most / 3))
  return (['answer', 'informative', 'uninformative'] as const)
    .flatMap((verdict) =>
      ranked.filter(({ decision }) => decision.verdict === verdict).slice(0, share),
    )
    .slice(0, query.most)
}

function isFair(one: Decision, query: Omit<ExampleQuery, 'tools'>): boolean {
  return (
    one.consent &&
    one.runId !== query.runId &&
    normalised(one.question) !== normalised(query.question) &&
    one.picture !== query.picture
  )
}

/** A question as it is compared: lower case, no punctuation. */
export function normalised(question: string): string {
  return (
    question
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')
}

/** Whether two questions are the same but for case and punctuation. */
export function sameQuestion(a: string, b: string): boolean {
  return normalised(a) === normalised(b)
}

function rankByQuestion(decisions: readonly Decision[], question: string): readonly Example[] {
  const scores = bm25(
    question,
    decisions.map((one) => one.question),
  )
  return decisions
    .map((decision, i) => ({ decision, score: scores[i] ?? 0 }))
    .sort((a, b) => {
      // Made-up ones give way to real ones.
      const made = (one: Example): number => Number(isSynthetic(one.decision))
      return made(a) - made(b) || b.score - a.score
    })
}

export function isSynthetic(decision: Decision): boolean {
  return decision.runId.startsWith('synthetic')
}

export function exampleId({ runId, step }: Decision): string {
  return `${runId}/${step}`
}
