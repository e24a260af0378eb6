import { oppositeSide, plainPlace, relationIn, relationOf } from './relations.ts'
import type { ExpressionWord, Sites } from './sites.ts'
import { expressionWords } from './sites.ts'
import type { StringNode } from '../../../program/index.ts'
import type { Opened } from './induce-texts.ts'
import { open } from './induce-texts.ts'
import type { SlotBook } from './slot-book.ts'
import type { Atom, Piece, Slot, SlotType } from './template.ts'
import type { TokenClass } from './lexicon.ts'
import type { Token } from './tokens.ts'

/** Opens slots for what one token of a closed class stands for: numbers, comparisons, relations, sides. */
export function induceAtoms(
  sites: Sites,
  book: SlotBook,
  texts: Map<object, readonly Piece[]>,
  atoms: Map<object, Atom>,
  opened: Map<object, Opened[]>,
): void {
  for (const tool of sites.tools) {
    const relation = relationOf(tool.name)
    if (relation !== undefined) put(atoms, tool, tokenSlot(book, 'rel', relation))
  }
  for (const node of sites.names) {
    const own = tokenSlot(book, 'side', node.name)
    if (own !== undefined) put(atoms, node, own)
    else put(atoms, node, tokenSlot(book, 'side', oppositeSide(node.name)), true)
  }
  for (const node of sites.numbers) put(atoms, node, tokenSlot(book, 'number', String(node.value)))
  for (const { node } of sites.texts) {
    const pieces = texts.get(node)
    const slot = pieces === undefined ? tokenSlot(book, 'side', node.text) : undefined
    if (slot !== undefined) texts.set(node, [piece(slot, false)])
    if (pieces !== undefined) texts.set(node, withPlaces(pieces, book))
  }
  for (const node of sites.expressions) {
    openWords(node, book, opened)
    const parts = opened.get(node)
    if (parts !== undefined) texts.set(node, assembled(node.text, parts))
  }
}

/**
 * `the chair on the left`, `the owl behind the chair`: the side or relation in the words around a thing is
 * a slot too.
 */
function withPlaces(pieces: readonly Piece[], book: SlotBook): readonly Piece[] {
  return pieces.flatMap((part): readonly Piece[] => {
    if (typeof part !== 'string') return [part]
    const relation = relationIn(part)
    const slot = relation === undefined ? undefined : tokenSlot(book, 'rel', relation.canon)
    if (relation !== undefined && slot !== undefined) {
      const { start, end } = relation
      const bound = {
        slot: slot.index,
        form: 'same',
        article: false,
        quoted: true,
        said: true,
      } as const
      return [part.slice(0, start), bound, part.slice(end)].filter((one) => one !== '')
    }
    return part.split(SIDE_WORD).map((text) => {
      const side = SIDE_WORD.test(text) ? placeSlot(text, book) : undefined
      return side?.type === 'side' ? piece(side, true) : text
    })
  })
}

const SIDE_WORD = /\b(left|right|top|bottom)\b/

function put(
  atoms: Map<object, Atom>,
  node: object,
  slot: Slot | undefined,
  opposite = false,
): void {
  if (slot !== undefined) atoms.set(node, { slot: slot.index, opposite })
}

/** The slot over the first token of a class that has the given canonical form. */
function tokenSlot(book: SlotBook, type: SlotType & TokenClass, canon: string): Slot | undefined {
  const at = book.tokens.findIndex((token) => token.cls === type && token.canon === canon)
  return at === -1 ? undefined : book.slot({ start: at, end: at + 1 }, type)
}

function piece(slot: Slot, quoted: boolean): Piece {
  return { slot: slot.index, form: 'same', article: false, quoted }
}

/** Opens the numbers, operators, connectives and places of an expression. */
function openWords(node: StringNode, book: SlotBook, opened: Map<object, Opened[]>): void {
  const list = expressionWords(node.text)
  list.forEach((word, i) => {
    if (opened.get(node)?.some((part) => part.start === word.start) === true) return
    const slot = wordSlot(word, list[i + 1], book)
    if (slot === undefined) return
    open(opened, node, { ...word, pieces: [piece(slot, word.kind === 'text')] })
  })
}

/** An expression with its opened parts in place. */
function assembled(text: string, parts: readonly Opened[]): readonly Piece[] {
  const result: Piece[] = []
  let at = 0
  for (const part of [...parts].sort((a, b) => a.start - b.start)) {
    result.push(text.slice(at, part.start), ...part.pieces)
    at = part.end
  }
  return [...result, text.slice(at)].filter((one) => one !== '')
}

function wordSlot(
  word: ExpressionWord,
  next: ExpressionWord | undefined,
  book: SlotBook,
): Slot | undefined {
  switch (word.kind) {
    case 'number':
      return tokenSlot(book, 'number', word.text)
    case 'operator':
      return tokenSlot(book, 'comp', word.text) ?? unsaidComparison(word, next, book)
    case 'connective':
      return onlyConjunction(book.tokens)
        ? tokenSlot(book, 'conj', word.text.toUpperCase())
        : undefined
    case 'text':
      return placeSlot(word.text, book)
    case 'other':
      return undefined
    default:
      return word.kind satisfies never
  }
}

/** `three dogs` means exactly three: `== 3` may become another comparison when one is said. */
function unsaidComparison(
  word: ExpressionWord,
  next: ExpressionWord | undefined,
  book: SlotBook,
): Slot | undefined {
  if (word.text !== '==' || next?.kind !== 'number') return undefined
  const at = book.tokens.findIndex((token) => token.cls === 'number' && token.canon === next.text)
  const said = book.tokens.some((token) => token.cls === 'comp')
  return at === -1 || said ? undefined : book.unsaid(at, '==')
}

function onlyConjunction(tokens: readonly Token[]): boolean {
  return tokens.filter((token) => token.cls === 'conj').length === 1
}

function placeSlot(text: string, book: SlotBook): Slot | undefined {
  const token = book.tokens.find(
    ({ cls, canon }) => (cls === 'side' || cls === 'rel') && plainPlace(canon) === text,
  )
  return token === undefined ? undefined : tokenSlot(book, token.cls as 'side' | 'rel', token.canon)
}
