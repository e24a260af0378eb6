import { COLOUR_WORDS, parsePhrase } from '../phrase.ts'
import type { Phrase, Place, Relation } from '../phrase.ts'
import { NUMBER_PATTERN, numberOf } from './numbers.ts'
import type { Ask, NumberTest } from './question.ts'

/** A form of question: what it looks like (lower case, no marks), and what it asks. */
export interface QuestionRule {
  readonly pattern: RegExp
  /** `parts` are the groups of the match; undefined passes the question to the next rule. */
  readonly read: (parts: readonly string[], original: string) => Ask | undefined
}

const PICTURE = '(?:picture|image|photo|scene|shot)'
const COLOUR = `(?:${Object.keys(COLOUR_WORDS).join('|')})`
const CLOTHES =
  '(?:shirt|t shirt|tshirt|jacket|top|coat|sweater|jumper|hoodie|dress|clothes|clothing|suit|uniform|outfit|vest|blouse)'
const BESIDE =
  '(?:to the left of|left of|on the left of|to the right of|right of|on the right of|above|over|below|under|underneath|beneath|on top of|on|next to|beside|near|in front of|behind|inside|in)'

const rule = (pattern: string, read: QuestionRule['read']): QuestionRule => ({
  pattern: new RegExp(`^${pattern}$`),
  read,
})

const relationOf = (words: string): Relation | undefined =>
  parsePhrase(`thing ${words} thing`).relation?.how

const all = (text: string): readonly Phrase[] =>
  text.split(/\s+and (?=an? |the |some |any |at least )/).map(parsePhrase)

const test = (how: NumberTest['how'], word: string): NumberTest | undefined => {
  const than = numberOf(word)
  return than === undefined ? undefined : { how, than }
}

const HOW: Readonly<Record<string, NumberTest['how']>> = {
  'more than': 'more than',
  over: 'more than',
  'fewer than': 'fewer than',
  'less than': 'fewer than',
  'at least': 'at least',
}

/** Things that carry nothing but text, so that what is on them is what they say. */
const WRITTEN =
  '(?:[a-z]+ )?(?:sign|signpost|signboard|billboard|placard|label|banner|poster|notice|plaque|licen[cs]e plate|number plate|plate number)s?'

const reading: readonly QuestionRule[] = [
  rule(
    `what (?:is|stands)(?: there)? (?:on|at) ((?:the |this |that )?${WRITTEN})`,
    ([, thing = '']) => readThing(thing),
  ),
  rule(`(.+?) (?:says?|reads?|spells?) what`, ([, thing = '']) => readThing(thing)),
  rule('what (?:does|do|did) (.+?) (?:say|read|spell)(?: on it)?', ([, thing = '']) =>
    readThing(thing),
  ),
  rule(
    'what (?:is|was) (?:written|printed|painted|displayed|shown) (?:on|in|at) (.+)',
    ([, thing = '']) => readThing(thing),
  ),
  rule(
    'what (?:number|numbers|digits?) (?:is|are|can be seen|do you see) ?(?:written |printed |shown |displayed )?(?:on|in|at)? ?(.*)',
    ([, thing = '']) => ({ ...readThing(thing), only: 'numbers' }),
  ),
  rule(
    '(?:what|which) (?:text|words?|letters?|writing|message|slogan)(?: (?:is|are|do you see|can you read|can be read|does it say|appears))?(?: (?:written|printed|shown|there))?(?: ?(?:on|in|at) (.+))?',
    ([, thing = '']) => readThing(thing),
  ),
  rule(
    'what (?:is|are) the (?:text|words?|letters?|writing|message|slogan)(?: (?:written )?(?:on|in|of|at) (.+))?',
    ([, thing = '']) => readThing(thing),
  ),
  rule(
    '(?:read|transcribe)(?: (?:out|aloud))?(?: me)?(?: the)?(?: (?:text|words?|writing))?(?: ?(?:on|in|of|from) )?(.*)',
    ([, thing = '']) => readThing(thing),
  ),
  rule('what (?:is|are) the (?:license|licence|number|registration) plate(?: number)?.*', () =>
    readThing(''),
  ),
  rule(
    'what (?:is the name|name is)(?: written)? (?:on|of) (?:the )?(?:sign|shop|store|street|station|restaurant|boat|ship|hotel|bar|cafe|building).*',
    () => readThing(''),
  ),
]

