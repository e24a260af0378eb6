import type { Names } from './names.ts'

/** What a question in free words asks to be measured, about the things that it names. */
export type WholeQuestion =
  | { readonly kind: 'larger' | 'smaller'; readonly a: string; readonly b: string }
  | { readonly kind: 'count' | 'exists'; readonly phrase: string }
  | { readonly kind: 'colour' | 'size'; readonly a: string; readonly options: readonly string[] }
  | { readonly kind: 'same-colour'; readonly a: string; readonly b: string }
  | { readonly kind: 'side'; readonly a: string; readonly b?: string; readonly across: boolean }
  | { readonly kind: 'any' | 'all' | 'only' | 'which'; readonly a: string; readonly b: string }

/** Most words of a name. */
const LONGEST = 4

const COLOURS = /\b(red|orange|yellow|green|blue|purple|pink|brown|black|white|gr[ae]y)\b/g
const RELATIONS: readonly (readonly [said: RegExp, how: string])[] = [
  [/\bleft\b/, 'left of'],
  [/\bright\b/, 'right of'],
  [/\b(?:above|over|higher)\b/, 'above'],
  [/\b(?:below|under|beneath|lower)\b/, 'below'],
]

/** Names that the models learnt, in the order in which they stand in a text; the longest where they overlap. */
export function mentioned(text: string, names: Names): readonly string[] {
  const words = text.toLowerCase().match(/[a-z][a-z'-]*/g) ?? []
  const found: string[] = []
  for (let i = 0; i < words.length; i++) {
    for (let size = Math.min(LONGEST, words.length - i); size > 0; size--) {
      const one = names.named(words.slice(i, i + size).join(' '))
      if (one === undefined) continue
      if (!found.includes(one.label)) found.push(one.label)
      i += size - 1
      break
    }
  }
  return found
}

/** Reads a question by its key words and the names in it; undefined where they do not tell. */
export function readWhole(question: string, names: Names): WholeQuestion | undefined {
  const text = question.toLowerCase()
  const [a, b] = mentioned(text, names)
  if (a === undefined) return undefined
  const sides = RELATIONS.filter(([said]) => said.test(text)).map(([, how]) => how)
  const two = b === undefined ? undefined : { a, b }
  if (two !== undefined && /\b(?:larger|bigger|more room|largest|biggest)\b/.test(text)) {
    return { kind: 'larger', ...two }
  }
  if (two !== undefined && /\b(?:smaller|smallest|less room)\b/.test(text)) {
    return { kind: 'smaller', ...two }
  }
  if (/\b(?:how many|number of|count)\b/.test(text)) {
    return { kind: 'count', phrase: placed(a, b, sides) }
  }
  const options = [...new Set(text.match(COLOURS) ?? [])]
  if (/\bcolou?r/.test(text) || options.length === 2) {
    if (two !== undefined && options.length === 0) return { kind: 'same-colour', ...two }
    return { kind: 'colour', a, options }
  }
  if (/\bsmall\b/.test(text) && /\blarge\b/.test(text)) return { kind: 'size', a, options: [] }
  if (sides.length === 2) {
    const across = sides[0] === 'left of'
    if (two === undefined) return { kind: 'side', a, across }
    // "Seen from the bus, is the fox …": what is named in a clause of its own is where one looks from.
    return from(text, two)
      ? { kind: 'side', a: two.b, b: a, across }
      : { kind: 'side', ...two, across }
  }
  if (sides.length === 1) return { kind: 'exists', phrase: placed(a, b, sides) }
  return two === undefined ? { kind: 'exists', phrase: a } : together(text, two)
}

/** Whether a comma stands between the first thing and the second. */
function from(text: string, { b }: { readonly b: string }): boolean {
  const comma = text.indexOf(',')
  const second = text.lastIndexOf(b)
  return comma >= 0 && second > comma && text.slice(comma).includes(b)
}

/** "zebra above calendar". */
function placed(a: string, b: string | undefined, [how]: readonly string[]): string {
  return b === undefined || how === undefined ? a : `${a} ${how} the ${b}`
}

function together(text: string, two: { readonly a: string; readonly b: string }): WholeQuestion {
  if (/\b(?:no|not|without|lacks?|missing)\b/.test(text)) return { kind: 'only', ...two }
  if (/\bor\b/.test(text) && !/\b(?:any|either|both|at least)\b/.test(text)) {
    return { kind: 'which', ...two }
  }
  return { kind: /\b(?:or|any|either|at least)\b/.test(text) ? 'any' : 'all', ...two }
}
