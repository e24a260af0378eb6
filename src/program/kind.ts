import type { Image, ObjectRecord } from '../image/index.ts'
import type { ArgType, Kind } from './signature.ts'
import type { ListValue, Value } from './value.ts'

export function isList(value: Value): value is ListValue {
  return Array.isArray(value)
}

export function isImage(value: Value): value is Image {
  return typeof value === 'object' && value !== null && !isList(value) && value.type === 'image'
}

export function isObject(value: Value): value is ObjectRecord {
  return typeof value === 'object' && value !== null && !isList(value) && value.type === 'object'
}

/** The kind of a value; an empty list is a list of anything. */
export function kindOf(value: Value): Kind {
  if (value === null) return 'none'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'bool'
  if (isImage(value)) return 'image'
  if (isObject(value)) return 'object'
  const list = value as ListValue
  if (list.length === 0) return { list: 'any' }
  return listOf(list.map(kindOf).reduce(commonKind))
}

/** The kind of a list of such items; lists of objects are `objects`. */
export function listOf(item: Kind): Kind {
  return item === 'object' ? 'objects' : { list: item }
}

/** The kind of the items of a list kind, or undefined when it is none. */
export function itemKind(kind: Kind): Kind | undefined {
  if (kind === 'objects') return 'object'
  if (kind === 'any') return 'any'
  return typeof kind === 'object' ? kind.list : undefined
}

/** The kind that holds both: equal, a scalar, or unknown. */
export function commonKind(a: Kind, b: Kind): Kind {
  if (kindName(a) === kindName(b)) return a
  return isScalarKind(a) && isScalarKind(b) ? 'scalar' : 'any'
}

export function isScalarKind(kind: Kind): boolean {
  return ['text', 'number', 'bool', 'none', 'scalar'].includes(kind as string)
}

export function kindName(kind: Kind): string {
  return typeof kind === 'object' ? `list of ${kindName(kind.list)}` : kind
}

/** True when a value of this kind can be shown as text (the display rule). */
export function isDisplayable(kind: Kind): boolean {
  if (typeof kind === 'object') return isDisplayable(kind.list)
  return kind === 'any' || isScalarKind(kind)
}

/** True when a value of kind `got` may stand where `wanted` is, as far as is known before the run. */
export function fits(got: Kind, wanted: Kind): boolean {
  if (got === 'any' || wanted === 'any') return true
  const inner = itemKind(got)
  const wantedInner = itemKind(wanted)
  if (inner !== undefined && wantedInner !== undefined) return fits(inner, wantedInner)
  if (wanted === 'objects') return got === 'object'
  if (got === 'scalar' || wanted === 'scalar') return isScalarKind(got) && isScalarKind(wanted)
  return got === wanted
}

const PLAIN: readonly Kind[] = ['text', 'number', 'bool', 'scalar', 'any']

/** True when a variable of this kind may be given for an argument of that type (program-language §2). */
export function accepts(type: ArgType, kind: Kind): boolean {
  const isPlain = (kind: Kind): boolean => PLAIN.some((plain) => plain === kind)
  switch (type) {
    case 'image':
      return kind === 'image' || kind === 'any'
    case 'objects':
      return fits(kind, 'objects')
    case 'text':
      return isPlain(kind)
    case 'texts':
      return isPlain(kind) || (typeof kind === 'object' && isPlain(kind.list))
    case 'integer':
    case 'number':
      return kind === 'number' || kind === 'scalar' || kind === 'any'
    case 'bool':
      return kind === 'bool' || kind === 'scalar' || kind === 'any'
    case 'list':
      return itemKind(kind) !== undefined || kind === 'object'
    case 'expression':
      return isScalarKind(kind) || kind === 'any'
    case 'variable':
      return true
    case 'emoji':
      return kind === 'text' || kind === 'scalar' || kind === 'any'
    default:
      return type satisfies never
  }
}

const WORDS: Readonly<Record<ArgType, string>> = {
  image: 'an image',
  objects: 'objects',
  text: 'a text',
  texts: 'a text or a list of texts',
  integer: 'a whole number',
  number: 'a number',
  bool: 'True or False',
  list: 'a list',
  expression: 'an expression in quotes or a variable',
  variable: 'a variable',
  emoji: 'the name of an emoji',
}

/** What an argument wants, in words. */
export function typeWords(type: ArgType): string {
  return WORDS[type]
}
