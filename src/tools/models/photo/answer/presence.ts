import type { Notice } from '../../../../program/index.ts'
import type { Answer } from '../../../backends.ts'
import { absenceConfidence, countConfidence, presenceConfidence } from '../calibration.ts'
import type { Phrase } from '../phrase.ts'
import { findThings } from '../things.ts'
import type { Things } from '../things.ts'
import type { Ask, NumberTest } from './question.ts'
import { answered, notKnown } from './scene.ts'
import type { Scene } from './scene.ts'

type Found = Extract<Things, { known: true }>

/** "Is there …?": yes when each of the things is there. */
export async function answerExists(
  scene: Scene,
  ask: Extract<Ask, { kind: 'exists' }>,
): Promise<Answer> {
  const each = await findAll(scene, ask.things)
  if (!Array.isArray(each)) return each
  const present = each.map((one) => one.things.length > 0)
  const yes = present.every(Boolean)
  const sure = each.map((one, i) => presenceScore(one, present[i] === true))
  const score = yes
    ? sure.reduce((product, p) => product * p, 1)
    : Math.max(...sure.filter((_, i) => present[i] !== true))
  const how = each.map((one, i) => told(one, ask.things[i])).join('; ')
  const notices = noticesOf(each)
  // Where the thing to be beside is not found, "no" is what is known, and half as sure.
  const lost = notices.some((notice) => notice.code === 'N_NO_REFERENCE')
  return answered(yes !== ask.negated ? 'yes' : 'no', lost ? score / 2 : score, how, notices)
}

/** "How many …?", "Are there more than two …?" */
export async function answerCount(
  scene: Scene,
  ask: Extract<Ask, { kind: 'count' }>,
): Promise<Answer> {
  const found = await findThings(scene.sight, scene.image, ask.thing, scene.options)
  if (!found.known) return notKnown(found)
  const count = found.things.length
  const answer = ask.test === undefined ? String(count) : holds(count, ask.test) ? 'yes' : 'no'
  return answered(answer, countScore(found), told(found, ask.thing), found.notices)
}

function holds(count: number, { how, than }: NumberTest): boolean {
  switch (how) {
    case 'exactly':
      return count === than
    case 'more than':
      return count > than
    case 'fewer than':
      return count < than
    case 'at least':
      return count >= than
    default:
      return how satisfies never
  }
}

/** "Are there more dogs than cats?" */
export async function answerMore(
  scene: Scene,
  ask: Extract<Ask, { kind: 'compare-counts' }>,
): Promise<Answer> {
  const each = await findAll(scene, ask.things)
  if (!Array.isArray(each)) return each
  const [a = 0, b = 0] = each.map((one) => one.things.length)
  const [first, second] = ask.things
  const yesNo = (yes: boolean): string => (yes ? 'yes' : 'no')
  const answer = {
    more: yesNo(a > b),
    fewer: yesNo(a < b),
    'as many': yesNo(a === b),
    which: a === b ? 'neither' : a > b ? first.text : second.text,
  }[ask.how]
  const how = each.map((one, i) => told(one, ask.things[i])).join('; ')
  const score = each.reduce((product, one) => product * countScore(one), 1)
  return answered(answer, score, how, noticesOf(each))
}

async function findAll(scene: Scene, phrases: readonly Phrase[]): Promise<Found[] | Answer> {
  const found: Found[] = []
  for (const phrase of phrases) {
    const one = await findThings(scene.sight, scene.image, phrase, scene.options)
    if (!one.known) return notKnown(one)
    found.push(one)
  }
  return found
}

function presenceScore({ things, scores, threshold }: Found, present: boolean): number {
  if (!present) return absenceConfidence(scores, threshold)
  return presenceConfidence(
    things.map((one) => one.score),
    threshold,
  )
}

function countScore({ scores, threshold }: Found): number {
  return countConfidence(scores, threshold)
}

function told({ things }: Found, phrase: Phrase | undefined): string {
  const scores = things.slice(0, 8).map((one) => one.score.toFixed(2))
  const list = scores.length === 0 ? '' : ` (${scores.join(', ')})`
  return `found ${things.length} x ${phrase?.text ?? 'thing'}${list}`
}

function noticesOf(each: readonly Found[]): readonly Notice[] {
  return each.flatMap((one) => one.notices)
}
