import { plainSentence, singular, words } from '../../../memory/index.ts'
import type { Word } from '../../../memory/index.ts'
import { COLORS, KINDS, LEXICON, POSTURES } from './lexicon.ts'
import type { TokenClass } from './lexicon.ts'
import { numberAt } from './numbers.ts'
import { isGlue, isOpen } from './spans.ts'

/** A word, or a phrase of closed-class words, of an instruction. */
export interface Token {
  readonly cls: TokenClass
  /** What two tokens are compared by: the phrase's name, or the word in the singular. */
  readonly canon: string
  /** The words as written, for what is copied into a program. */
  readonly text: string
  /** For numbers. */
  readonly value?: number
}

/** Longer instructions are not read: one asks for at most two or three things at a time. */
export const MAX_TOKENS = 48

const COLOR_WORDS = new Set(COLORS.split(' '))
const KIND_WORDS = new Set(KINDS.split(' '))
const POSTURE_WORDS = new Set(POSTURES.split(' '))
/** One pattern with a group for each row, tried at the beginning of each word. */
const PATTERN = new RegExp(`(?:${LEXICON.map(([, , row]) => `(${row})`).join('|')})(?= |$)`, 'y')

/** The tokens of an instruction in a standard order, politeness left out. */
export function tokens(instruction: string): readonly Token[] {
  const plain = plainSentence(instruction)
    .replace(/\bthe ((?:\w+ )*\w+)'s colou?r\b/gi, 'the color of the $1')
    .replace(/(?<=\w )(\p{Lu}\w+)'s (faces?)\b/gu, 'the $2 of $1')
    .replace(/\bthe (\p{Ll}+)'s (\p{Ll}+)\b/gu, 'the $2 of the $1')
    .replace(/, (?:right|ok|okay|please|is it not|is not it|are not they)\s*[?.!]*$/i, '')
    .replace(/\b(?:everyone|everybody|people|(?:each|every) person)'s?(?= )/gi, 'every')
    .replace(/^only (leave|keep) /i, '$1 only ')
    .replace(
      /^((?:please )?)(?:find|locate|detect|spot) and (?=\w+ (?:every|each|all|the) )/i,
      '$1',
    )
    .replace(/\b(?:to|on) (?:its|their|his|her) (left|right)(?: side)?\b/gi, '$1 of it')
    .replace(/\b(?:whatever|(?:everything|anything|all) that) is not\b/gi, 'everything except')
    .replaceAll('-', ' ')
  const read = settleOther(
    postures(mergeDoubles(allBut(theOne(bothOf(nouns(classify(words(plain)))))))),
  )
  return inOrder(
    counted(imperative(orMore(stranded(existFirst(questionFirst(withoutPicture(shown(read)))))))),
  )
}

function classify(list: readonly Word[]): readonly Token[] {
  const lower = list.map((word) => word.lower.replaceAll('_', ' ')).join(' ')
  const starts: number[] = []
  let offset = 0
  for (const word of list) {
    starts.push(offset)
    offset += word.lower.length + 1
  }
  const found: Token[] = []
  for (let i = 0; i < list.length && found.length < MAX_TOKENS;) {
    const { token, length } = tokenAt(list, i, lower, starts[i] ?? 0)
    if (token.cls !== 'filler') found.push(token)
    i += length
  }
  return found
}

function tokenAt(
  list: readonly Word[],
  i: number,
  lower: string,
  at: number,
): { readonly token: Token; readonly length: number } {
  const text = (length: number): string =>
    list
      .slice(i, i + length)
      .map((word) => word.text)
      .join(' ')
  PATTERN.lastIndex = at
  const match = PATTERN.exec(lower)
  const row = match === null ? undefined : LEXICON[match.findIndex((g, k) => k > 0 && g) - 1]
  const phrase = match === null ? 0 : match[0].split(' ').length
  const number = numberAt(
    list.map((word) => word.lower),
    i,
  )
  if (number !== undefined && number.length >= phrase) {
    const { value, length } = number
    return { token: { cls: 'number', canon: String(value), text: text(length), value }, length }
  }
  if (row !== undefined) {
    return { token: { cls: row[0], canon: row[1], text: text(phrase) }, length: phrase }
  }
  const word = list[i]?.lower ?? ''
  const canon = singular(word)
  // Oranges are no colour.
  const cls = COLOR_WORDS.has(word) ? 'color' : KIND_WORDS.has(canon) ? 'kind' : 'word'
  // A capital at the beginning of the sentence says nothing, unless the next word has one too.
  const isStart = i === 0 && !/^\p{Lu}/u.test(list[1]?.text ?? '')
  return { token: { cls, canon, text: isStart ? word : text(1) }, length: 1 }
}

/** Words that are things in some places: `the label`, `the show Friends`, `a trash can`. */
function nouns(list: readonly Token[]): readonly Token[] {
  return list.map((token, i) =>
    isNoun(token, list[i - 1], list[i + 1])
      ? { cls: 'word', canon: singular(token.text.toLowerCase()), text: token.text }
      : token,
  )
}

function isNoun(token: Token, before: Token | undefined, after: Token | undefined): boolean {
  const text = token.text.toLowerCase()
  if (text === 'can') {
    return before?.cls === 'word' && (after === undefined || !OF_A_QUESTION.has(after.cls))
  }
  const isWord = /^[a-z]+$/.test(text) && token.canon !== 'BLUR' && token.canon !== 'POP'
  return before?.cls === 'det' && isWord && (token.cls === 'verb' || text === 'show')
}

const OF_A_QUESTION: ReadonlySet<TokenClass> = new Set(['det', 'pron', 'word', 'exist', 'every'])

/** `show all cups` at the beginning is an order, elsewhere `shows` only says that there is something. */
function shown(list: readonly Token[]): readonly Token[] {
  const [first, ...rest] = list
  return first?.text.toLowerCase() === 'show'
    ? [{ ...first, cls: 'verb', canon: 'TAG' }, ...rest]
    : list
}

/** `how many dogs are there`: that they are there is what is counted. */
function counted(list: readonly Token[]): readonly Token[] {
  return list[0]?.canon === 'HOWMANY' ? list.filter(({ cls }) => cls !== 'exist') : list
}

/** `in the picture` goes without saying. */
function withoutPicture(list: readonly Token[]): readonly Token[] {
  const kept: Token[] = []
  for (const token of list) {
    const place = token.canon === 'PICTURE' ? placeBefore(kept) : undefined
    if (place === undefined) kept.push(token)
    else kept.splice(place)
  }
  const [first, ...rest] = kept
  const asksForPlace =
    kept.length < list.length && first?.cls === 'aux' && rest.every(({ cls }) => BARE.has(cls))
  return asksForPlace ? [{ ...first, cls: 'exist', canon: 'EXIST' }, ...rest] : kept
}

/** Where `in the` begins at the end of a list that has something before it. */
function placeBefore(list: readonly Token[]): number | undefined {
  let at = list.length
  if (list[at - 1]?.cls === 'det') at--
  if (list[at - 1]?.cls !== 'prep') return undefined
  while (list[at - 1]?.cls === 'prep') at--
  return at > 0 ? at : undefined
}

const BARE: ReadonlySet<TokenClass> = new Set([
  ...(['det', 'word', 'color', 'neg', 'comp', 'number', 'than', 'prep'] as const),
])

/** `can a dog be seen`, `does the picture show a dog`, `are dogs in the picture` all ask whether there is one. */
function existFirst(list: readonly Token[]): readonly Token[] {
  const [first, ...rest] = list
  if (first?.cls !== 'aux' || rest.length === 0) return list
  const there: Token = { cls: 'exist', canon: 'EXIST', text: first.text }
  const shows = rest.findIndex((token) => token.cls === 'exist')
  const isLast = shows === rest.length - 1 || isPicture(rest.slice(0, shows))
  if (shows > 0 && isLast) {
    const subject = isPicture(rest.slice(0, shows)) ? [] : rest.slice(0, shows)
    return [there, ...subject, ...rest.slice(shows + 1)]
  }
  return list
}

function isPicture(list: readonly Token[]): boolean {
  return list.at(-1)?.canon === 'PICTURE' && list.length <= 2
}

/** A preposition at the end belongs to its verb: `looking at`; after `painted` it says nothing. */
function stranded(list: readonly Token[]): readonly Token[] {
  const last = list.at(-1)
  if (last?.cls !== 'prep') return list
  if (list.at(-2)?.cls === 'aux') return list.slice(0, -1)
  return [...list.slice(0, -1), { ...last, cls: 'word', canon: last.text.toLowerCase() }]
}

/** `the bus is which colour` asks `which colour is the bus`. */
function questionFirst(list: readonly Token[]): readonly Token[] {
  const [aux, wh] = list.slice(-2)
  if (wh?.cls !== 'wh' || aux?.cls !== 'aux' || list.length < 3) return list
  return [wh, aux, ...list.slice(0, -2)]
}

/** `both owls` are the owls, each of them; `both` without a thing are both pictures. */
function bothOf(list: readonly Token[]): readonly Token[] {
  return list.map((token, i) => {
    const isOfThings = token.text.toLowerCase() === 'both' && isOpen(list[i + 1])
    return isOfThings ? { ...token, cls: 'every', canon: 'EVERY' } : token
  })
}

/** `the one on the left`: a thing, no number. */
function theOne(list: readonly Token[]): readonly Token[] {
  return list.map((token, i) => {
    const isThing = token.text.toLowerCase() === 'one' && list[i - 1]?.text.toLowerCase() === 'the'
    return isThing && !isOpen(list[i + 1]) ? { ...token, cls: 'pron', canon: 'PRON' } : token
  })
}

/** `all but the cat` is `everything but the cat`. */
function allBut(list: readonly Token[]): readonly Token[] {
  return list.map((token, i) =>
    token.cls === 'every' && list[i + 1]?.cls === 'except'
      ? { cls: 'term', canon: 'REST', text: token.text }
      : token,
  )
}

/** `two or more`, `two cups or more` are `at least two`, `at least two cups`. */
function orMore(list: readonly Token[]): readonly Token[] {
  const at = list.findIndex(
    (token, i) =>
      (token.canon === '>' || token.canon === '<') &&
      list[i - 1]?.canon === 'OR' &&
      list[i + 1]?.cls !== 'than' &&
      (list[i - 2]?.cls === 'number' || !isOpen(list[i + 1])),
  )
  const from = list.slice(0, Math.max(0, at)).findLastIndex(({ cls }) => cls === 'number')
  const comparison = list[at]
  const isThing = list.slice(from + 1, at - 1).every((token) => isOpen(token) || isGlue(token))
  if (comparison === undefined || from === -1 || !isThing) return list
  const canon = comparison.canon === '>' ? '>=' : '<='
  return [
    ...list.slice(0, from),
    { ...comparison, canon },
    ...list.slice(from, at - 1),
    ...list.slice(at + 1),
  ]
}

/** In what is to be done to things, `every dog` and `the dogs` are the same; in a question they differ. */
function imperative(list: readonly Token[]): readonly Token[] {
  const [first] = list
  const orders = first?.cls === 'verb' || first?.canon === 'HOWMANY'
  return orders
    ? list.map((token) => (token.cls === 'every' ? { ...token, cls: 'det', canon: 'DET' } : token))
    : list
}

/** `read the text`, `is there … visible`: one after the other, the second says nothing new. */
function mergeDoubles(list: readonly Token[]): readonly Token[] {
  const kept: Token[] = []
  for (const [i, token] of list.entries()) {
    if (token.canon === 'SAY' && list.slice(i + 1).some(({ canon }) => canon === 'SAY')) continue
    const last = kept.findLast(({ cls }) => cls !== 'det')
    if (last?.canon === token.canon && (token.cls === 'term' || token.cls === 'exist')) continue
    kept.push(token)
  }
  return kept
}

/** `a cat sitting below the bench` is a cat below the bench. */
function postures(list: readonly Token[]): readonly Token[] {
  return list.map((token, i) => {
    const next = list[i + 1]?.cls
    const isBeforePlace = next === 'rel' || next === 'side' || next === 'prep'
    return isBeforePlace && POSTURE_WORDS.has(token.text.toLowerCase())
      ? { cls: 'aux', canon: 'AUX', text: token.text }
      : token
  })
}

/** `the other picture` is the one not named before. */
function settleOther(list: readonly Token[]): readonly Token[] {
  const opposite: Record<string, string> = { LEFT: 'RIGHT', RIGHT: 'LEFT' }
  let last: string | undefined
  return list.map((token) => {
    if (token.cls !== 'side') return token
    if (token.canon === 'OTHER' && last !== undefined)
      return { ...token, canon: opposite[last] ?? 'OTHER' }
    last = token.canon
    return token
  })
}

/**
 * The same thing said in another order gets the same order: where it is said (`in both pictures`, `in
 * the left one`, `in total`) goes to the end, or before `than`; `make X blurry` becomes `blur X`.
 */
export function inOrder(list: readonly Token[]): readonly Token[] {
  return activated(resultative(placesLast(list)))
}

const FLOATING = new Set(['BOTH', 'NEITHER', 'EITHER', 'ONLYONE', 'TOTAL'])

function placesLast(list: readonly Token[]): readonly Token[] {
  const all = list.filter((token) => token.cls === 'quant' && FLOATING.has(token.canon))
  // Of two pictures together: that they are two is no news.
  const isTotal = all.some((token) => token.canon === 'TOTAL')
  const floating = isTotal ? all.filter((token) => token.canon !== 'BOTH') : all
  const rest = list.filter((token) => !all.includes(token))
  const sides = rest.filter((token) => token.cls === 'side')
  const [first, second] = sides
  if (first === undefined) return [...rest, ...floating]
  const without = rest.filter((token) => token !== first)
  if (second === undefined) {
    return [...trimmed(without), first, ...floating]
  }
  const comparison = rest.findIndex((token) => token.cls === 'comp')
  const than = without.findIndex((token) => token.cls === 'than')
  if (than !== -1 && rest.indexOf(first) < comparison && rest[0]?.canon !== 'HOWMANY') {
    return [...trimmed(without.slice(0, than)), first, ...without.slice(than), ...floating]
  }
  return [...rest, ...floating]
}

/** Drops the comma that a place at the beginning leaves behind. */
function trimmed(list: readonly Token[]): readonly Token[] {
  return list[0]?.cls === 'comma' ? list.slice(1) : list
}

const STATES = new Set(['BLUR', 'gray', 'POP'])

/** `make the background blurry` is `blur the background`. */
function resultative(list: readonly Token[]): readonly Token[] {
  const make = list.findIndex((token) => token.canon === 'MAKE' || token.canon === 'TURN')
  if (make === -1) return list
  const state = list.findIndex((token, i) => i > make && STATES.has(token.canon))
  const result = list[state]
  const ends = list[state + 1]
  const isAdjective = ends !== undefined && ends.cls === 'word'
  if (result === undefined || isAdjective) return list
  return [
    ...list.slice(0, make),
    { ...result, cls: 'verb' },
    ...list
      .slice(make + 1, state)
      .filter((token, i, all) => i < all.length - 1 || token.cls !== 'prep'),
    ...list.slice(state + 1),
  ]
}

/** `the car should be removed` is `remove the car`. */
function activated(list: readonly Token[]): readonly Token[] {
  const at = list.findIndex((token) => token.cls === 'verb' || token.canon === 'gray')
  const verb = list[at]
  const modal = list.findIndex((token) => /^(?:should|must|shall)$/i.test(token.text))
  const between = list.slice(modal + 1, at).every((token) => token.cls === 'aux')
  if (verb === undefined || modal < 1 || modal > at || !between || verb.canon === 'KEEP')
    return list
  return [{ ...verb, cls: 'verb' }, ...list.slice(0, modal), ...list.slice(at + 1)]
}
