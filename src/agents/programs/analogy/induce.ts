import type { Demonstration } from '../../../memory/index.ts'
import { parse, print } from '../../../program/index.ts'
import type { Signature } from '../../../program/index.ts'
import { induceAtoms } from './induce-atoms.ts'
import type { Opened } from './induce-texts.ts'
import { induceTexts } from './induce-texts.ts'
import { fillHoles } from './instantiate.ts'
import { relationOf } from './relations.ts'
import { SlotBook } from './slot-book.ts'
import { sitesOf } from './sites.ts'
import type { Atom, Holes, Piece, Template, TemplatePart } from './template.ts'
import { tokens } from './tokens.ts'

/**
 * What a demonstration teaches beyond itself: the spans that its program takes from its instruction
 * become slots, all else stays fixed.
 *
 * @returns undefined when there is no program, or none that can be read
 */
export function induce(
  demonstration: Demonstration,
  signatures: readonly Signature[],
): Template | undefined {
  if (demonstration.program === undefined) return undefined
  const program = parse(demonstration.program)
  if (program.diagnostics.some(({ severity }) => severity === 'error')) return undefined
  const list = tokens(demonstration.instruction)
  const sites = sitesOf(program, signatures)
  const book = new SlotBook(list)
  const texts = new Map<object, readonly Piece[]>()
  const atoms = new Map<object, Atom>()
  const opened = new Map<object, Opened[]>()
  induceTexts(sites, book, texts, opened)
  induceAtoms(sites, book, texts, atoms, opened)
  openAlternatives(book)
  const holes: Holes = { texts, atoms }
  const isPlaced = sites.tools.some((tool) => relationOf(tool.name) !== undefined)
  const saysPlace = list.some((token) => token.cls === 'rel')
  const parts = book
    .parts()
    .map((part) => withRepeats(part, demonstration.program ?? '', isPlaced && !saysPlace))
  const skeleton = parts.map(partKey).join(' ')
  return {
    key: `${skeleton}\n${print(fillHoles(program, holes, placeholder))}`,
    parts,
    slots: book.slots,
    program,
    holes,
    demonstration,
  }
}

/** `red or blue?` where the program asks for the colour: any colours can be named. */
function openAlternatives(book: SlotBook): void {
  book.tokens.forEach((token, i) => {
    const isChoice = book.tokens[i - 1]?.canon === 'OR' || book.tokens[i + 1]?.canon === 'OR'
    if (token.cls === 'color' && isChoice) book.slot({ start: i, end: i + 1 }, 'color')
  })
}

/** Notes a preposition that the program has too, as in `What is on the desk?`, or that says where it looks. */
function withRepeats(part: TemplatePart, program: string, saysPlace: boolean): TemplatePart {
  if (part.kind !== 'fixed' || part.token.cls !== 'prep') return part
  const repeated = program.includes(` ${part.token.text.toLowerCase()} `)
  return { ...part, repeated: repeated || saysPlace }
}

function partKey(part: TemplatePart): string {
  if (part.kind === 'fixed') {
    return `${part.token.cls}:${part.repeated ? part.token.text : part.token.canon}`
  }
  const { index, type, list, optional, filler } = part.slot
  const words = type === 'action' ? filler.length : ''
  return `<${index} ${type}${words}${list ? ' list' : ''}${optional ? ' ?' : ''}>`
}

function placeholder(piece: Exclude<Piece, string> | Atom): string {
  return 'opposite' in piece
    ? `<${piece.slot}${piece.opposite ? ' opposite' : ''}>`
    : `<${piece.slot} ${piece.form}${piece.article ? ' a' : ''}>`
}
