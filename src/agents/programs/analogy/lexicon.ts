/**
 * What kind of word a token is; it decides how much it costs to leave the token out of account.
 *
 * Only closed classes are listed (determiners, relations, numbers, comparisons …) and the usual names
 * of the few things one does with pictures. All other words are `word`: what they mean comes from the
 * demonstrations alone.
 */
export type TokenClass =
  | 'filler'
  | 'det'
  | 'aux'
  | 'pron'
  | 'prep'
  | 'comma'
  | 'picture'
  | 'exist'
  | 'conj'
  | 'than'
  | 'except'
  | 'rel'
  | 'side'
  | 'number'
  | 'comp'
  | 'quant'
  | 'every'
  | 'neg'
  | 'color'
  | 'wh'
  | 'verb'
  | 'term'
  | 'kind'
  | 'word'

/** Cost of a token of the class that the other side does not have. Below the limit of acceptance (0.9): tolerable. */
export const WEIGHT: { readonly [C in TokenClass]: number } = {
  filler: 0.01,
  det: 0.03,
  aux: 0.05,
  comma: 0.03,
  pron: 0.08,
  picture: 0.08,
  exist: 0.1,
  than: 0.1,
  prep: 0.15,
  every: 0.5,
  wh: 0.8,
  except: 0.8,
  conj: 1,
  term: 1,
  kind: 1,
  quant: 1.2,
  side: 1.2,
  color: 1.2,
  verb: 1.2,
  word: 1.2,
  neg: 1.5,
  comp: 1.5,
  number: 1.5,
  rel: 1.5,
}

/** Words for what sort of thing something is; a slot over one takes another. */
export const KINDS = 'kind type sort breed species variety brand model style'

/** How something is somewhere; before a place it says nothing more than `is`. */
export const POSTURES =
  'stand stands standing sit sits sitting lie lies lying hang hangs hanging parked located placed ' +
  'situated waiting floating grazing graze'

export const COLORS =
  'red blue green yellow orange purple pink brown black white gray golden silver beige turquoise violet'

const PIC = '(?:picture|image|photo|photograph|shot|scene|pic|snapshot)s?'
const OF_PIC = `(?: of)?(?: the| this| that| your)? ${PIC}`

/** A picture's side, or which of two pictures: the longer forms first. */
function sides(canon: string, words: string): readonly LexiconRow[] {
  const part = '(?: hand)?(?: side| half| part| edge| corner)?'
  const at = '(?:(?:to|on|at|in|along) )?(?:the )?'
  return [
    ['side', canon, `(?:the )?${PIC} (?:on|to|at) the (?:${words})${part}`],
    ['side', canon, `${at}(?:${words})${part}${OF_PIC}`],
    ['side', canon, `${at}(?:${words}) one`],
  ]
}

/** Class, canonical form, and a pattern over lower-case words. */
export type LexiconRow = readonly [cls: TokenClass, canon: string, pattern: string]

