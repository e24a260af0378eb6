/** Plurals that no rule gives, and words that only look like plurals. */
const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  persons: 'person',
  men: 'man',
  women: 'woman',
  children: 'child',
  mice: 'mouse',
  geese: 'goose',
  feet: 'foot',
  teeth: 'tooth',
  oxen: 'ox',
  knives: 'knife',
  wives: 'wife',
  lives: 'life',
  leaves: 'leaf',
  loaves: 'loaf',
  shelves: 'shelf',
  bookshelves: 'bookshelf',
  halves: 'half',
  wolves: 'wolf',
  scarves: 'scarf',
  calves: 'calf',
  elves: 'elf',
  dice: 'die',
  cacti: 'cactus',
  shoes: 'shoe',
  horseshoes: 'horseshoe',
  canoes: 'canoe',
  toes: 'toe',
  pies: 'pie',
  ties: 'tie',
  neckties: 'necktie',
  movies: 'movie',
  cookies: 'cookie',
  brownies: 'brownie',
  zombies: 'zombie',
  selfies: 'selfie',
  caches: 'cache',
  axes: 'axe',
  buses: 'bus',
  lenses: 'lens',
  gases: 'gas',
  vases: 'vase',
  horses: 'horse',
  houses: 'house',
  noses: 'nose',
  roses: 'rose',
  cases: 'case',
  suitcases: 'suitcase',
  series: 'series',
  species: 'species',
  scissors: 'scissors',
  skis: 'skis',
  lens: 'lens',
  gas: 'gas',
  canvas: 'canvas',
  pants: 'pants',
  trousers: 'trousers',
  jeans: 'jeans',
  shorts: 'shorts',
  clothes: 'clothes',
  christmas: 'christmas',
  always: 'always',
}

/** Endings, tried in order: the first that fits is replaced. */
const ENDINGS: readonly (readonly [ending: RegExp, by: string])[] = [
  [/(ss|us|is)$/, '$1'],
  [/([^aeiou])ies$/, '$1y'],
  [/(ch|sh|ss|x|zz)es$/, '$1'],
  [/([^aeiou]o)es$/, '$1'],
  [/s$/, ''],
]

/** The singular of an English noun in lower case; a singular stays as it is. */
export function singular(noun: string): string {
  const known = Object.hasOwn(IRREGULAR, noun) ? IRREGULAR[noun] : undefined
  if (known !== undefined) return known
  if (noun.length < 3) return noun
  for (const [ending, by] of ENDINGS) if (ending.test(noun)) return noun.replace(ending, by)
  return noun
}

/**
 * A name for comparison: NFC, lower case, blanks for `_` and `-`, without leading article, the last
 * word singular; a sense in brackets is kept.
 *
 * @source program-language §8 (SELECT), clova §4.2
 */
export function normaliseName(name: string): string {
  const [, before = '', sense = ''] = /^(.*?)(\s*\([^)]*\))?$/s.exec(plainText(name)) ?? []
  const words = withoutArticle(before).split(' ')
  const head = words.pop() ?? ''
  return [...words, singular(head)].join(' ') + (sense === '' ? '' : ` ${sense.trim()}`)
}

/** NFC, lower case, `_` and `-` as blanks, blanks collapsed. */
export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[_\-\s]+/g, ' ')
    .trim()
}

/** The text without a leading `a`, `an`, `the`, `some`, `any`. */
export function withoutArticle(text: string): string {
  return text.trim().replace(/^(?:an?|the|some|any)\s+/i, '')
}

/** Items of a text or list: split at commas, trimmed, empty and repeated ones dropped (SELECT). */
export function splitTexts(value: unknown): readonly string[] {
  const items = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  const seen = new Set<string>()
  const kept: string[] = []
  for (const item of items) {
    const text = String(item).trim()
    const key = normaliseName(text)
    if (text === '' || seen.has(key)) continue
    seen.add(key)
    kept.push(text)
  }
  return kept
}
