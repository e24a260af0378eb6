import { plainSentence, singular, words } from '../../../memory/index.ts'
import type { Word } from '../../../memory/index.ts'
import { COLORS, LEXICON } from './lexicon.ts'
import type { TokenClass } from './lexicon.ts'
import { numberAt } from './numbers.ts'

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
/** One pattern with a group for each row, tried at the beginning of each word. */
const PATTERN = new RegExp(`(?:${LEXICON.map(([, , row]) => `(${row})`).join('|')})(?= |$)`, 'y')

/** The tokens of an instruction in a standard order, politeness left out. */
export function tokens(instruction: string): readonly Token[] {
  const plain = plainSentence(instruction)
    .replace(/\b(?:everyone|everybody|people)'s?(?= )/gi, 'every')
    .replaceAll('-', ' ')
  return inOrder(imperative(settleOther(mergeDoubles(nouns(classify(words(plain)))))))
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
  const cls = COLOR_WORDS.has(canon) ? 'color' : 'word'
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
  for (const token of list) {
    const last = kept.findLast(({ cls }) => cls !== 'det')
    if (last?.canon === token.canon && (token.cls === 'term' || token.cls === 'exist')) continue
    kept.push(token)
  }
  return kept
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
function inOrder(list: readonly Token[]): readonly Token[] {
  return resultative(placesLast(list))
}

const FLOATING = new Set(['BOTH', 'NEITHER', 'EITHER', 'ONLYONE', 'TOTAL'])

function placesLast(list: readonly Token[]): readonly Token[] {
  const floating = list.filter((token) => token.cls === 'quant' && FLOATING.has(token.canon))
  const rest = list.filter((token) => !floating.includes(token))
  const sides = rest.filter((token) => token.cls === 'side')
  const [first, second] = sides
  if (first === undefined) return [...rest, ...floating]
  const without = rest.filter((token) => token !== first)
  if (second === undefined) {
    // Only of two pictures, or of a half at the beginning of the sentence.
    const fronted = rest.findIndex((token) => token === first) <= 1
    return fronted ? [...trimmed(without), first, ...floating] : [...rest, ...floating]
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

/** `make the background blurry` is `blur the background`. */
function resultative(list: readonly Token[]): readonly Token[] {
  const make = list.findIndex((token) => token.canon === 'MAKE' || token.canon === 'TURN')
  if (make === -1) return list
  const state = list.findIndex(
    (token, i) => i > make && (token.canon === 'BLUR' || token.canon === 'gray'),
  )
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