function readThing(text: string): Extract<Ask, { kind: 'read' }> {
  const thing = parsePhrase(text)
  const whole = thing.noun === '' || new RegExp(`^${PICTURE}$`).test(thing.noun)
  return { kind: 'read', only: 'text', ...(whole ? {} : { thing }) }
}

const counting: readonly QuestionRule[] = [
  rule(
    '(?:there (?:is|are) )?(?:how many|what number of|what is the (?:total )?(?:number|count) of|(?:the )?number of|count(?: up)?(?: all)?(?: of)?(?: the)?) (?:of )?(?:the )?(.+)',
    ([, thing = '']) => ({ kind: 'count', thing: parsePhrase(thing) }),
  ),
  rule(
    `(?:are|is) there (more|fewer|less) (.+?) than (?!${NUMBER_PATTERN}\\b)(.+)`,
    ([, how, a = '', b = '']) => ({
      kind: 'compare-counts',
      things: [parsePhrase(a), parsePhrase(b)],
      how: how === 'more' ? 'more' : 'fewer',
    }),
  ),
  rule(
    'are there (?:as many|the same (?:number|amount) of) (.+?) (?:as|and) (.+)',
    ([, a = '', b = '']) => ({
      kind: 'compare-counts',
      things: [parsePhrase(a), parsePhrase(b)],
      how: 'as many',
    }),
  ),
  rule('(?:what|which) (?:is|are) there more(?: of)?,? (.+?) or (.+)', ([, a = '', b = '']) => ({
    kind: 'compare-counts',
    things: [parsePhrase(a), parsePhrase(b)],
    how: 'which',
  })),
  rule(
    `(?:is|are) there (more than|over|fewer than|less than|at least|exactly|only|just)? ?(${NUMBER_PATTERN}) (.+)`,
    ([, how = '', number = '', thing = '']) => {
      const wanted = test(HOW[how] ?? 'exactly', number)
      return wanted === undefined
        ? undefined
        : { kind: 'count', thing: parsePhrase(thing), test: wanted }
    },
  ),
]

const existing: readonly QuestionRule[] = [
  rule('(?:is|are|was|were) there (no|not any) (.+)', ([, , thing = '']) => ({
    kind: 'exists',
    things: all(thing),
    negated: true,
  })),
  rule(
    '(?:is|are) (?:there )?(?:anyone|anybody|someone|somebody)(?: else)?(?: (?:there|here|visible|present|in .+))?',
    () => ({
      kind: 'exists',
      things: [parsePhrase('person')],
      negated: false,
    }),
  ),
  rule('(?:is|are|was|were) there (.+)', ([, thing = '']) => exists(thing)),
  rule('(?:do|can|could) you (?:see|find|spot|detect) (.+)', ([, thing = '']) => exists(thing)),
  rule(
    `does (?:the|this|that) ${PICTURE} (?:contain|show|have|include|feature) (.+)`,
    ([, thing = '']) => exists(thing),
  ),
  rule(
    `(?:is|are) (.+?) (?:visible|present|shown|pictured|depicted|here)(?: (?:in|on) (?:the|this) ${PICTURE})?`,
    ([, thing = '']) => exists(thing),
  ),
  rule(
    `(?:is|are) (an? .+?|any .+?|some .+?|people|.+s) in (?:the|this|that) ${PICTURE}`,
    ([, thing = '']) => exists(thing),
  ),
  rule('any (.+)', ([, thing = '']) => exists(thing)),
]

function exists(text: string): Ask {
  return { kind: 'exists', things: all(text), negated: false }
}

