import { isPlural, plainSentence, words } from '../../../memory/index.ts'
import { emojiNamed } from './emoji.ts'
import { ANY_EMOJI } from './instantiate.ts'
import type { Sites, TextSite } from './sites.ts'
import { expressionWords } from './sites.ts'
import type { SlotBook } from './slot-book.ts'
import type { Shared, Span } from './spans.ts'
import { cutPoints, isOpen, sharedRuns } from './spans.ts'
import type { Form, Piece, SlotType } from './template.ts'
import type { Token } from './tokens.ts'

/** What is said of a thing has at most so many tokens. */
export const LONGEST_CLAUSE = 7

/** A text with its words and the runs it shares with the instruction. */
interface Alignment {
  /** What pieces are put together from. */
  readonly text: string
  readonly words: readonly {
    readonly lower: string
    readonly start: number
    readonly end: number
  }[]
  readonly runs: readonly Shared[]
  /** Where the pieces go. */
  readonly put: (pieces: readonly Piece[]) => void
  readonly quoted: boolean
}

/** A part of an expression that is replaced by pieces; offsets in its text. */
export interface Opened {
  readonly start: number
  readonly end: number
  readonly pieces: readonly Piece[]
}

/** Notes a part of an expression as opened. */
export function open(opened: Map<object, Opened[]>, node: object, part: Opened): void {
  const parts = opened.get(node)
  if (parts === undefined) opened.set(node, [part])
  else parts.push(part)
}

/** Finds the spans that texts of the program take from the instruction, and opens slots for them. */
export function induceTexts(
  sites: Sites,
  book: SlotBook,
  texts: Map<object, readonly Piece[]>,
  opened: Map<object, Opened[]>,
): void {
  const left: TextSite[] = []
  for (const site of sites.texts) {
    const whole = wholeSlot(site, book)
    if (whole === undefined && site.arg?.type !== 'emoji') left.push(site)
    else if (whole !== undefined) texts.set(site.node, whole)
  }
  const alignments = [
    ...left.map((site) =>
      align(site.node.text, book.tokens, (pieces) => void texts.set(site.node, pieces), false),
    ),
    ...sites.expressions.flatMap((node) => {
      const parts = expressionWords(node.text).filter((word) => word.kind === 'text')
      return parts.map((word) =>
        align(word.text, book.tokens, (pieces) => open(opened, node, { ...word, pieces }), true),
      )
    }),
  ]
  const cuts = cutPoints(alignments.flatMap(({ runs }) => runs))
  const byNode = left.map((site) => site.arg?.type === 'texts' && !site.node.text.includes(','))
  alignments.forEach((alignment, i) => openSlots(alignment, cuts, book, byNode[i] === true))
}

function align(
  text: string,
  tokens: readonly Token[],
  put: Alignment['put'],
  quoted: boolean,
): Alignment {
  const list = words(plainSentence(text))
  const isQuestion = text.trimEnd().endsWith('?')
  const lower = list.map((word) => word.lower)
  const runs = sharedRuns(lower, tokens, !isQuestion)
  return { text, words: list, runs, put, quoted }
}

/** Emoji names, lists of names at commas and what is said of a thing are bound as a whole. */
function wholeSlot({ node, arg }: TextSite, book: SlotBook): readonly Piece[] | undefined {
  if (arg?.type === 'emoji') {
    const span = emojiSpan(node.text, book.tokens)
    const slot = span === undefined ? undefined : book.slot(span, 'emoji')
    return slot && [{ slot: slot.index, form: 'same', article: false, quoted: false }]
  }
  if (/^what \w/.test(node.text) && !node.text.endsWith('?')) return clauseSlot(node.text, book)
  if (arg?.type !== 'texts' || !node.text.includes(',')) return undefined
  const span = listSpan(node.text, book.tokens)
  const slot = span === undefined ? undefined : book.slot(span, 'thing', true)
  return slot && [{ slot: slot.index, form: wordForm(node.text), article: false, quoted: false }]
}

/** `what lives in water`: the words after `what`, as the instruction has them. */
function clauseSlot(text: string, book: SlotBook): readonly Piece[] | undefined {
  const said = text.replace(/^what /, '').toLowerCase()
  const { tokens } = book
  for (let start = 0; start < tokens.length; start++) {
    for (let end = start + 1; end <= Math.min(tokens.length, start + LONGEST_CLAUSE); end++) {
      if (clauseText(tokens.slice(start, end)) !== said) continue
      const slot = book.slot({ start, end }, 'clause')
      return slot && ['what ', { slot: slot.index, form: 'same', article: false, quoted: false }]
    }
  }
  return undefined
}

function clauseText(span: readonly Token[]): string {
  return span.map((token) => token.text.toLowerCase()).join(' ')
}

function emojiSpan(name: string, tokens: readonly Token[]): Span | undefined {
  const canonical = emojiNamed(name)
  for (let start = 0; start < tokens.length; start++) {
    for (let end = Math.min(tokens.length, start + 5); end > start; end--) {
      const span = tokens.slice(start, end)
      if (span[0]?.cls === 'det') continue
      const unsaid = span.length === 1 && span[0]?.canon === 'EMOJI'
      if (unsaid && canonical === ANY_EMOJI) return { start, end }
      if (emojiNamed(span.map((token) => token.text).join(' ')) === canonical) return { start, end }
    }
  }
  return undefined
}

