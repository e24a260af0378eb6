import { bothThings, describedThing, placedThing } from './decompose-shown.ts'
import type { AnswerType, Decomposition, QuestionPart } from './types.ts'

/** Units by the words for them; the name on the left is how quantities are compared. */
const UNIT_WORDS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['cm', /\b(?:cm|centimet(?:re|er)s?)\b/i],
  ['mm', /\b(?:mm|millimet(?:re|er)s?)\b/i],
  ['km', /\b(?:km|kilomet(?:re|er)s?)\b/i],
  ['m', /\b(?:met(?:re|er)s?)\b/i],
  ['in', /\binch(?:es)?\b/i],
  ['ft', /\bf(?:oo|ee)t\b/i],
  ['mi', /\bmiles?\b(?! per)/i],
  ['kg', /\b(?:kg|kilo(?:gram(?:me)?)?s?)\b/i],
  ['lb', /\bpounds?\b/i],
  ['t', /\btonn?es?\b/i],
  ['g', /\bgram(?:me)?s?\b/i],
  ['km/h', /\b(?:km\/h|kilomet(?:re|er)s per hour)\b/i],
  ['mph', /\b(?:mph|miles per hour)\b/i],
  ['L', /\blit(?:re|er)s?\b/i],
  ['°C', /\b(?:°c|(?:degrees )?celsius)\b/i],
  ['°F', /\b(?:°f|(?:degrees )?fahrenheit)\b/i],
  ['y', /\bin years\b/i],
  ['d', /\bin days\b/i],
]

/** The unit that a question names after "in" or "how many", if it does. */
export function unitOf(question: string): string | undefined {
  const [, asked] =
    /\b(?:in|how many|how much)\s+((?:square |cubic )?[\p{L}/°]+(?: per \p{L}+)?)/iu.exec(
      question,
    ) ?? []
  const tail = /\bin ((?:square |cubic )?[\p{L}/°]+(?: per \p{L}+)?)\s*\??$/iu.exec(question)?.[1]
  for (const phrase of [tail, asked]) {
    if (phrase === undefined) continue
    const found = UNIT_WORDS.findLast(([, pattern]) =>
      pattern.test(phrase === 'years' || phrase === 'days' ? `in ${phrase}` : phrase),
    )
    if (found !== undefined) return found[0]
  }
  return undefined
}

const YES_NO =
  /^(?:is|are|was|were|do|does|did|can|could|has|have|will|would|(?:tell me|say|find out) (?:whether|if))\b/

/** What kind of value answers a question, by its words. */
export function answerTypeOf(question: string): AnswerType {
  const q = question.trim().toLowerCase()
  if (/\bhow (?:many|much|tall|long|high|wide|old|heavy|deep|far|big|large|fast)\b/.test(q))
    return 'number'
  if (
    /\b(?:what|which) (?:number|height|length|width|weight|diameter|population|area|age|speed)\b/.test(
      q,
    )
  )
    return 'number'
  if (
    /\bwhat is the (?:\w+ )?(?:number|height|length|width|weight|diameter|population|area|depth|speed|mass)\b/.test(
      q,
    )
  )
    return 'number'
  if (/\b(?:when|(?:what|which) (?:year|date|day|month|century|decade))\b/.test(q)) return 'date'
  if (YES_NO.test(q)) {
    return /\bor\b/.test(q) ? 'choice' : 'yesno'
  }
  if (/\bwho(?:m|se)?\b/.test(q)) return 'person'
  if (
    /\bwhere\b|\b(?:what|which) (?:country|city|place|state|continent|region|town|river|island)\b/.test(
      q,
    )
  )
    return 'place'
  if (/\b(?:what|which) (?:\w+ ){0,3}(?:is|are|was|does|do|did)\b|\bname\b/.test(q)) return 'name'
  return 'text'
}

const RECENT =
  /\b(?:current(?:ly)?|latest|now|today|newest|most recent|present(?:ly)?|these days)\b/i

/** Nouns of the picture itself: "in this picture" points at no thing in it. */
const PICTURES = 'picture|image|photo|photograph|scene|figure|snapshot'
/** What ends a noun phrase: a verb or a preposition. */
const ENDS =
  'a|an|is|are|was|were|be|has|have|had|do|does|did|can|could|will|would|belong|belongs|commemorate|commemorates|live|lives|eat|eats|come|comes|originate|originates|get|got|open|opened|made|built|used|called|found|produce|produces|need|needs|grow|grows|weigh|weighs|cost|costs|in|on|at|of|to|for|from|by|with|and|or|than|that|which|shown|pictured|depicted|here|usually|typically|normally|mainly|named|founded|kept|bred|invented|first|most|run|swim|fly|mean|means|stand|contain|contains|like|look|run|runs|able|bigger|taller|older|heavier|longer|faster|smaller|usually|still|also|ever|not'
