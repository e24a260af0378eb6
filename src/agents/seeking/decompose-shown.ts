import type { AnswerType, QuestionPart } from './types.ts'

/** A question about things that are told apart by where they stand or by what is known of them. */
export interface ShownThings {
  readonly visual: readonly string[]
  readonly knowledge: readonly QuestionPart[]
  readonly answerType?: AnswerType
  /** It asks on which of these sides the thing stands for which the knowledge question is true. */
  readonly places?: readonly string[]
}

const SIDES = [
  ...['to the left of', 'to the right of', 'on the left of', 'on the right of', 'left of'],
  ...['right of', 'above', 'below', 'underneath', 'under', 'beneath', 'over', 'higher up than'],
  ...['higher than', 'lower than', 'lower down than', 'on top of', 'in front of', 'behind'],
  ...['next to', 'beside'],
]
const STOPS =
  'is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|belongs?|called|a|an|the|among|of|to|for|from|by|with|and|or|that|which|it|in|on|at|used|made|live|lives|eat|eats|get|gets|come|comes|need|needs|weigh|grow|grows|run|swim|fly|like|mean|cost|contain|produce|originate'
const WORD = `(?!(?:${STOPS})\\b)[\\p{L}\\p{N}'-]+`
/** "left of the tent": the relation and what it is seen from. */
const PLACE = `(${SIDES.join('|')})\\s+((?:the|an?|this|that)\\s+${WORD}(?:\\s+${WORD}){0,2})`
const STANDS = '(?:stands?|is|are|sits?|lies|hangs|one sees|you see|we see|can be seen|is seen)'
const THING = `(?:the|that|this)\\s+(${WORD})\\s+(?:(?:that|which)\\s+${STANDS}\\s+|(?:standing|sitting|lying|seen|shown)\\s+)?`

const BEFORE = new RegExp(`^(?:look|see|what ${STANDS})\\s+${PLACE}\\s*[.,:;]\\s*(.+)$`, 'iu')
const AFTER = new RegExp(`^(.+?)\\s+(?:that|which)\\s+${STANDS}\\s+${PLACE}\\s*\\?*$`, 'iu')
const KIND_OF = new RegExp(
  `^(what (?:kind|type|sort|class) of (?:thing|object|item) (?:is|stands))\\s+${PLACE}\\s*\\?*$`,
  'iu',
)
const BESIDE = new RegExp(THING + PLACE, 'iu')
const POINTS = /\b(?:(?:that|this) (?:thing|one|object|item)|it|that|this)\b/iu

/**
 * "What kind of thing is the one left of the tent?": the thing is asked for by its place, the rest by its name.
 *
 * @returns undefined when no thing is told by its place, or nothing else is asked
 */
export function placedThing(text: string): ShownThings | undefined {
  const before = BEFORE.exec(text)
  if (before !== null) {
    const [, side = '', anchor = '', rest = ''] = before
    return pointing(rest, `Which thing is ${side.toLowerCase()} ${anchor}?`)
  }
  const beside = BESIDE.exec(text)
  if (beside !== null && !/^(?:that|which|it)$/iu.test(beside[1] ?? '')) {
    const [whole, noun = '', side = '', anchor = ''] = beside
    const named = /^(?:one|thing|object|item)$/iu.test(noun) ? 'thing' : noun
    const head = text.slice(0, beside.index)
    const tail = text.slice(beside.index + whole.length)
    return asking([head, { slot: 0 }, tail], `Which ${named} is ${side.toLowerCase()} ${anchor}?`)
  }
  const stands = KIND_OF.exec(text)
  if (stands !== null) {
    const [, head = '', side = '', anchor = ''] = stands
    return asking([`${head} `, { slot: 0 }, '?'], `Which thing is ${side.toLowerCase()} ${anchor}?`)
  }
  const after = AFTER.exec(text)
  if (after === null) return undefined
  const [, rest = '', side = '', anchor = ''] = after
  return pointing(`${rest}?`, `Which thing is ${side.toLowerCase()} ${anchor}?`)
}

function pointing(rest: string, visual: string): ShownThings | undefined {
  const at = POINTS.exec(rest)
  if (at === null) return undefined
  const tail = rest.slice(at.index + at[0].length)
  return asking([rest.slice(0, at.index), { slot: 0 }, tail], visual)
}

