import { plainSentence, singularPhrase, words } from '../../../memory/index.ts'
import { dialogueProgram } from './start-dialogues.ts'

/** A way of acting that certain words ask for, whatever stands around them. */
interface Cue {
  readonly way: string
  readonly said: RegExp
  /** The calls; `[x]` is what is named, without it nothing needs to be named. */
  readonly call: string
  readonly tell?: string
}

const detect = "DETECT(image=IMAGE,caption='[x]')"
const detecting = (tell: string, said: RegExp): Cue => ({ way: tell, said, call: detect, tell })

/** In order: the first that is said decides. Words of changing come before those of looking. */
const CUES: readonly Cue[] = [
  {
    way: 'HIDE',
    said: /\b(?:emoji|smiley|smiling face|sticker)\b/,
    call: "HIDE(image=IMAGE,object='[x]',emoji='smiling_face')",
  },
  {
    way: 'BLUR',
    said: /\b(?:de)?(?:blur|focus)|\bbokeh\b|\bsharp\b|\bin focus\b/,
    call: "BLUR(image=IMAGE,object='[x]')",
  },
  {
    way: 'POP',
    said: /\b(?:gr[ea]y|black and white|monochrome)\b|\bdesaturate|\bcolou?r pop\b|\bin colou?r\b|\b(?:keep|only)\b.*\bcolou?rs?\b/,
    call: "POP(image=IMAGE,object='[x]')",
  },
  {
    way: 'REMOVE',
    said: /\b(?:remove|erase|delete|get rid of|disappear|gone|vanish)\b|\b(?:take|get|clear|wipe|edit)\b(?!.*\btext\b).*\b(?:away|out|off)\b/,
    call: "REPLACE(image=IMAGE,object='[x]',prompt='background')",
  },
  {
    way: 'MAKE',
    said: /\b(?:generate|create|paint)\b|\bdraw (?:me )?an? (?!box|bounding|line|outline|mask|frame|circle|rectangle)/,
    call: "MAKE(image=IMAGE,prompt='[x]')",
  },
  {
    way: 'SEGMENT',
    said: /\bsegment|\bmasks?\b|\boutlines?\b|\bcontours?\b|\bsilhouette\b|\bcut\b.*\bout\b|\bpixels\b|\bseparate\b|\bisolate\b|\bcut-?outs?\b|\btrace\b|\bshape of\b/,
    call: "SEGMENT(image=IMAGE,caption='[x]')",
  },
  { way: 'REGIONS', said: /\b(?:divide|split|partition)\b/, call: 'REGIONS(image=IMAGE)' },
  detecting('TELL_COUNT', /\bhow many\b|\bnumber of\b|\bcount\b|\bhow much\b/),
  {
    way: 'ASK',
    said: /\b(?:what|which)\b.*\b(?:shape|brand|size|pattern)\b|\bcolou?rs?\b|\bmaterial\b|\bmade of\b|\bhow (?:old|big|large|tall|far|high)\b|\b(?:kind|type|breed|sort) of (?!thing|object|item)|\bbreed\b|\bdoing\b|\bwearing\b|\bholding\b|\b(?:bigger|larger|smaller|taller|closer) than\b|\bwhat\b.*\b(?:next to|left of|right of|in front of|behind|beside|between|under|above|below|on top of)\b|^(?:is|are) the\b|\bwhy\b|\bwho\b(?! built| made)/,
    call: "ASK(image=IMAGE,question='[x]')",
  },
  {
    way: 'DESCRIBE_BOXES',
    said: /\b(?:describe|caption|description|sentence)\b.*\b(?:box|boxes|where|locate|positions?|point to|ground)\b|\bwhat (?:is|does)\b.*\bshown?\b.*\bwhere\b/,
    call: 'DESCRIBE_BOXES(image=IMAGE)',
  },
  {
    way: 'TAGS_BOXES',
    said: /\b(?:detect|find|locate|box|boxes)\b.*\b(?:everything|objects?|things?|items?)\b|\b(?:objects|things|items|tags?)\b.*\b(?:box|where (?:is|are) (?:each|every|all)|positions?|locations?)|\bname everything\b.*\b(?:where|locate|box)/,
    call: 'TAGS_BOXES(image=IMAGE)',
  },
  {
    way: 'DESCRIBE',
    said: /\binto words\b|\b(?:describe|description|caption|summar\w+|explain|sentence|happening|going on)\b|\babout (?:this|the|that) (?:image|picture|photo|scene)\b|\bwhat (?:is|does)\b.*\bshown?\b/,
    call: 'DESCRIBE(image=IMAGE)',
  },
  {
    way: 'READ',
    said: /\b(?:read|written|writing|printed|text|words?(?! about)|letters?|characters?|transcribe|ocr|inscription|says|(?:it|they|sign|label|text) say)\b|\bnumber (?:is )?on\b|\bplate\b/,
    call: 'READ(image=IMAGE)',
  },
  detecting(
    'TELL_WHERE',
    /\bwhere(?:abouts)?\b|\bcoordinates?\b|\bpositions?\b|\blocations?\b|\blocated\b|\bwhich (?:side|part|corner|half)\b|\bpoint\b/,
  ),
  {
    way: 'TAGS',
    said: /\b(?:tags?|keywords?|labels|enumerate)\b|\b(?:objects|things|items)\b|\blist\b/,
    call: 'TAGS(image=IMAGE)',
  },
  detecting(
    'TELL_FOUND',
    /\b(?:detect|detection|find|locate|box|boxes|detected|spot|identify|highlight|pinpoint|mark|frame|rectangles?)\b|\blook(?:ing)? for\b|\bsearch\b.*\bfor\b/,
  ),
  detecting(
    'TELL_EXISTS',
    /\b(?:is|are|if) there\b|\bthere (?:is|are)\b|\bany\b|\bwhether\b|\b(?:see|have|visible|contain|seen|notice)\b/,
  ),
]

