import type { Task } from './task.ts'

/** Right answers of the baseline that never looks, by what kind of answer is asked for. */
export interface TextOnlyScore {
  readonly right: number
  readonly of: number
}

/** Kinds of answers with their ceilings for a baseline without pictures. @source picture-world §5 */
export const TEXT_ONLY_BOUNDS = {
  'yes-no': 0.55,
  choice: 0.55,
  statement: 0.52,
  count: 0.35,
  name: 0.05,
} as const

export type AnswerKind = keyof typeof TEXT_ONLY_BOUNDS | 'colour'

/** What kind of answer a task has; nothing for tasks without one. */
export function answerKind({ family, type, answer }: Task): AnswerKind | undefined {
  if (answer === undefined) return undefined
  if (family === 'nlvr') return 'statement'
  if (type === 'count' || family === 'dialogue') return 'count'
  if (answer === 'yes' || answer === 'no') return 'yes-no'
  const sides = ['left', 'right', 'above', 'below', 'small', 'large']
  if (type === 'choose' || type === 'compare' || type === 'logical') return 'choice'
  if (sides.includes(answer)) return 'choice'
  return type === 'attribute' ? 'colour' : 'name'
}

/**
 * The most frequent answer for wording and slots, learnt on the training part: for the same words, else
 * the same wording, else the same form; nothing is ever seen.
 */
export function textOnlyBaseline(
  training: readonly Task[],
  tested: readonly Task[],
): ReadonlyMap<AnswerKind, TextOnlyScore> {
  const known = new Map<string, Map<string, number>>()
  for (const task of training) {
    for (const key of keysOf(task)) {
      const answers = known.get(key) ?? new Map<string, number>()
      known.set(key, answers.set(task.answer ?? '', (answers.get(task.answer ?? '') ?? 0) + 1))
    }
  }
  const scores = new Map<AnswerKind, TextOnlyScore>()
  for (const task of tested) {
    const kind = answerKind(task)
    if (kind === undefined) continue
    const { right, of } = scores.get(kind) ?? { right: 0, of: 0 }
    const hit = guess(known, task) === task.answer ? 1 : 0
    scores.set(kind, { right: right + hit, of: of + 1 })
  }
  return scores
}

/** From the exact words to the form; also each slot with the form, so that a thing's usual answer tells. */
function keysOf({ wording, slots, type, family }: Task): readonly string[] {
  const form = wording.split('#')[0] ?? wording
  const filled = Object.entries(slots).map(([name, value]) => `${form} ${name}=${value}`)
  return [`${form} ${JSON.stringify(slots)}`, ...filled, wording, form, `${family} ${type}`]
}

function guess(known: ReadonlyMap<string, ReadonlyMap<string, number>>, task: Task): string {
  for (const key of keysOf(task)) {
    const answers = known.get(key)
    if (answers === undefined) continue
    return [...answers].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0] ?? ''
  }
  return ''
}