const EMPTY = new Set('is are was were what which who the a an there it you see do does'.split(' '))

function asking(parts: readonly QuestionPart[], visual: string): ShownThings | undefined {
  const said = parts.filter((part) => typeof part === 'string')
  const words = said.flatMap((part) => part.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
  if (words.every((word) => EMPTY.has(word))) return undefined
  return { visual: [visual], knowledge: parts.filter((part) => part !== '') }
}

const PAIRS: readonly (readonly [first: string, second: string])[] = [
  ...([['left', 'right'] as const, ['top', 'bottom'] as const] as const),
  ['upper', 'lower'],
]
const KIND = '(?:thing|one|something|object|item|animal|creature|tool|food|instrument|vehicle)'
const UNTIL = String.raw`(?=\s+(?:on|in|at|to) (?:the|which) |\s*[.,;:?!]|\s+left or right|$)`
const VERB = String.raw`(?:has|have|is|are|can|cannot|comes?|was|lives?|eats?|[\p{L}]+s)\b`
const DESCRIBED: readonly (readonly [pattern: RegExp, say: (words: string) => string])[] = [
  [/^(.+?) belongs? to one of (?:these|the|those) /iu, (words) => `has ${words}`],
  [new RegExp(`\\b${KIND}\\s+(?:that|which)\\s+(.+?)${UNTIL}`, 'iu'), (words) => words],
  [new RegExp(`\\b${KIND}\\s+(?:with|having)\\s+(.+?)${UNTIL}`, 'iu'), (words) => `has ${words}`],
  [
    new RegExp(
      `\\bone(?: ${KIND})?(?: of (?:these|the|those) \\p{L}+| here| in the picture)*,?\\s+(${VERB}.*?)${UNTIL}`,
      'iu',
    ),
    (words) => words,
  ],
]

/**
 * "On which side is the thing that has strings, left or right?": each thing is named, looked up, and the side
 * told of the one for which it is true.
 */
export function describedThing(text: string): ShownThings | undefined {
  const places = PAIRS.find((pair) =>
    pair.every((side) => new RegExp(`\\b${side}\\b`, 'iu').test(text)),
  )
  if (places === undefined) return undefined
  for (const [pattern, say] of DESCRIBED) {
    const said = pattern.exec(text)?.[1]?.trim()
    if (said === undefined || said === '') continue
    return {
      ...{ visual: ['Which thing is this?'], answerType: 'choice', places },
      knowledge: predicateParts(say(said)),
    }
  }
  return undefined
}

/** "has strings" as a question about the thing: "Does # have strings?". */
function predicateParts(predicate: string): readonly QuestionPart[] {
  const [, has] = /^(?:has|have|comes? with|owns?)\s+(.+)$/iu.exec(predicate) ?? []
  if (has !== undefined) return ['Does ', { slot: 0 }, ` have ${lower(has)}?`]
  const [, is] = /^(?:is|are)\s+(.+)$/iu.exec(predicate) ?? []
  if (is !== undefined) return ['Is ', { slot: 0 }, ` ${is}?`]
  return ['Is it true that ', { slot: 0 }, ` ${predicate}?`]
}

const lower = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

/** "What are the two things both?": each is named, then what they share is asked. */
const BOTH =
  /\b(?:both (?:of )?(?:the |these |those )?(?:two )?|the two |these two |those two )(things?|objects?|items?|animals?)(?: (?:shown|here|(?:that )?you see|in (?:the|this) (?:picture|image|photo)))?/iu

/** Two things of one picture, asked for what is common to them. */
export function bothThings(text: string): ShownThings | undefined {
  const found = BOTH.exec(text)
  if (found === null || !/\bboth\b|\bcommon\b|\bexamples?\b|\balike\b|\bshare\b/iu.test(text)) {
    return undefined
  }
  const noun = (found[1] ?? 'things').replace(/s$/iu, '').toLowerCase()
  const head = text.slice(0, found.index)
  const tail = text.slice(found.index + found[0].length)
  return {
    visual: [`Which ${noun} is the first one?`, `Which ${noun} is the second one?`],
    knowledge: [head, { slot: 0 }, ' and ', { slot: 1 }, tail].filter((part) => part !== ''),
    answerType: 'name',
  }
}
