/** Nouns whose plural no rule gives; singular, then plural. */
const IRREGULAR: readonly (readonly [string, string])[] = (
  'person people|man men|woman women|child children|foot feet|tooth teeth|goose geese|mouse mice|' +
  'ox oxen|leaf leaves|knife knives|wife wives|life lives|wolf wolves|shelf shelves|half halves|' +
  'loaf loaves|scarf scarves|calf calves|thief thieves|potato potatoes|tomato tomatoes|' +
  'hero heroes|cactus cacti|bus buses|lens lenses|gas gases|quiz quizzes|fireman firemen|' +
  'policeman policemen|snowman snowmen|businessman businessmen|sportsman sportsmen|' +
  'policewoman policewomen|grandchild grandchildren|zucchini zucchinis|taxi taxis|die dice|' +
  'movie movies|cookie cookies|zombie zombies|selfie selfies|tie ties|pie pies|necktie neckties|' +
  'cow cows|axe axes|shoe shoes|canoe canoes|toe toes|horse horses|house houses|nose noses|' +
  'rose roses|vase vases|case cases|suitcase suitcases|briefcase briefcases|bookcase bookcases|' +
  'purse purses|hose hoses|blouse blouses|cheese cheeses|tortoise tortoises|nurse nurses|' +
  'base bases|phase phases|cache caches|moustache moustaches|mustache mustaches|' +
  'headache headaches|avalanche avalanches|volcano volcanoes|tornado tornadoes|mango mangoes|' +
  'mosquito mosquitoes|torpedo torpedoes|echo echoes|domino dominoes|buffalo buffaloes|ski skis|' +
  'sari saris|bikini bikinis|kiwi kiwis|yeti yetis'
)
  .split('|')
  .map((pair) => pair.split(' ') as [string, string])

/** Plural in form and use, without a singular of its own. */
const ONLY_PLURAL = new Set(
  (
    'scissors trousers jeans pants shorts glasses sunglasses binoculars pliers tweezers pyjamas ' +
    'pajamas tights leggings goggles headphones clothes stairs fries briefs eyeglasses'
  ).split(' '),
)

/** Left as they are: both numbers alike, or an ending that only looks like a plural. */
const INVARIANT = new Set(
  (
    'sheep deer fish aircraft spacecraft series species moose bison salmon trout shrimp offspring ' +
    'bus gas lens canvas yes has does his its as this is was us always perhaps sometimes besides ' +
    'towards christmas pancreas atlas news blowfish jellyfish swordfish goldfish starfish catfish ' +
    'squid footwear headgear furniture cutlery jewelry jewellery luggage broccoli garlic bread ' +
    'bacon popcorn lettuce'
  ).split(' '),
)

const SINGULAR = new Map(IRREGULAR.map(([one, many]) => [many, one]))
const PLURAL = new Map(IRREGULAR)

/** Endings that take -es. */
const ES_ENDING = /(?:s|x|z|ch|sh)$/

/** A noun's singular by rule and table; words that have none come back as they are. Lower case in. */
export function singular(word: string): string {
  const known = SINGULAR.get(word)
  if (known !== undefined) return known
  if (INVARIANT.has(word) || ONLY_PLURAL.has(word) || PLURAL.has(word)) return word
  if (word.length < 4 || !word.endsWith('s')) return word
  if (/(?:ss|us|is)$/.test(word)) return word
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/** A noun's plural by rule and table; a plural comes back as it is. Lower case in. */
export function plural(word: string): string {
  const known = PLURAL.get(word)
  if (known !== undefined) return known
  if (isPlural(word) || INVARIANT.has(word)) return word
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return ES_ENDING.test(word) ? `${word}es` : `${word}s`
}

/** True for a form that `singular` would change, or that has no singular. */
export function isPlural(word: string): boolean {
  return singular(word) !== word || ONLY_PLURAL.has(word)
}

/** `a` or `an` before a word, by its first letter; `hour`, `one`, `unicorn` and their like are known. */
export function article(word: string): 'a' | 'an' {
  if (/^(?:hour|honest|heir)/i.test(word)) return 'an'
  if (/^(?:uni|use|usu|euro|one|ufo|ukulele|u[^a-z])/i.test(word)) return 'a'
  return /^[aeiou]/i.test(word) ? 'an' : 'a'
}

/** The last word of a phrase in the singular, the rest as it is: `baseball bats` to `baseball bat`. */
export function singularPhrase(phrase: string): string {
  return onHead(phrase, singular)
}

/** The head of a phrase in the plural: `bottle of wine` to `bottles of wine`. */
export function pluralPhrase(phrase: string): string {
  return onHead(phrase, plural)
}

/** Changes the head noun: the word before the first preposition, else the last one. */
function onHead(phrase: string, change: (word: string) => string): string {
  const words = phrase.split(' ')
  const at = words.findIndex((word, i) => i > 0 && PREPOSITIONS.has(word))
  const head = at === -1 ? words.length - 1 : at - 1
  const word = words[head]
  if (word === undefined) return phrase
  const lower = word.toLowerCase()
  // Alone, glasses are worn; with a word before them they are for drinking.
  const changed = change === singular && lower === 'glasses' && head > 0 ? 'glass' : change(lower)
  if (changed === lower) return phrase
  words[head] = word === lower ? changed : changed[0]?.toUpperCase() + changed.slice(1)
  return words.join(' ')
}

const PREPOSITIONS = new Set('of in on with at from near by for without wearing holding'.split(' '))