const colouring: readonly QuestionRule[] = [
  rule(
    `(?:what|which) colou?rs? (?:is|are|does|do|has|have) (.+?)(?:'s?|s')? (${CLOTHES})(?: have)?`,
    ([, who = '']) => clothesOf(who),
  ),
  rule(
    `(?:what|which) colou?r(?:ed)? (?:is the |of )?(${CLOTHES}) (?:is|does|are|do|of) (.+?)(?: (?:wearing|wear|have on))?`,
    ([, , who = '']) => clothesOf(who),
  ),
  rule('(?:what|which) colou?rs? (?:is|are|does|do|has|have) (.+?)(?: have)?', ([, thing = '']) =>
    colourOf(thing),
  ),
  rule(
    '(?:what|which) (?:is|are) (?:the )?(?:main |dominant |most common |overall )?colou?rs? (?:of|in) (.+)',
    ([, thing = '']) => colourOf(thing),
  ),
  rule(
    `(?:is|are) (?!there )(.+?) (?:mostly |mainly |more )?(${COLOUR})(?: or (?:is it |are they )?(?:more )?(${COLOUR}))?(?: in colou?r)?`,
    ([, thing = '', one = '', other = '']) => {
      if (/ (?:wearing|dressed in|in)(?: an?| the)?$/.test(thing)) return undefined
      const colours = [one, other].filter((word) => word !== '')
      return {
        kind: 'is-colour',
        thing: parsePhrase(thing),
        colours: colours.map((word) => COLOUR_WORDS[word] ?? word),
      }
    },
  ),
]

/** "The suit" alone means what the person wears. */
function clothesOf(who: string): Ask {
  const thing = parsePhrase(/^(?:the|this|that|his|her|their)?$/.test(who) ? 'person' : who)
  return { kind: 'colour', thing, part: 'clothes' }
}

function colourOf(text: string): Ask {
  const thing = parsePhrase(text)
  if (new RegExp(`^(?:whole |entire )?${PICTURE}$`).test(thing.noun))
    return { kind: 'colour', part: 'all' }
  if (/^background/.test(thing.noun)) return { kind: 'colour', part: 'background' }
  return { kind: 'colour', thing, part: 'all' }
}

const placing: readonly QuestionRule[] = [
  rule(
    '(?:is|are) (.+?) (?:located |standing |sitting )?(?:to |on )?(?:the )?(left|right|above|below) (?:side )?or (?:to |on )?(?:the )?(right|left|below|above)(?: side)?(?: of)? (?!(?:the |this )?(?:picture|image|photo|scene)$)(.+)',
    ([, thing = '', one = '', other = '', to = '']) => {
      const among = [one, other].map((word) =>
        word === 'left' || word === 'right' ? `${word} of` : word,
      )
      return {
        kind: 'which-relation',
        thing: parsePhrase(thing),
        to: parsePhrase(to),
        among: among as Relation[],
      }
    },
  ),
  rule(
    `(?:is|are) (.+?) (?:located |standing |sitting )?(?:on |at |in |to )?(?:the )?(left|right|top|bottom|middle|center|centre)(?: side| half| part)? or (?:on |at |in |to )?(?:the )?(left|right|top|bottom|middle|center|centre)(?: side| half| part)?(?: of (?:the|this) ${PICTURE})?`,
    ([, thing = '', one = '', other = '']) => ({
      kind: 'where',
      thing: parsePhrase(thing),
      among: [one, other].map((word) => (word.startsWith('cent') ? 'middle' : word)) as Place[],
    }),
  ),
  rule(
    'where (?:in the (?:picture|image|photo) )?(?:is|are) (.+?)(?: located| positioned)?',
    ([, thing = '']) => ({ kind: 'where', thing: parsePhrase(thing) }),
  ),
  rule(
    `(?:on|in|at)? ?(?:which|what) (?:side|part|half|corner|area)(?: of (?:the|this) ${PICTURE})? (?:is|are) (.+?)(?: located)?(?: on| in)?`,
    ([, thing = '']) => ({ kind: 'where', thing: parsePhrase(thing) }),
  ),
  rule(
    '(?:is|are) (.+?) (bigger|larger|taller|wider|smaller|shorter) than (.+)',
    ([, a = '', how = '', b = '']) => size(a, b, how, 'yes-no'),
  ),
  rule(
    '(?:what|which|who)(?: one| object| thing| of them)? (?:is|are|looks) (?:the )?(bigger|larger|taller|wider|smaller|shorter)(?: one| object)?,? (?:in the (?:picture|image|photo),? )?(.+?),? or (.+)',
    ([, how = '', a = '', b = '']) => size(a, b, how, 'which'),
  ),
]

