import type { Answer, Finding } from '../../../backends.ts'
import { likelihood } from '../calibration.ts'
import type { Phrase } from '../phrase.ts'
import { inPlace, inRelation, placeWords } from '../relations.ts'
import { findThings } from '../things.ts'
import type { Ask } from './question.ts'
import { answered, notKnown, unsure } from './scene.ts'
import type { Scene } from './scene.ts'

/** "Where is …?", "Is … on the left or on the right?" */
export async function answerWhere(
  scene: Scene,
  ask: Extract<Ask, { kind: 'where' }>,
): Promise<Answer> {
  const found = await first(scene, ask.thing)
  if ('outcome' in found) return found
  const { thing, notices } = found
  const how = `${thing.name} at [${thing.box.map(Math.round).join(', ')}]`
  const place = ask.among?.find((one) => inPlace(thing, one, scene.image))
  if (ask.among !== undefined && place === undefined) {
    return answered('neither', likelihood(thing.score), how, notices)
  }
  const answer = place ?? placeWords(thing, scene.image)
  return answered(answer, likelihood(thing.score), how, notices)
}

/** "Is … to the left or to the right of …?" */
export async function answerWhichRelation(
  scene: Scene,
  ask: Extract<Ask, { kind: 'which-relation' }>,
): Promise<Answer> {
  const pair = await both(scene, [ask.thing, ask.to])
  if ('outcome' in pair) return pair
  const [one, other] = pair.things
  const relation = ask.among.find((how) => inRelation(one, how, [[other]]))
  const score = likelihood(one.score) * likelihood(other.score)
  const answer = relation === undefined ? 'neither' : relation.replace(/ of$/, '')
  return answered(answer, score, boxes(pair.things), pair.notices)
}

/** "Is … bigger than …?", "Which is bigger, … or …?", as it looks in the picture. */
export async function answerSize(
  scene: Scene,
  ask: Extract<Ask, { kind: 'size' }>,
): Promise<Answer> {
  const pair = await both(scene, ask.things)
  if ('outcome' in pair) return pair
  const [a, b] = pair.things.map(({ box }) => (box[2] - box[0]) * (box[3] - box[1])) as [
    number,
    number,
  ]
  const firstIs = ask.how === 'bigger' ? a > b : a < b
  const [one, other] = ask.things
  const answer = ask.form === 'yes-no' ? (firstIs ? 'yes' : 'no') : firstIs ? one.text : other.text
  const ratio = Math.max(a, b) / Math.max(1, Math.min(a, b))
  const [first, second] = pair.things
  const score = likelihood(first.score) * likelihood(second.score) * (1 - 0.5 / ratio)
  const notice = {
    code: 'N_SIZE_AS_SEEN',
    message: 'Sizes are compared as they look in the picture: what is nearer looks bigger.',
  }
  return answered(answer, score, boxes(pair.things), [...pair.notices, notice])
}

interface One {
  readonly thing: Finding
  readonly notices: Extract<Awaited<ReturnType<typeof findThings>>, { known: true }>['notices']
}

async function first(scene: Scene, phrase: Phrase): Promise<One | Answer> {
  const found = await findThings(scene.sight, scene.image, phrase, scene.options)
  if (!found.known) return notKnown(found)
  const thing = found.things[0]
  if (thing === undefined) return unsure(`No ${phrase.text} was found.`, found.notices)
  return { thing, notices: found.notices }
}

async function both(
  scene: Scene,
  phrases: readonly [Phrase, Phrase],
): Promise<
  { readonly things: readonly [Finding, Finding]; readonly notices: One['notices'] } | Answer
> {
  const one = await first(scene, phrases[0])
  if ('outcome' in one) return one
  const other = await first(scene, phrases[1])
  if ('outcome' in other) return other
  return { things: [one.thing, other.thing], notices: [...one.notices, ...other.notices] }
}

function boxes(things: readonly Finding[]): string {
  return things.map(({ name, box }) => `${name} at [${box.map(Math.round).join(', ')}]`).join('; ')
}