/** In order: the first pattern that matches at a word wins. */
export const LEXICON: readonly LexiconRow[] = [
  ['comma', ',', '[,;]'],
  [
    'filler',
    'PLEASE',
    'please|kindly|now|simply|really|actually|also|too|currently|then|maybe|anywhere|somewhere|at all|for me',
  ],
  [
    'filler',
    'TELL',
    '(?:please )?(?:tell me|let me know|i (?:want|would like|need) to know|i wonder|do you know|check|find out|would you say|do you think|give me|(?:say|state)(?= (?:if|whether|that|what|which|how|who|where|the)\\b)|it is true|see(?= if| whether))(?: whether| if| that)?',
  ],
  ['filler', 'WANT', 'i (?:want|would like|need) you to|i (?:want|would like) to|let us|help me'],

  // Two pictures, or all of one kind.
  ['quant', 'ONLYONE', `(?:in )?(?:exactly|only|just) one(?: of)?(?: the| these)?(?: two)? ${PIC}`],
  ['quant', 'NEITHER', `(?:in )?neither(?: one)?(?: of)?(?: the| these)?(?: two)?(?: ${PIC})?`],
  ['quant', 'NEITHER', `(?:in )?none of(?: the| these)?(?: two)? ${PIC}|(?:in )?no ${PIC}`],
  [
    'quant',
    'EITHER',
    `(?:in )?(?:at least )?(?:one|any)(?: or both)? of(?: the| these)?(?: two)? ${PIC}`,
  ],
  ['quant', 'EITHER', `(?:in )?at least one ${PIC}`],
  ['quant', 'EITHER', `(?:in )?either(?: one)?(?: of)?(?: the| these)?(?: two)?(?: ${PIC})?`],
  [
    'quant',
    'BOTH',
    `(?:in |on )?(?:each|every)(?: single)?(?: one)?(?: of)?(?: the| these)?(?: two)? ${PIC}`,
  ],
  ['quant', 'BOTH', `(?:in |on )?both(?: of)?(?: the| these)?(?: two)?(?: ${PIC})?`],
  ['quant', 'BOTH', `(?:in |on )?(?:the |these )?two ${PIC}`],
  [
    'quant',
    'TOTAL',
    '(?:taken )?(?:all )?together|in total|in all|altogether|a total of|combined|overall',
  ],
  [
    'comp',
    '==',
    '(?:only|just)(?= (?:one|two|three|four|five|six|seven|eight|nine|ten|[0-9]+)(?: |$))',
  ],
  ['quant', 'ONLY', 'only|solely|just|alone|nothing but'],

  // Asking.
  [
    'wh',
    'HOWMANY',
    'how many|(?:what|which) (?:is )?(?:the )?(?:total )?(?:number|count) of|how much',
  ],
  ['wh', 'HOWMANY', '(?:the )?(?:total )?(?:number|count|amount) of|count(?: up)?'],
  [
    'comp',
    'SAMECOLOR',
    '(?:of |in )?(?:the |an )?(?:same|equal|identical) colou?rs?|share (?:a|the) colou?r',
  ],
  [
    'wh',
    'WHATCOLOR',
    '(?:what|which) (?:(?:is|are) )?(?:the )?(?:colou?r|shade|hue|tint)s?(?: of)?|(?:the )?(?:colou?r|shade|hue|tint)s? of',
  ],
  ['wh', 'WHAT', 'what|which'],
  ['wh', 'WHERE', 'where(?:abouts)?'],
  ['wh', 'WHO', 'who|whom|whose'],
  ['wh', 'HOW', 'how|why|when'],
  [
    'term',
    'SAY',
    'says?|saying|reads?|reading|written|text|words?|writing|printed|letters?|lettering|inscription',
  ],

  // Where.
  ['side', 'LEFT', `(?:(?:in|on) )?the first(?: ${PIC}| one)|first ${PIC}`],
  ['side', 'RIGHT', `(?:(?:in|on) )?the second(?: ${PIC}| one|(?= ?$))|second ${PIC}`],
  ...sides('LEFT', 'left'),
  ...sides('RIGHT', 'right'),
  ...sides('TOP', 'top|upper'),
  ...sides('BOTTOM', 'bottom|lower'),
  ['rel', 'LEFTOF', '(?:(?:to|on|at|from) )?(?:the )?left(?: hand)?(?: side)? (?:of|from)'],
  ['rel', 'RIGHTOF', '(?:(?:to|on|at|from) )?(?:the )?right(?: hand)?(?: side)? (?:of|from)'],
  ['rel', 'INFRONTOF', 'in front of|ahead of'],
  ['rel', 'BEHIND', 'behind|in back of'],
  ['rel', 'ABOVE', 'above|on top of|over|higher (?:up )?than'],
  ['rel', 'BELOW', 'below|under|underneath|beneath|lower (?:down )?than'],
  ['side', 'LEFT', '(?:(?:on|to|at|in) )?(?:the )?left(?: hand)?(?: side| half| part)?'],
  ['side', 'RIGHT', '(?:(?:on|to|at|in) )?(?:the )?right(?: hand)?(?: side| half| part)?'],
  ['side', 'TOP', '(?:(?:on|to|at|in) )?(?:the )?(?:top|upper)(?: side| half| part)?'],
  ['side', 'BOTTOM', '(?:(?:on|to|at|in) )?(?:the )?(?:bottom|lower)(?: side| half| part)?'],
  ['side', 'OTHER', `(?:(?:in|on) )?the other(?: ${PIC}| one)?`],

  // How many, compared with what.
  ['comp', 'TWICE', 'twice as many|two times as many|double the number of'],
  [
    'comp',
    '>=',
    'at (?:the )?least|(?:no|not) (?:fewer|less) than|not (?:below|under)|a minimum of',
  ],
  ['comp', '<=', 'at (?:the )?most|(?:no|not) more than|not (?:above|over)|up to|a maximum of'],
  [
    'comp',
    '==',
    'exactly|precisely|as many|(?:the |an )?(?:same|equal) (?:number|amount|count)(?: of)?|equal(?: to)?|equals|equally many|(?:the )?same as',
  ],
  [
    'comp',
    '>',
    '(?:a )?(?:larger|greater|higher|bigger) (?:number|amount|count) of|more|greater|higher',
  ],
  [
    'comp',
    '<',
    '(?:a )?(?:smaller|lower) (?:number|amount|count) of|fewer|less|smaller number|lower|smaller',
  ],
  ['than', 'THAN', 'than|as'],
  ['neg', 'NO', 'not (?:a single|any|an?)|not|no|without any|none|never'],

  // What is to be pointed at.
  ['verb', 'TAG', '(?:show|tell|mark|point out)(?: me| us)? where|show me'],

  // There is.
  [
    'exist',
    'EXIST',
    '(?:can|do|could|did|does) (?:you|we|i|one) (?:see|spot|find|notice|make out)',
  ],
  ['exist', 'EXIST', '(?:you|we|i|one) (?:can|could) (?:see|spot|find|notice)|(?:i|we|you) see'],
  [
    'exist',
    'EXIST',
    '(?:is|are|was|were) there|there (?:is|are|was|were)|(?:can |could )?be (?:seen|found|spotted|counted|made out)|(?:been )?(?:pictured|photographed|captured)',
  ],
  [
    'exist',
    'EXIST',
    'contain(?:s|ed|ing)?|includes?|depicts?|features?|has|have|having|visible|in view|in sight',
  ],
  ['exist', 'EXIST', 'shows?|showing|present|seen|shown|exists?|appears?|there|on display'],

  // What one does with pictures.
  [
    'verb',
    'BLUR',
    'out of focus|blur(?:s|red|ring|ry)?(?: out)?|defocus(?:ed)?|unsharp|fuzzy|soften',
  ],
  ['term', 'INSTEAD', 'instead of|in place of|rather than'],
  ['term', 'SHARP', '(?:in (?:sharp )?)?focus(?:ed)?|sharp|crisp|clear|unblurred'],
  ['verb', 'POP', `colou?r pop(?:ping)?(?: of)?|selective colou?r`],
  [
    'color',
    'gray',
    'black and white|gr[ae]y(?: ?scale)?(?: out)?|monochrome|desaturated?|colou?rless|without colou?r',
  ],
  ['term', 'COLOR', '(?:in )?(?:its |their |full )?colou?r(?:s|ed)?|(?:in )?colou?red|colou?rful'],
  [
    'except',
    'EXCEPT',
    'except(?:ing)?(?: for)?|apart from|aside from|other than|besides|save for|with the exception of|excluding|but not|but',
  ],
  [
    'term',
    'REST',
    `(?:the |all )?(?:whole |entire )?(?:background|surroundings)(?: of| around| behind)?`,
  ],
  [
    'term',
    'REST',
    `(?:everything|anything|all) else(?: in the ${PIC})?|all else|(?:all )?the rest(?: of the ${PIC})?`,
  ],
  [
    'term',
    'REST',
    `everything(?: in the ${PIC})?|all of it|(?:the )?(?:whole|entire) ${PIC}|all(?: of)? the ${PIC}`,
  ],
  [
    'verb',
    'HIDE',
    'hid(?:e|es|den|ing)|cover(?:s|ed)?(?: up)?|mask(?:ed)?|conceal(?:ed)?|obscure|censor|anonymi[sz]e',
  ],
  [
    'verb',
    'TAG',
    'draw (?:a )?(?:box(?:es)?|frames?) (?:around|round|on)|(?:put|place|add) (?:a )?(?:labels?|tags?|box(?:es)?) (?:on|around|round|to)',
  ],
  [
    'verb',
    'TAG',
    'point out|tag(?:ged)?|label(?:led|ed)?|mark(?:ed)?|annotate|highlight|outline|identify|name|find|locate|detect|circle',
  ],
  ['verb', 'PUT', 'put|place|draw|stick|paste|write'],
  [
    'verb',
    'REMOVE',
    'removed?|erased?|deleted?|drain(?:ed)?|strip(?:ped)?|get rid of|take (?:out|away)|take|eliminate|wipe out|disappear|vanish|go away',
  ],
  ['verb', 'REPLACE', 'replaced?|swap(?:ped)?(?: out)?|substituted?|exchanged?|switch(?:ed)?'],
  ['verb', 'TURN', 'turn|change|convert|transform|render'],
  ['verb', 'MAKE', 'make|i (?:want|would like|need)'],
  ['verb', 'KEEP', 'keep|leave|leaving|keeping|preserve|retain|stays?|remain'],
  ['picture', 'EMOJI', 'emojis?|emoticons?'],

  // Small words.
  ['every', 'EVERY', 'every(?: single)?|each(?: one)?(?: and every)?(?: of)?|all(?: of)?|any of'],
  ['word', 'everyone', 'everyone|everybody|all people|anyone|anybody|someone|somebody|whoever'],
  ['wh', 'THING', 'anything|something'],
  ['conj', 'AND', 'and|as well as|plus|&'],
  ['conj', 'OR', 'or'],
  ['conj', 'NOR', 'nor'],
  ['picture', 'PICTURE', PIC],
  ['det', 'DET', 'an?|the|this|that|these|those|some|any|my|your|our|his|her|its|their|such'],
  [
    'aux',
    'AUX',
    'is|are|was|were|be|been|being|do|does|did|can|could|will|would|should|shall|may|might|must|am|got|painted',
  ],
  ['pron', 'PRON', 'it|them|they|he|she|you|i|me|we|us|here|him|ones'],
  ['prep', 'of', 'of'],
  [
    'prep',
    'PREP',
    'in|on|at|to|from|with|using|by|for|into|onto|near|next to|around|round|out|off|away|inside|up|down|about',
  ],
]