function size(a: string, b: string, how: string, form: 'yes-no' | 'which'): Ask {
  const smaller = how === 'smaller' || how === 'shorter'
  return {
    kind: 'size',
    things: [parsePhrase(a), parsePhrase(b)],
    how: smaller ? 'smaller' : 'bigger',
    form,
  }
}

const lighting: readonly QuestionRule[] = [
  rule(
    `(?:is|was) (?:it|this|the ${PICTURE}|this ${PICTURE}|the sky) (?:taken |shot )?(?:at |in |during )?(?:the )?(day|daytime|night|night ?time|dark|bright|light)(?: time)?(?: outside)?(?: or (?:at |in )?(?:the )?(day|daytime|night|night ?time|dark|bright|light)(?: time)?)?(?: in (?:the|this) ${PICTURE})?`,
    ([, one = '', other = '']) => ({
      kind: 'light',
      words: [one, other].filter((word) => word !== '').map(lightWord),
    }),
  ),
  rule('(?:what time of day is (?:it|this)|is it day or night).*', () => ({
    kind: 'light',
    words: ['day', 'night'],
  })),
  rule(
    `(?:is|was) (?:it|this|the ${PICTURE}|this ${PICTURE})(?: an?)? (?:taken )?(?:in )?(black and white|monochrome|gr[ae]y ?scale|colou?r|colou?red|colou?rful)(?: ${PICTURE}| photograph)?(?: or .+)?`,
    ([, word = '']) => ({
      kind: 'monochrome',
      yesMeans: word.startsWith('colo') ? 'coloured' : 'monochrome',
    }),
  ),
]

function lightWord(word: string): 'day' | 'night' | 'bright' | 'dark' {
  if (word.startsWith('day')) return 'day'
  if (word.startsWith('night')) return 'night'
  return word === 'dark' ? 'dark' : 'bright'
}

