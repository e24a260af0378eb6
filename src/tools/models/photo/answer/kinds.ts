import type { Notice } from '../../../../program/index.ts'
import type { Answer, Finding } from '../../../backends.ts'
import { absenceConfidence, likelihood, presenceConfidence } from '../calibration.ts'
import { inRelation, isMeasurable } from '../relations.ts'
import { findThings, OBJECT_THRESHOLD, pickOne } from '../things.ts'
import type { Ask } from './question.ts'
import { answered, notKnown, unsure } from './scene.ts'
import type { Scene } from './scene.ts'

/** "What animal is this?", "What is on the table?", "What is in the picture?" */
export async function answerWhat(
  scene: Scene,
  ask: Extract<Ask, { kind: 'what' }>,
): Promise<Answer> {
  const { image, sight, options } = scene
  const among = await wordsOf(scene, ask.group)
  if ('outcome' in among) return among
  const all = (await sight.eyes.objects(image, options)).filter(
    (one) =>
      one.score > OBJECT_THRESHOLD && (among.words === null || among.words.includes(one.name)),
  )
  const placed = await atPlace(scene, ask, all)
  if ('outcome' in placed) return placed
  const things = ask.pick === undefined ? placed.things : pickOne(placed.things, ask.pick)
  const notices = [...among.notices, ...placed.notices, only80]
  if (things.length === 0) {
    return unsure(`No ${ask.group ?? 'object that the detector knows'} was found there.`, notices)
  }
  if (ask.many) return answered(listed(things), mean(things), scored(things), notices)
  const best = things.toSorted((a, b) => prominence(b) - prominence(a))[0] as Finding
  return answered(best.name, likelihood(best.score), scored(things), notices)
}

const only80: Notice = {
  code: 'N_KNOWN_CLASSES',
  message: 'Only things of the detector’s 80 kinds are named; others are not seen.',
}

async function wordsOf(
  { sight }: Scene,
  group: string | undefined,
): Promise<
  { readonly words: readonly string[] | null; readonly notices: readonly Notice[] } | Answer
> {
  if (group === undefined) return { words: null, notices: [] }
  const reading = await sight.vocabulary.read(group)
  return reading.known ? { words: reading.words, notices: [] } : notKnown(reading)
}

async function atPlace(
  { sight, image, options }: Scene,
  { where }: Extract<Ask, { kind: 'what' }>,
  all: readonly Finding[],
): Promise<{ readonly things: readonly Finding[]; readonly notices: readonly Notice[] } | Answer> {
  if (where === undefined) return { things: all, notices: [] }
  if (!isMeasurable(where.how)) {
    return notKnown({
      known: false,
      word: where.how,
      near: ['left of', 'right of', 'above', 'below', 'next to'],
      would: 'What lies in front or behind needs depth.',
    })
  }
  const to = await findThings(sight, image, where.to, options)
  if (!to.known) return notKnown(to)
  if (to.things.length === 0) return unsure(`No ${where.to.text} was found.`, to.notices)
  const things = all.filter((one) => inRelation(one, where.how, [to.things]))
  return { things, notices: to.notices }
}

/** "Is it a dog?", "Is it a cat or a dog?" */
export async function answerIsWhat(
  scene: Scene,
  ask: Extract<Ask, { kind: 'is-what' }>,
): Promise<Answer> {
  const found: { readonly option: string; readonly scores: readonly number[] }[] = []
  for (const option of ask.options) {
    const reading = await scene.sight.vocabulary.read(option)
    if (!reading.known) return notKnown(reading)
    const all = await scene.sight.eyes.objects(scene.image, scene.options)
    const scores = all.filter((one) => reading.words.includes(one.name)).map((one) => one.score)
    found.push({ option, scores })
  }
  const best = (scores: readonly number[]): number => Math.max(0, ...scores)
  const how = found.map(({ option, scores }) => `${option} ${best(scores).toFixed(2)}`).join(', ')
  const [one] = found
  if (found.length > 1) {
    const winner = found.toSorted((a, b) => best(b.scores) - best(a.scores))[0]
    if (winner === undefined || best(winner.scores) <= OBJECT_THRESHOLD)
      return unsure(`Neither was found: ${how}.`)
    return answered(winner.option, likelihood(best(winner.scores)), how)
  }
  const scores = one?.scores ?? []
  const yes = best(scores) > OBJECT_THRESHOLD
  return answered(
    yes ? 'yes' : 'no',
    yes ? presenceConfidence(scores) : absenceConfidence(scores),
    how,
  )
}

function prominence({ box, score }: Finding): number {
  return score * Math.sqrt((box[2] - box[0]) * (box[3] - box[1]))
}

/** `2 dogs, cat`: names with their numbers, most frequent first. */
export function listed(things: readonly Pick<Finding, 'name'>[]): string {
  const counts = new Map<string, number>()
  for (const { name } of things) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([name, count]) => (count === 1 ? name : `${count} ${plural(name)}`))
    .join(', ')
}

const UNCOUNTED: Readonly<Record<string, string>> = {
  person: 'people',
  sheep: 'sheep',
  skis: 'skis',
  scissors: 'scissors',
  knife: 'knives',
  mouse: 'mice',
  broccoli: 'broccoli',
}

/** The plural of a class. */
export function plural(name: string): string {
  const known = Object.hasOwn(UNCOUNTED, name) ? UNCOUNTED[name] : undefined
  return known ?? (/(?:s|sh|ch|x)$/.test(name) ? `${name}es` : `${name}s`)
}

function mean(things: readonly Finding[]): number {
  return things.reduce((sum, one) => sum + likelihood(one.score), 0) / things.length
}

function scored(things: readonly Finding[]): string {
  return things
    .slice(0, 8)
    .map(({ name, score }) => `${name} ${score.toFixed(2)}`)
    .join(', ')
}
