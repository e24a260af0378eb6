import type { Concept } from '../concepts.ts'
import type { ColourWord, RelationName } from '../types.ts'

/** Colours that things are tinted in and asked about. */
export const TINTED: readonly ColourWord[] = [
  ...(['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink'] as const),
]

/** "an owl", "scissors", "broccoli". */
export function withArticle({ label, article }: Pick<Concept, 'label' | 'article'>): string {
  return article === '' ? label : `${article} ${label}`
}

/** "a" or "an" before a word that is written next. */
export function articleFor(word: string): string {
  return /^[aeiou]/i.test(word) ? 'an' : 'a'
}

/** "a, b and c". */
export function listed(items: readonly string[], last = 'and'): string {
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1) ?? ''}`
}

/** How a relation is said, the plainest first, and which crop looks there. */
export const RELATION_WORDS: Readonly<
  Record<
    'to the left of' | 'to the right of' | 'above' | 'below',
    { readonly said: readonly string[]; readonly crop: string; readonly short: string }
  >
> = {
  'to the left of': {
    said: ['to the left of', 'left of'],
    crop: 'CROP_LEFTOF',
    short: 'left',
  },
  'to the right of': {
    said: ['to the right of', 'right of'],
    crop: 'CROP_RIGHTOF',
    short: 'right',
  },
  above: { said: ['above', 'higher up than'], crop: 'CROP_ABOVE', short: 'above' },
  below: { said: ['below', 'under'], crop: 'CROP_BELOW', short: 'below' },
}

export type SideRelation = keyof typeof RELATION_WORDS

export const SIDE_RELATIONS = Object.keys(RELATION_WORDS) as readonly SideRelation[]

/** The other way round. */
export const INVERSE: Readonly<Record<RelationName, RelationName>> = {
  'to the left of': 'to the right of',
  'to the right of': 'to the left of',
  above: 'below',
  below: 'above',
  'in front of': 'behind',
  behind: 'in front of',
}

export const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'] as const
