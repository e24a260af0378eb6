import type { Action, PythonValue } from '../../../tools/index.ts'
import type { ChatPlan } from './plan.ts'

/** A point or a box as it is written in a question: `[0.4, 0.3]`, `[0.1, 0.2, 0.5, 0.6]`. */
const PLACE = /\[\s*(\d*\.?\d+(?:\s*,\s*\d*\.?\d+){1,3})\s*\]/u

const THING = String.raw`(?:an?|the|some|any)?\s*([\p{L}][\p{L}\p{N}' -]*?)`
const END = String.raw`(?:\s+(?:please|in the collection|too|as well|somewhere|here|by the way))*\s*[,.?!]*\s*$`
const PICTURES = '(?:pictures?|images?|photos?|examples?)'

/** Other pictures of a thing: what is shown here is only where the name comes from. */
const RETRIEVING: readonly RegExp[] = [
  new RegExp(
    `\\b(?:find|show|see|search|look|get|retrieve|fetch|are there|have you|want)\\b.*\\b${PICTURES}\\s+(?:of|with|like|(?:that |which )?show(?:s|ing)?)\\s+${THING}${END}`,
    'iu',
  ),
  new RegExp(`\\b(?:show|see|get|find)\\b(?: me)?\\s+(?:another|one more)\\s+${THING}${END}`, 'iu'),
]
/** Words that make a picture, or look in this one. */
const ELSEWHERE =
  /\b(?:generate|create|draw|paint|make)\b|\bin (?:this|the) (?:picture|image|photo)\b/iu

/** What is known of a kind of thing: "a" owl, not the one that is shown. */
const KNOWING: readonly RegExp[] = [
  /\bwhat (?:kind|sort|type|class) of (?:thing|object|animal|plant|creature) (?:is|are) an? (.+?)[,.?!]*(?:\s+by the way)?\s*[?.!]*$/iu,
  /\b(?:tell me|look up|explain|say|know)\b.*\bwhat (?:an? )(.+?) is(?: a (?:kind|sort|type) of)?\s*[?.!]*$/iu,
  /\b(?:background|information|facts|knowledge|something)\b.*\b(?:on|about) (?:the |an? )(.+?)\s*[?.!]*$/iu,
  /\bhow (?:is|are) an? (.+?) (?:classified|defined|called)\b/iu,
  /\b(?:group|class|family|category|order)\b.*\b(?:does|of) an? (.+?)(?: belong)?\s*[?.!]*$/iu,
  /^what (?:is|are) an? ([\p{L} -]+?)\s*\?*$/iu,
]

const known = (why: string) => ({ telling: 'text' as const, why, confidence: 0.9, dialogues: [] })

/** A request whose form alone says which skill it is for: a place in brackets, pictures of, what is a. */
export function directPlan(question: string): ChatPlan | undefined {
  const place = PLACE.exec(question)?.[1]?.split(',').map(Number)
  if (place !== undefined && place.length !== 3) {
    const stages = [[segmentAt(place)]]
    return { ...known('It gives a place in the picture.'), telling: 'found', stages }
  }
  const thing = ELSEWHERE.test(question) ? undefined : nameIn(RETRIEVING, question)
  if (thing !== undefined) {
    return { ...known('Other pictures are asked for.'), stages: [[lookUp(thing)]] }
  }
  const kind = nameIn(KNOWING, question)
  if (kind === undefined) return undefined
  return { ...known('It asks for what is known of a kind of thing.'), stages: [[lookUp(kind)]] }
}

function nameIn(patterns: readonly RegExp[], question: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(question.trim())?.[1]?.trim()
    if (found !== undefined && found !== '' && found.split(/\s+/).length <= 3) return found
  }
  return undefined
}

function segmentAt(place: readonly number[]): Action {
  const params: [string, PythonValue][] =
    place.length === 4
      ? [['boxes', [[...place]]]]
      : [
          ['points', [[...place]]],
          ['point_labels', [1n]],
        ]
  return { name: 'sam', params: new Map(params) }
}

function lookUp(thing: string): Action {
  return { name: 'retrieval', params: new Map<string, PythonValue>([['prompt', thing]]) }
}