/** Words that never name a thing: politeness, pictures, and what the cues themselves say. */
const NO_THING = new Set(
  (
    'please can could would will should you me i you we us my your for to of in on at from with by into around ' +
    'up out off away apart as and or but not except be am is are was were do does did done have has had get got ' +
    'give show tell let make put place try want need like know see seen look looking find run use the a an this ' +
    'that these those it its there here some any all every each both everything anything else rest other only just ' +
    'exactly really also now then if whether how many much what which where whereabouts when who why picture photo ' +
    'photograph image scene shot view foto photos pictures images background box bounding boxes draw drawn mark ' +
    'detect detection detector locate located location locations position positions coordinates coordinate spot ' +
    'identify highlight pinpoint point count counting number amount segment segmentation segmented mask masks ' +
    'outline outlines contour silhouette shape exact cut pixels pixel belong separate visible shown contain ' +
    'remove erase delete rid take gone disappear vanish go blur blurred blurry bokeh sharp focus keep color colour ' +
    'colors colours colored coloured grey gray black white monochrome desaturate turn pop emoji smiley smiling ' +
    'face sticker cover hide behind full whole entire one ones two three four five several different various thing ' +
    'things object objects item items side part corner half left right top bottom in front ground help hello hi ' +
    'notice anywhere somewhere actually right so well too them they there say said think maybe tell'
  ).split(' '),
)

/** Things named in a question: runs of words that are neither cue nor politeness. */
function thingsIn(question: string): readonly string[] {
  const runs: string[][] = [[]]
  for (const { lower, text } of words(plainSentence(question))) {
    const one = singularPhrase(lower)
    if (NO_THING.has(lower) || NO_THING.has(one) || !/[\p{L}]/u.test(text)) runs.push([])
    else runs.at(-1)?.push(lower)
  }
  const found = runs.filter((run) => run.length > 0).map((run) => singularPhrase(run.join(' ')))
  return [...new Set(found)]
}

/** What the words of a question ask for: the way of acting, and a program for what it names. */
export interface Cued {
  readonly way: string
  /** Undefined when the way needs a thing and none is named. */
  readonly program?: string
}

export function cuedProgram(question: string): Cued | undefined {
  const plain = plainSentence(question).toLowerCase()
  const cue = CUES.find(({ said }) => said.test(plain))
  if (cue === undefined) return undefined
  const things = thingsIn(question)
  if (
    cue.way === 'SEGMENT' &&
    things.every((thing) => /^(?:semantic|region|complete|total|overall)/.test(thing))
  ) {
    return { way: 'REGIONS', program: dialogueProgram(['REGIONS(image=IMAGE)']) }
  }
  if (!cue.call.includes('[x]')) return { way: cue.way, program: dialogueProgram([cue.call]) }
  const named = cue.way === 'ASK' ? ['it'] : things
  if (named.length === 0) return { way: cue.way }
  const joined = named.join(cue.call === detect || cue.way === 'SEGMENT' ? ' . ' : ' ')
  const call = cue.call.replace('[x]', joined.replaceAll("'", ''))
  return { way: cue.way, program: dialogueProgram([call], cue.tell ?? tellOf(cue.way)) }
}

function tellOf(way: string): string | undefined {
  return way === 'SEGMENT' ? 'TELL_FOUND' : undefined
}

/** The way of acting of a program: its telling, or its first tool. */
export function wayOf(program: string): string {
  const tell = /TELL_\w+/.exec(program)?.[0]
  const tool = /=([A-Z_]+)\(/.exec(program)?.[1] ?? ''
  if (tool === 'DETECT') return tell ?? 'TELL_FOUND'
  return tool === 'REPLACE' && program.includes("prompt='background'") ? 'REMOVE' : tool
}