const WORD = `(?!(?:${ENDS})\\b)[\\p{L}\\p{N}'-]+`
/** "this Y", "these Y", "that Y" (not "that is"), with what tells where it is seen. */
const SHOWN = `(?:\\s+(?:(?:shown|pictured|depicted|seen)(?:\\s+(?:here|in (?:the|this) (?:${PICTURES})))?|in (?:the|this) (?:${PICTURES})|here))`
const DEMONSTRATIVE = new RegExp(
  `\\b(?:this|that|these|those)\\s+((?:${WORD}\\s+){0,2}?${WORD})(?=\\s+(?:${ENDS})\\b|[?.,;!]|$|'s)${SHOWN}?`,
  'iu',
)
const THE_SHOWN = new RegExp(`\\bthe\\s+((?:${WORD}\\s+){0,2}?${WORD})${SHOWN}`, 'iu')
/** "the two bridges", "these two animals": several of one kind. */
const TWO =
  /\b(?:the|these|those)\s+two\s+(\p{L}+?)(?:e?s)?\b(?:\s+(?:shown|in (?:the|this) (?:picture|image|photo)|here))?/iu
const BARE = /\b(?:in|on) (?:this|the) (?:picture|image|photo|photograph)\b/i

/**
 * A question cut into what is shown and what is known about it, by rules alone.
 *
 * A demonstrative noun phrase ("this Y", "the Y in the picture") becomes `#` and is asked for as "Which Y is
 * this?"; without one, the question names its subject.
 *
 * @source avis §3 (without a language model, vectors)
 */
export function decomposeByRules(question: string): Decomposition {
  const text = question.trim().replace(/\s+/g, ' ')
  const common = { answerType: answerTypeOf(text), unit: unitOf(text), recency: RECENT.test(text) }
  const frame = (visual: readonly string[], knowledge: readonly QuestionPart[]): Decomposition => ({
    ...{ visual, knowledge, answerType: common.answerType, recency: common.recency },
    ...(common.unit === undefined ? {} : { unit: common.unit }),
  })
  const asksName = new RegExp(
    `^(?:what|which)\\s+(?:kind of |type of |sort of )?([\\p{L} -]+?)\\s+(?:is|are)\\s+(?:this|that|these|those|shown|in (?:the|this) (?:${PICTURES}))\\b[^?]*\\?*$`,
    'iu',
  ).exec(text)
  if (asksName !== null || /^what (?:is|are) (?:this|that|these|those)\??$/i.test(text)) {
    return { ...frame([text], [{ slot: 0 }]), answerType: 'name' }
  }
  const told = describedThing(text) ?? placedThing(text) ?? bothThings(text)
  if (told !== undefined) {
    const { visual, knowledge, places } = told
    const answerType = told.answerType ?? answerTypeOf(boundQuestion(knowledge, ['it']))
    return { ...frame(visual, knowledge), answerType, ...(places === undefined ? {} : { places }) }
  }
  const two = TWO.exec(text)
  if (two !== null) {
    const noun = two[1] ?? 'thing'
    const before = text.slice(0, two.index)
    const after = text.slice(two.index + two[0].length)
    const visual = [`Which ${noun} is the first one?`, `Which ${noun} is the second one?`]
    return frame(
      visual,
      [before, { slot: 0 }, ' and ', { slot: 1 }, after].filter((one) => one !== ''),
    )
  }
  const shown = THE_SHOWN.exec(text) ?? demonstrative(text)
  if (shown === null || shown === undefined) return frame([], [text])
  const noun = shown[1] ?? 'thing'
  const before = text.slice(0, shown.index)
  const after = text
    .slice(shown.index + shown[0].length)
    .replace(BARE, '')
    .replace(/\s+([?.!])/, '$1')
  return frame(
    [`Which ${noun} is this?`],
    [before, { slot: 0 }, after].filter((one) => one !== ''),
  )
}

function demonstrative(text: string): RegExpExecArray | undefined {
  const found = DEMONSTRATIVE.exec(text)
  const noun = found?.[1] ?? ''
  return found === null || new RegExp(`^(?:${PICTURES})$`, 'i').test(noun) ? undefined : found
}

/**
 * The parts of a knowledge question in which `#` (or `#1`, `#2`) stands for a visual answer and `\#` for the
 * mark itself.
 */
export function questionParts(text: string, slots: number): readonly QuestionPart[] {
  const parts: QuestionPart[] = []
  let words = ''
  const close = (): void => {
    if (words !== '') parts.push(words)
    words = ''
  }
  for (const match of text.matchAll(/\\#|#(\d+)?|[^\\#]+|\\/g)) {
    const [whole, number] = match
    const slot = number === undefined ? 0 : Number(number) - 1
    if (whole === '\\#') words += '#'
    else if (whole.startsWith('#') && slot >= 0 && slot < slots) {
      close()
      parts.push({ slot })
    } else words += whole
  }
  close()
  return parts
}

/** The parts as a prompt writes them: literal marks as `\#`, one slot as `#`, several as `#1` …. */
export function partsText(parts: readonly QuestionPart[], slots: number): string {
  return parts
    .map((part) =>
      typeof part === 'string'
        ? part.replaceAll('#', '\\#')
        : slots === 1
          ? '#'
          : `#${part.slot + 1}`,
    )
    .join('')
}

/** The knowledge question with values in the place of slots; what is not bound yet stays as its mark. */
export function boundQuestion(
  parts: readonly QuestionPart[],
  bindings: readonly (string | undefined)[],
): string {
  return parts
    .map((part) =>
      typeof part === 'string'
        ? part
        : (bindings[part.slot] ?? (bindings.length > 1 ? `#${part.slot + 1}` : '#')),
    )
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

/** True when the question asks only what is shown. */
export function asksOnlyWhatIsShown(parts: readonly QuestionPart[]): boolean {
  const [only] = parts
  return parts.length === 1 && typeof only === 'object'
}
