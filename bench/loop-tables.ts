/** Tables of the loop in the shapes of the paper's. */
import { bootstrapInterval, bootstrapShares } from '../src/evaluate/index.ts'
import type { Cell } from './loop-cells.ts'
import type { Mark } from './loop-tasks.ts'

/** A method's cells of one family and setting, over seeds. */
export interface Row {
  readonly method: string
  readonly cells: readonly Cell[]
}

/** Marks over seeds; a task of one seed is not that of another. */
function marksOf({ cells }: Row): readonly Mark[] {
  return cells.flatMap(({ marks }, seed) =>
    marks.map((one) => ({ ...one, id: `${seed}/${one.id}` })),
  )
}

const percent = (value: number): string => (100 * value).toFixed(1)

const partOf = ({ right, f1 }: Mark): readonly [number, number] => f1 ?? [Number(right), 1]

/** "54.6 [50.2, 59.0]", of tags F1 in hundredths. */
function share(marks: readonly Mark[]): string {
  if (marks.length === 0) return '–'
  const parts = marks.map(partOf)
  const [low, high] = bootstrapShares(parts)
  return `${percent(ratio(parts))} [${percent(low)}, ${percent(high)}]`
}

function ratio(parts: readonly (readonly [number, number])[]): number {
  const over = parts.reduce((sum, [a]) => sum + a, 0)
  const under = parts.reduce((sum, [, b]) => sum + b, 0)
  return under === 0 ? 1 : over / under
}

/** The gain over another method on the same tasks, with its interval, and how many were fixed and broken. */
function gain(before: readonly Mark[], after: readonly Mark[]): string {
  const known = new Map(before.map((one) => [one.id, one]))
  const pairs = after.flatMap((one) => {
    const was = known.get(one.id)
    return was === undefined ? [] : [[was, one] as const]
  })
  if (pairs.length === 0) return '–'
  const [low, high] = pairedInterval(pairs)
  const now = ratio(pairs.map(([, one]) => partOf(one)))
  const was = ratio(pairs.map(([one]) => partOf(one)))
  const fixed = pairs.filter(([a, b]) => !a.right && b.right).length
  const broken = pairs.filter(([a, b]) => a.right && !b.right).length
  const sign = now >= was ? '+' : '−'
  return `${sign}${percent(Math.abs(now - was))} [${percent(low)}, ${percent(high)}], ${fixed} fixed, ${broken} broken`
}

function pairedInterval(
  pairs: readonly (readonly [Mark, Mark])[],
): readonly [low: number, high: number] {
  const isTags = pairs.some(([one]) => one.f1 !== undefined)
  if (!isTags) {
    return bootstrapInterval(pairs.map(([a, b]) => Number(b.right) - Number(a.right)))
  }
  // The mean of the pictures' own F1 differences: a micro F1 has no difference for each.
  return bootstrapInterval(pairs.map(([a, b]) => ratio([partOf(b)]) - ratio([partOf(a)])))
}

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([key, count]) => `${key} ${count}`)
    .join(', ') || '–'

function sum(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const total: Record<string, number> = {}
  for (const one of all)
    for (const [key, count] of Object.entries(one)) total[key] = (total[key] ?? 0) + count
  return total
}

/** Rows of a family and setting beside the first, which nothing is learnt in. */
export function tableRows(family: string, setting: string, rows: readonly Row[]): string[] {
  const [first] = rows
  const frozen = first === undefined ? [] : marksOf(first)
  return rows.map((row) => {
    const marks = marksOf(row)
    const of = (concept: Mark['concept']) => (one: Mark) => one.concept === concept
    const [fresh, known] = [marks.filter(of('new')), marks.filter(of('known'))]
    const isFrozen = row === first
    const cells = [
      ...[family, setting, row.method, String(row.cells.length)],
      ...[share(marks), isFrozen ? '–' : gain(frozen, marks)],
      ...[share(fresh), isFrozen ? '–' : gain(frozen, fresh)],
      ...[share(known), isFrozen ? '–' : gain(frozen, known)],
      listed(sum(row.cells.map(({ outcomes }) => outcomes))),
      listed(sum(row.cells.map(({ lessons }) => lessons))),
      listed(sum(row.cells.map(({ errors }) => errors))),
    ]
    return `| ${cells.join(' | ')} |`
  })
}

export const TABLE_HEAD = [
  '| family | setting | method | seeds | all | against frozen | new concepts | against frozen | known concepts | against frozen | training | lessons that act | errors |',
  `|${'---|'.repeat(13)}`,
] as const

/** Why lessons were not learnt, most often first. */
export function reasonLines(rows: readonly Row[]): string[] {
  return rows.flatMap(({ method, cells }) => {
    const all = Object.entries(sum(cells.map(({ reasons }) => reasons)))
    return all
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 8)
      .map(([reason, count]) => `- ${method}: ${count} × ${reason}`)
  })
}