/** The run of tokens that lists the items of a text, with nothing but commas and conjunctions between. */
function listSpan(text: string, tokens: readonly Token[]): Span | undefined {
  let span: Span | undefined
  for (const item of text.split(',')) {
    const itemWords = words(plainSentence(item)).map((word) => word.lower)
    const [run] = sharedRuns(itemWords, tokens.slice(span?.end ?? 0), true)
    if (run === undefined || run.to - run.from < itemWords.length) return undefined
    const offset = span?.end ?? 0
    const between = span === undefined ? [] : tokens.slice(span.end, offset + run.start)
    if (between.some(({ cls }) => !['comma', 'conj', 'det', 'every'].includes(cls)))
      return undefined
    span = { start: span?.start ?? run.start, end: offset + run.end }
  }
  return span
}

function openSlots(
  { text, words: list, runs, put, quoted }: Alignment,
  cuts: ReadonlySet<number>,
  book: SlotBook,
  isList: boolean,
): void {
  const pieces: Piece[] = []
  let at = 0
  for (const run of runs) {
    for (const part of atomic(run, cuts, book.tokens)) {
      const start = list[part.from]?.start ?? 0
      const end = list[part.to - 1]?.end ?? 0
      const whole = start === 0 && end === text.length
      const slot = book.slot(part, typeOf(part, book.tokens), whole && isList)
      if (slot === undefined) continue
      const before = text.slice(at, start)
      const piece = whole
        ? { form: wordForm(text), article: false }
        : formInside(text, before, text.slice(end), {
            written: text.slice(start, end),
            said: book.tokens[part.end - 1]?.text.toLowerCase() ?? '',
          })
      pieces.push(piece.article ? before.replace(/\b(?:an?) $/, '') : before, {
        slot: slot.index,
        ...piece,
        quoted,
      })
      at = end
    }
  }
  if (pieces.length > 0) put([...pieces, text.slice(at)].filter((piece) => piece !== ''))
}

/** Cuts a run where other runs begin or end, and a colour that is said of a thing off the thing. */
function atomic(
  run: Shared,
  cuts: ReadonlySet<number>,
  tokens: readonly Token[],
): readonly Shared[] {
  const parts: Shared[] = []
  let start = run.start
  for (let i = run.start + 1; i <= run.end; i++) {
    const said = tokens[i]?.cls === 'color' && tokens[i - 1]?.cls === 'word'
    const acts = isAction(tokens[i]) && tokens[i - 1]?.cls === 'word'
    if (i < run.end && !cuts.has(i) && !said && !acts) continue
    const part = trim({ start, end: i }, tokens)
    if (part !== undefined) {
      const shift = run.from - run.start
      parts.push({ ...part, from: part.start + shift, to: part.end + shift })
    }
    start = i
  }
  return parts
}

function trim({ start, end }: Span, tokens: readonly Token[]): Span | undefined {
  while (start < end && !isOpen(tokens[start])) start++
  while (end > start && !isOpen(tokens[end - 1])) end--
  return start < end ? { start, end } : undefined
}

/** `holding`, `jumping`: what someone does. */
export function isAction(token: Token | undefined): boolean {
  return token?.cls === 'word' && /[a-z]{3}ing$/.test(token.text)
}

function typeOf({ start, end }: Span, tokens: readonly Token[]): SlotType {
  const [only] = tokens.slice(start, end)
  if (isAction(only) && tokens[start - 1]?.cls === 'word') return 'action'
  if (end - start > 1 || only === undefined) return 'thing'
  if (only.cls === 'color' || only.cls === 'kind') return only.cls
  return 'thing'
}

/** The form of a text that is a name altogether: names with capitals stay as they are. */
function wordForm(text: string): Form {
  if (/\p{Lu}/u.test(text)) return 'same'
  return isPlural(
    text
      .split(/ (?:of|in|on|with) /)[0]
      ?.split(' ')
      .at(-1) ?? '',
  )
    ? 'plural'
    : 'singular'
}

/** The form of a thing inside a longer text, by the words around it and by how the instruction said it. */
function formInside(
  text: string,
  before: string,
  after: string,
  thing: { readonly written: string; readonly said: string },
): { readonly form: Form; readonly article: boolean } {
  const article = /\ban? $/.test(before)
  if (/\b(?:is|does|has|was) (?:the |an? )?$/i.test(before)) return { form: 'singular', article }
  const written = isPlural(thing.written.split(' ').at(-1) ?? '')
  const isQuestion = text.trimEnd().endsWith('?')
  if (written && (isQuestion || !isPlural(thing.said))) return { form: 'plural', article }
  // A noun before a noun is singular: `dog breeds`.
  const beforeNoun = /^ [a-z]/.test(after) && !/^ (?:of|in|on|with) /.test(after)
  const changed = !written && isPlural(thing.said)
  return { form: changed || (!isQuestion && beforeNoun) ? 'singular' : 'same', article }
}
