import { article, isPlural, pluralPhrase, singularPhrase } from '../../../memory/index.ts'
import type { Program } from '../../../program/index.ts'
import { emojiNamed } from './emoji.ts'
import { oppositeSide, plainPlace, relationOf, relationPhrase, withRelation } from './relations.ts'
import { rewrite } from './rewrite.ts'
import { isOpen } from './spans.ts'
import type { Atom, Holes, Piece, Slot, Template } from './template.ts'
import type { Token } from './tokens.ts'

/** What a slot is bound to: tokens of the new instruction, or undefined for what the demonstration had. */
export type Bindings = ReadonlyMap<number, readonly Token[]>

type Hole = Exclude<Piece, string>

/** Where only `an emoji` is asked for. */
export const ANY_EMOJI = 'smiling_face'

/** A program with its holes filled by a function of the hole, or of the slot for atoms. */
export function fillHoles(
  program: Program,
  holes: Holes,
  fill: (hole: Hole | Atom, node: object) => string,
): Program {
  const text = (pieces: readonly Piece[], node: object): string =>
    pieces.reduce<string>(
      (sum, piece) => sum + (typeof piece === 'string' ? piece : fill(piece, node)),
      '',
    )
  return rewrite(program, {
    value: (node) => {
      const pieces = holes.texts.get(node)
      if (pieces !== undefined && node.type === 'string') {
        return { ...node, text: text(pieces, node), map: null }
      }
      const atom = holes.atoms.get(node)
      if (atom === undefined) return node
      const filled = fill(atom, node)
      if (node.type === 'name') return { ...node, name: filled }
      return node.type === 'number' ? { ...node, value: Number(filled) } : node
    },
    tool: (ident) => {
      const atom = holes.atoms.get(ident)
      return atom === undefined ? ident.name : fill(atom, ident)
    },
  })
}

/** The program of a template for new bindings. */
export function instantiate(template: Template, bindings: Bindings): Program {
  return fillHoles(template.program, template.holes, (hole, node) => {
    const slot = template.slots[hole.slot]
    if (slot === undefined) return ''
    const bound = bindings.get(slot.index) ?? slot.filler
    return 'opposite' in hole ? atomText(hole, slot, bound, node) : pieceText(slot, bound, hole)
  })
}

function atomText(atom: Atom, slot: Slot, bound: readonly Token[], node: object): string {
  const canon = bound[0]?.canon ?? ''
  if (atom.opposite) return oppositeSide(canon)
  const { name } = node as { readonly name?: string }
  return slot.type === 'rel' && name !== undefined && relationOf(name) !== undefined
    ? withRelation(name, canon)
    : canon
}

/** What stands in a hole of a text for a binding of its slot. */
export function pieceText(slot: Slot, bound: readonly Token[], hole: Hole): string {
  const canon = bound[0]?.canon ?? ''
  switch (slot.type) {
    case 'emoji':
      return emojiNamed(textOf(bound)) ?? ANY_EMOJI
    case 'number':
    case 'comp':
      return canon
    case 'conj':
      return canon.toLowerCase()
    case 'color':
      return canon
    case 'side':
    case 'rel':
      if (hole.said === true) return relationPhrase(canon)
      return hole.quoted ? plainPlace(canon) : canon
    case 'clause':
      return textOf(bound)
    case 'thing':
    case 'kind':
    case 'action':
      return slot.list
        ? items(bound)
            .map((item) => thingText(item, hole))
            .join(', ')
        : thingText(bound, hole)
    default:
      return slot.type satisfies never
  }
}

/** A list of things at its commas and conjunctions. */
export function items(bound: readonly Token[]): readonly (readonly Token[])[] {
  const list: Token[][] = [[]]
  for (const token of bound) {
    if (token.cls === 'comma' || token.cls === 'conj') list.push([])
    else list.at(-1)?.push(token)
  }
  return list
    .map((item) => item.slice(Math.max(0, item.findIndex(isOpen))))
    .filter((item) => item.length > 0)
}

function thingText(bound: readonly Token[], { form, article: wanted, quoted }: Hole): string {
  const plain = textOf(bound)
  const name = bound.some(isName)
  const text = name ? plain : inForm(plain, form)
  const head =
    text
      .split(/ (?:of|in|on|with) /)[0]
      ?.split(' ')
      .at(-1) ?? ''
  const whole =
    wanted && !(isPlural(head) && form !== 'singular') ? `${article(text)} ${text}` : text
  return quoted
    ? whole.replace(/[\\']/g, '\\$&')
    : whole.replaceAll('{', '{{').replaceAll('}', '}}')
}

function inForm(text: string, form: Hole['form']): string {
  if (form === 'singular') return singularPhrase(text)
  return form === 'plural' ? pluralPhrase(text) : text
}

/** Written with a capital although it is not the first word. */
export function isName(token: Token): boolean {
  return token.cls === 'word' && /^\p{Lu}/u.test(token.text)
}

/** The words of tokens; `everyone` is read as the people. */
function textOf(bound: readonly Token[]): string {
  return bound
    .map((token) => {
      if (token.canon === 'everyone') return 'person'
      return /^\p{Lu}/u.test(token.text) ? token.text : token.text.toLowerCase()
    })
    .join(' ')
}
