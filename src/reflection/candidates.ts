import type { Box, Frame, Image, ObjectRecord } from '../image/index.ts'
import { isList, isObject, numberLike } from '../program/index.ts'
import type { CallStep, Value } from '../program/index.ts'
import { normaliseAnswer } from './agrees.ts'

/** What a step might have given instead, and how likely that is if it was wrong. */
export interface Candidate {
  readonly value: Value
  /** 0..1; those of a step add up to at most 1. */
  readonly weight: number
}

export interface CandidateHints {
  /** The right answer of the run. */
  readonly answer: string
  /** Texts that the program compares with. */
  readonly literals: readonly string[]
  /** Boxes of anything in a picture, in its pixels; where one may have been missed. */
  readonly proposals: readonly Box[]
  /** Another tool's opinion on what the step looked for being in a box, 0..1; 0.5 where there is none. */
  readonly opinion?: (box: Box) => number
}

/** Tools whose results can be wrong; all others compute what follows from their arguments. */
const FALLIBLE = new Set('LOC FACEDET SEG SELECT CLASSIFY VQA OCR CAPTION LIST'.split(' '))

export function isFallible(step: CallStep): boolean {
  return FALLIBLE.has(step.tool) && step.error === undefined && step.result !== undefined
}

/** Chance that a step is wrong before anything else is known: surer steps are less likely to be. */
export function faultRate(step: CallStep): number {
  const { result, score } = step
  if (score !== undefined) return rateOf(score)
  if (result !== undefined && isList(result) && result.every(isObject)) {
    const scores = result.flatMap((one) => (one.score === null ? [] : [one.score]))
    if (result.length === 0) return 0.3
    return scores.length === 0 ? 0.2 : rateOf(Math.min(...scores))
  }
  return 0.2
}

function rateOf(score: number): number {
  return Math.min(0.6, Math.max(0.03, 0.7 * (1 - score)))
}

/** The results that a step might have given instead of its recorded one. */
export function candidatesOf(step: CallStep, hints: CandidateHints): readonly Candidate[] {
  const { result } = step
  if (typeof result === 'string') return textCandidates(result, hints)
  if (result === undefined || !isList(result)) return []
  if (result.every(isObject)) return objectCandidates(step, result, hints)
  return listCandidates(result, hints)
}

function textCandidates(
  result: string,
  { answer, literals }: CandidateHints,
): readonly Candidate[] {
  const plain = normaliseAnswer(result)
  if (plain === 'yes' || plain === 'no') {
    return [{ value: plain === 'yes' ? 'no' : 'yes', weight: 0.95 }]
  }
  const number = numberLike(plain)
  if (number !== undefined) return numberCandidates(number, answer)
  const others = new Map<string, Candidate>()
  const add = (value: string, weight: number): void => {
    const key = normaliseAnswer(value)
    if (key === '' || key === plain || others.has(key)) return
    others.set(key, { value, weight })
  }
  for (const literal of literals) add(literal, 0.15)
  add(answer, 0.12)
  // An open answer that says nothing may have been a yes or no.
  for (const value of ['yes', 'no']) add(value, plain === 'unknown' ? 0.2 : 0.02)
  return [...others.values()]
}

function numberCandidates(number: number, answer: string): readonly Candidate[] {
  const near = [
    [number + 1, 0.35],
    [number - 1, 0.35],
    [number + 2, 0.06],
    [number - 2, 0.06],
  ] as const
  const wanted = numberLike(normaliseAnswer(answer))
  const all = new Map<number, number>(near.filter(([value]) => value >= 0))
  if (wanted !== undefined && wanted !== number && !all.has(wanted)) all.set(wanted, 0.03)
  return [...all].map(([value, weight]) => ({ value: String(value), weight }))
}

function listCandidates(
  result: readonly Value[],
  { answer }: CandidateHints,
): readonly Candidate[] {
  const without = result.map((_, i) => ({
    value: result.filter((_, j) => j !== i),
    weight: 0.3 / result.length,
  }))
  return [...without, { value: [answer, ...result], weight: 0.05 }]
}