const naming: readonly QuestionRule[] = [
  rule(
    'who (?:is|are) (?:this|that|he|she|it|they|these|the (?:person|man|woman|boy|girl|people)|in (?:the|this) (?:picture|image|photo)).*',
    () => ({ kind: 'who' }),
  ),
  rule(
    "(?:do (?:i|you|we) (?:know|recogni[sz]e) (?:this|that|the|him|her|these|them).*|what is (?:his|her|the (?:person|man|woman)'s) name|whose face is (?:this|it|that))",
    () => ({ kind: 'who' }),
  ),
  rule('(?:is|are) (?:this|that|it|he|she) ([a-z]+(?: [a-z]+)?)', ([, name = ''], original) => {
    const written =
      new RegExp(`\\b${name.replaceAll(' ', '\\s+')}\\b`, 'i').exec(original)?.[0] ?? ''
    return /^[A-Z]/.test(written) ? { kind: 'who', name: written } : undefined
  }),
  rule(
    `what (?:is|are) (?:the )?(biggest|largest|main|smallest)(?: (?:object|thing|item|one))?(?: (?:in|on|of) .+)?`,
    ([, pick = '']) => ({
      kind: 'what',
      many: false,
      pick: pick === 'smallest' ? 'smallest' : 'biggest',
    }),
  ),
  rule(
    `what (?:is|are|do you see|can you see|can be seen|objects? (?:is|are)|things? (?:is|are)) (?:there )?(?:located |standing |sitting |lying )?(${BESIDE}) (.+)`,
    ([, how = '', to = '']) => whatAt(undefined, how, to),
  ),
  rule(
    `(?:what|which) (?:kinds? of |types? of |sorts? of )?([a-z ]+?) (?:is|are)(?: there)?(?: located| standing| sitting| lying)? (${BESIDE}) (.+)`,
    ([, group = '', how = '', to = '']) => whatAt(group, how, to),
  ),
  rule(
    '(?:what|which) (?:kind|type|sort)s? of ([a-z ]+?)(?: (?:is|are) (?:this|that|it|these|those|there|shown|visible|pictured|here).*| do you see.*| can you see.*)?',
    ([, group = '']) => ({ kind: 'what', group, many: false }),
  ),
  rule('(?:what|which) (objects|things|items)(?: (?:are|do|can) .+)?', () => ({
    kind: 'what',
    many: true,
  })),
  rule(
    '(?:what|which) ([a-z ]+?) (?:is|are) (?:this|that|it|these|those|there|shown|visible|pictured|depicted|here|seen)(?: .+)?',
    ([, group = '']) => ({ kind: 'what', group, many: /s$/.test(group) }),
  ),
  rule('(?:what|which) ([a-z ]+?) (?:do|can) you see.*', ([, group = '']) => ({
    kind: 'what',
    group,
    many: true,
  })),
  rule(
    `what (?:do|can) (?:you|we|i) see.*|what (?:is|are) (?:all )?(?:in|on|shown in|visible in) (?:the|this|that) ${PICTURE}|what does (?:the|this) ${PICTURE} show|what is (?:in )?(?:here|there)|what can be seen.*`,
    () => ({ kind: 'what', many: true }),
  ),
  rule('what (?:is|are) (?:this|that|it|these|those)(?: (?:in|on) .+)?', () => ({
    kind: 'what',
    many: false,
  })),
  rule(
    '(?:is|are) (?:this|that|it|these|those|the (?:animal|vehicle|object|thing|picture|image|photo)(?: in .+)?) (?:of |a picture of |showing )?(?:an? |the )?(?:kind of |type of )?([a-z ]+?)(?:,? or (?:an? |the )?([a-z ]+))?',
    ([, one = '', other = '']) => ({
      kind: 'is-what',
      options: [one, other].filter((word) => word !== ''),
    }),
  ),
]

function whatAt(group: string | undefined, how: string, to: string): Ask | undefined {
  const relation = relationOf(how)
  if (relation === undefined) return undefined
  const named = group === undefined || /^(?:object|thing|item)s?$/.test(group) ? {} : { group }
  const thing = parsePhrase(to)
  if (new RegExp(`^${PICTURE}$`).test(thing.noun)) {
    return { kind: 'what', many: group === undefined || /s$/.test(group), ...named }
  }
  if (thing.noun === '' || /^(?:left|right|top|bottom|middle)/.test(thing.noun)) return undefined
  return { kind: 'what', many: true, ...named, where: { how: relation, to: thing } }
}

/** A thing with a place or a relation: "is the dog on the left?", "is the cup on the table?" */
const located: readonly QuestionRule[] = [
  rule('(?:is|are) (.+)', ([, text = '']) => {
    const thing = parsePhrase(text)
    const placed =
      thing.place !== undefined || thing.relation !== undefined || thing.wears !== undefined
    return placed && thing.noun !== ''
      ? { kind: 'exists', things: [thing], negated: false }
      : undefined
  }),
]

/** Forms of questions, tried in order: the particular before the general. */
export const QUESTION_RULES: readonly QuestionRule[] = [
  ...reading,
  ...counting,
  ...lighting,
  ...colouring,
  ...placing,
  ...existing,
  ...located,
  ...naming,
]
