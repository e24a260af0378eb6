import { errorLine } from '../../../base/index.ts'
import { boxCentre } from '../../../image/index.ts'
import type { ObjectRecord } from '../../../image/index.ts'
import { article, isPlural, pluralPhrase } from '../../../memory/index.ts'
import { isList } from '../../../tools/index.ts'
import type { PythonDict } from '../../../tools/index.ts'
import type { SkillOutcome } from '../skill.ts'
import type { ChatPlan } from './plan.ts'
import { thingsOf } from './plan.ts'

/**
 * What is told of the results of a turn. Every word rests on a result: what failed is said to have
 * failed, what was not found is said not to have been found, what is not known is not guessed.
 */
export function tell(plan: ChatPlan, outcomes: readonly SkillOutcome[]): string {
  const sentences = outcomes.flatMap((outcome) => {
    const { error, result } = outcome
    if (error !== undefined) return [`I could not do that. ${errorLine(error)}`]
    return result === undefined ? ['The call was stopped.'] : tellOne(plan, outcome, result.reply)
  })
  const notes = outcomes.flatMap(({ result }) => result?.notes ?? [])
  return [...sentences, ...new Set(notes)].join(' ')
}

function tellOne(plan: ChatPlan, outcome: SkillOutcome, reply: PythonDict): readonly string[] {
  const { made, result, action } = outcome
  const answer = reply.get('answer')
  if (answer !== undefined) return [tellAnswer(String(answer))]
  const texts = reply.get('texts')
  if (isList(texts)) return [tellTexts(texts.map(String))]
  const caption = reply.get('caption')
  if (typeof caption === 'string') return [sentence(caption), ...listed(result?.objects)]
  const tags = reply.get('tags')
  if (typeof tags === 'string') {
    const seen = tags === '' ? 'I found nothing that I have a word for.' : `I see: ${tags}.`
    return [seen, ...(reply.has('boxes') ? listed(result?.objects) : [])]
  }
  const segments = reply.get('segments')
  if (isList(segments)) {
    const names = counted(segments.map(String))
    return [`The picture has these regions: ${names}. They are drawn in ${made.join(', ')}.`]
  }
  if (made.length > 0) return [`Done by ${action.name}: the result is ${made.join(', ')}.`]
  return [tellObjects(plan, result?.objects ?? [], reply.has('masks_rle'))]
}

/** `unknown` is VQA's word for an honest "I do not know". */
function tellAnswer(answer: string): string {
  return answer === 'unknown' ? 'I do not know.' : sentence(answer)
}

function tellTexts(texts: readonly string[]): string {
  if (texts.length === 0) return 'I found no text that I can read.'
  return `The text reads: ${texts.map((text) => `"${text}"`).join(', ')}.`
}

function tellObjects(plan: ChatPlan, objects: readonly ObjectRecord[], masks: boolean): string {
  const things = thingsOf(plan)
  const asked = things.length > 0 ? things : [...new Set(objects.map((one) => one.category))]
  return asked.map((thing) => tellThing(plan, thing, found(thing, asked, objects), masks)).join(' ')
}

function found(
  thing: string,
  asked: readonly string[],
  objects: readonly ObjectRecord[],
): readonly ObjectRecord[] {
  if (asked.length === 1) return objects
  return objects.filter(({ category }) => category.toLowerCase() === thing.toLowerCase())
}

function tellThing(
  { telling }: ChatPlan,
  thing: string,
  objects: readonly ObjectRecord[],
  masks: boolean,
): string {
  const many = isPlural(thing) ? thing : pluralPhrase(thing)
  const number = objects.length
  const amount = number === 1 ? `1 ${thing}` : `${number} ${many}`
  if (number === 0) {
    const no = telling === 'count' ? `I count 0 ${many}` : `I found no ${thing}`
    return telling === 'exists'
      ? `No, I found no ${thing} in the picture.`
      : `${no} in the picture.`
  }
  switch (telling) {
    case 'count':
      return `I count ${amount}.`
    case 'exists':
      return number === 1
        ? `Yes, there is ${withArticle(thing)}${sure(objects[0])}.`
        : `Yes, there are ${amount}.`
    case 'where':
      return placed(thing, objects)
    case 'found':
    case 'text':
    case 'which':
      return masks
        ? `I found ${amount} and cut out ${number === 1 ? 'its outline' : 'their outlines'}${boxes(objects)}.`
        : `I found ${amount}${boxes(objects)}.`
    default:
      return telling satisfies never
  }
}

function withArticle(thing: string): string {
  return `${article(thing)} ${thing}`
}

function sure(one: ObjectRecord | undefined): string {
  return one?.score == null ? '' : ` (score ${one.score.toFixed(2)})`
}

function placed(thing: string, objects: readonly ObjectRecord[]): string {
  const [first] = objects
  if (objects.length === 1 && first !== undefined) {
    return `The ${thing} is ${placeOf(first)}${boxes(objects)}.`
  }
  const places = objects.slice(0, 5).map((one) => placeOf(one))
  const rest = objects.length > 5 ? ` and ${objects.length - 5} more` : ''
  return `I found ${objects.length}: ${places.join('; ')}${rest}${boxes(objects.slice(0, 5))}.`
}

/** `at the top left`, by the thirds in which the middle of the box lies. */
export function placeOf({ box, frame }: ObjectRecord): string {
  const [x, y] = boxCentre(box)
  const third = (at: number, size: number): number => Math.min(2, Math.floor((3 * at) / size))
  const across = ['left', '', 'right'][third(x, frame.width)] ?? ''
  const down = ['top', '', 'bottom'][third(y, frame.height)] ?? ''
  const place = [down, across].filter((word) => word !== '').join(' ')
  return place === '' ? 'in the middle' : `at the ${place}`
}

/** The boxes in shares of the picture, as the wire writes them. */
function boxes(objects: readonly ObjectRecord[]): string {
  const shares = objects.slice(0, 5).map(({ box: [x1, y1, x2, y2], frame }) => {
    const { width, height } = frame
    const numbers = [x1 / width, y1 / height, x2 / width, y2 / height]
    return `[${numbers.map((one) => one.toFixed(2)).join(', ')}]`
  })
  return `: ${shares.join(', ')}`
}

function listed(objects: readonly ObjectRecord[] | undefined): readonly string[] {
  if (objects === undefined || objects.length === 0) return []
  const places = objects.slice(0, 8).map((one) => `${one.category} ${placeOf(one)}`)
  return [`Found: ${places.join('; ')}.`]
}

function counted(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, n]) => (n === 1 ? name : `${n} ${pluralPhrase(name)}`)).join(', ')
}

function sentence(text: string): string {
  const trimmed = text.trim()
  const begun = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