/** One left out, one added, one exchanged; then two; then as many as the answer says. */
function objectCandidates(
  step: CallStep,
  found: readonly ObjectRecord[],
  hints: CandidateHints,
): readonly Candidate[] {
  const frame = frameOf(step)
  if (frame === undefined) return []
  const name = nameOf(step, found)
  const { opinion = () => 0.5 } = hints
  const free = hints.proposals
    .filter((box) => found.every((one) => one.box.some((side, i) => side !== box[i])))
    .toSorted((a, b) => opinion(b) - opinion(a))
    .slice(0, 8)
  const places: readonly Box[] = free.length > 0 ? free : [[0, 0, frame.width, frame.height]]
  const added = places.map((box, i) => objectAt(box, `given.${i}`, name, frame))
  const n = found.length
  const doubts = doubtsOf(found)
  const gone = found.map(({ box }, i) => (doubts[i] ?? 0) / ratioOf(opinion(box)))
  const come = added.map(({ box }) => (free.length > 0 ? ratioOf(opinion(box)) : 1) / added.length)
  const one = n === 0 ? [] : found.map((_, i) => found.filter((_, j) => j !== i))
  const out: Candidate[] = [
    ...one.map((value, i) => ({ value, weight: 0.3 * (gone[i] ?? 0) })),
    ...added.map((extra, k) => ({
      value: [...found, extra],
      weight: (n === 0 ? 0.7 : 0.25) * (come[k] ?? 0),
    })),
  ]
  if (free.length > 0 && n > 0) {
    const swaps = found.flatMap((_, i) =>
      added.map((extra, k) => ({
        value: found.with(i, extra),
        weight: 0.25 * (gone[i] ?? 0) * (come[k] ?? 0),
      })),
    )
    out.push(...swaps)
  }
  if (n > 1) out.push({ value: [], weight: 0.05 })
  return [...out, ...counted(found, added, hints)]
}

/** How much likelier an opinion is of the thing than of another, within bounds: tools err. */
function ratioOf(opinion: number): number {
  return Math.min(12, Math.max(1 / 12, opinion / (1 - opinion)))
}

/** How much of the doubt falls on each object: less on those that are surer. */
function doubtsOf(found: readonly ObjectRecord[]): readonly number[] {
  const rates = found.map(({ score }) => (score === null ? 0.2 : rateOf(score)))
  const total = rates.reduce((sum, rate) => sum + rate, 0)
  return rates.map((rate) => rate / total)
}

/** As many objects as the answer says, when it is a number further off. */
function counted(
  found: readonly ObjectRecord[],
  added: readonly ObjectRecord[],
  { answer }: CandidateHints,
): readonly Candidate[] {
  const wanted = numberLike(normaliseAnswer(answer))
  const lots = [found.length + 2, found.length - 2, wanted ?? -1]
  return [...new Set(lots)]
    .filter((n) => n >= 0 && n <= 100 && Math.abs(n - found.length) > 1)
    .map((n) => {
      const extra = Array.from({ length: Math.max(0, n - found.length) }, (_, i) => {
        const like = added[i % added.length]
        return like === undefined ? [] : [Object.freeze({ ...like, id: `given.+${i}` })]
      })
      return { value: [...found.slice(0, n), ...extra.flat()], weight: 0.04 }
    })
}

function frameOf(step: CallStep): Frame | undefined {
  const image = step.args.find(({ value }) => isPicture(value))?.value as Image | undefined
  return image?.frame
}

function isPicture(value: Value): boolean {
  return (value as { type?: string } | null)?.type === 'image'
}

function nameOf(step: CallStep, found: readonly ObjectRecord[]): string {
  const asked = step.args.find(({ name }) => name === 'object' || name === 'query')?.value
  return typeof asked === 'string' ? asked : (found[0]?.category ?? 'object')
}

function objectAt(box: Box, id: string, category: string, frame: Frame): ObjectRecord {
  return Object.freeze({ type: 'object', id, box, category, score: null, mask: null, frame })
}
