import { level, datesIn } from './derivation.ts'
import { quantities, unitKind } from './quantity.ts'
import type { Reading } from './reasoner.ts'
import { bm25, contentWords } from './similar.ts'
import { sharedKind, yesOrNo } from './extract-kinds.ts'
import { extractRelation } from './extract-relation.ts'
import type { AnswerType, Entry, Phase, SeekTool } from './types.ts'

export interface ExtractQuery {
  readonly tool: SeekTool
  readonly phase: Phase
  /** The question as asked now, values in the place of slots. */
  readonly question: string
  /** What the slots stand for. */
  readonly subjects: readonly string[]
  readonly answerType: AnswerType
  readonly unit?: string
  /** Where the thing looked at stands, when that is what is asked. */
  readonly place?: string
  readonly entries: readonly Entry[]
}

/** Share of the question's content words that a sentence must hold to be read for an answer. */
const ENOUGH = 0.5

/** What a vision model says when it knows nothing. */
const NOTHING =
  /^(?:unknown|none|nothing|not sure|i do(?: not|n't) know|unclear|cannot (?:be )?|no\b|n\/a)/i

interface Sentence {
  readonly text: string
  readonly entry: Entry
  readonly fit: number
  /** Share of the question's content words that stand in it or its entry's title. */
  readonly share: number
}

/**
 * A reading without a language model: what is shown is taken from names and short answers, a fact from the
 * sentence that fits the question best, its value by the kind of answer. Thin evidence gives nothing.
 *
 * @source avis §3 (without an LLM)
 */
export function extractReading(query: ExtractQuery): Reading {
  return query.phase === 'visual' ? readVisual(query) : readKnowledge(query)
}

const UNINFORMATIVE: Reading = { verdict: 'uninformative', why: 'nothing fits the question' }

function readVisual({ tool, entries, question }: ExtractQuery): Reading {
  const first = entries[0]
  if (first === undefined) return UNINFORMATIVE
  switch (tool) {
    case 'vqa':
    case 'llm_qa':
      return shortAnswer(first)
    case 'image_search':
    case 'kb_lookup':
    case 'web_search':
      return namesOf(entries)
    case 'ocr':
      return signOf(first, question)
    default:
      return { verdict: 'informative', claims: [claim(first, first.text.slice(0, 300))] }
  }
}

const claim = (entry: Entry, quote: string) => ({ text: quote, entry: entry.id, quote })

function shortAnswer(entry: Entry): Reading {
  const text = entry.text.trim()
  const words = text.split(/\s+/).length
  if (text === '' || NOTHING.test(text)) return UNINFORMATIVE
  if (words > 6) return { verdict: 'informative', claims: [claim(entry, text.slice(0, 300))] }
  const value = text.replace(/^(?:it is |this is |it's )?(?:an?|the) /i, '').replace(/[.!]$/, '')
  return {
    verdict: 'answer',
    candidates: [{ answer: value, support: [{ entry: entry.id, quote: value }] }],
  }
}

/** The name that most results give: by entity, or by the titles of pages. */
function namesOf(entries: readonly Entry[]): Reading {
  // What people said that this is counts before what merely looks like it.
  const taught = entries.filter(({ kind }) => kind === 'taught')
  const named = (taught.length > 0 ? taught : entries).flatMap((entry) => {
    const title = (entry.source.title ?? entry.text.split('\n')[0] ?? '').trim()
    const name = title.split(/\s+[|–—-]\s+|:\s|\s\(/)[0]?.trim() ?? ''
    return name === '' || name.length > 80 ? [] : [{ name, entry }]
  })
  if (named.length === 0) return UNINFORMATIVE
  const support = new Map<string, { name: string; support: { entry: string; quote: string }[] }>()
  for (const { name, entry } of named) {
    const known = support.get(level(name)) ?? { name, support: [] }
    // A name may stand in the text of other results too: they say the same.
    known.support.push({ entry: entry.id, quote: name })
    support.set(level(name), known)
  }
  const ranked = [...support.values()].toSorted((a, b) => b.support.length - a.support.length)
  // A name that few results give, beside one that many give, is noise, not a rival.
  const most = ranked[0]?.support.length ?? 0
  const rivals = ranked.filter(({ support }) => 2 * support.length > most)
  const candidates = rivals.slice(0, 5).map(({ name, support }) => ({ answer: name, support }))
  const [best, second] = ranked
  const clear = best !== undefined && best.support.length > (second?.support.length ?? 0)
  return {
    verdict: clear || ranked.length === 1 ? 'answer' : 'informative',
    candidates,
    claims: named.slice(0, 3).map(({ name, entry }) => claim(entry, name)),
  }
}

/** Things that carry their name: the largest words on them are it. */
const SIGNED =
  /\b(?:hotel|shop|store|restaurant|caf[eé]|bar|building|museum|station|book|sign|brand|product|company|school|street|ship|boat|train|bus|theatre|theater|cinema|bank|poster|bottle|can|magazine)\b/i

function signOf(entry: Entry, question: string): Reading {
  const lines = entry.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\p{L}{2}/u.test(line))
  const heights = (entry.boxes ?? []).map((box) => (box === undefined ? 0 : box[3] - box[1]))
  const tallest = heights.length === 0 ? 0 : heights.indexOf(Math.max(...heights))
  const best = lines.length === 1 ? lines[0] : entry.text.split('\n')[tallest]?.trim()
  if (best === undefined || best === '') return UNINFORMATIVE
  if (!SIGNED.test(question))
    return { verdict: 'informative', claims: lines.slice(0, 5).map((line) => claim(entry, line)) }
  return {
    verdict: 'answer',
    candidates: [{ answer: best, support: [{ entry: entry.id, quote: best }] }],
  }
}

function readKnowledge(query: ExtractQuery): Reading {
  const { entries, question, answerType, unit } = query
  const own = entries.find(({ kind }) => kind === 'yours')
  if (own !== undefined) {
    const answer = own.text.split('\n').at(-1) ?? own.text
    const support = [{ entry: own.id, quote: answer }]
    return { verdict: 'answer', why: 'you said so', candidates: [{ answer, support }] }
  }
  const usable = entries.filter((entry) => !NOTHING.test(entry.text))
  const relation =
    sharedKind({ ...query, entries: usable }) ??
    yesOrNo({ ...query, entries: usable }) ??
    extractRelation(question, query.subjects, usable)
  if (relation !== undefined) return relation
  if (query.place !== undefined) return UNINFORMATIVE
  const ranked = rankSentences(query, usable)
  const found = ranked.flatMap((sentence) => {
    const value = valueIn(sentence.text, answerType, question, unit)
    return value === undefined ? [] : [{ value, sentence }]
  })
  const best = found[0]
  if (best === undefined) {
    const top = ranked[0]
    return top === undefined
      ? UNINFORMATIVE
      : {
          verdict: 'informative',
          why: 'a fitting sentence without such a value',
          claims: [claim(top.entry, top.text.slice(0, 300))],
        }
  }
  const groups = new Map<string, { value: string; support: { entry: string; quote: string }[] }>()
  for (const { value, sentence } of found) {
    const known = groups.get(level(value)) ?? { value, support: [] }
    known.support.push({ entry: sentence.entry.id, quote: sentence.text })
    groups.set(level(value), known)
  }
  const candidates = [...groups.values()].map(({ value, support }) => ({ answer: value, support }))
  return {
    verdict: 'answer',
    why: `best sentence fits by ${best.sentence.share.toFixed(2)}`,
    candidates: candidates.slice(0, 5),
  }
}

/** Sentences that hold enough of the question, best first. */
function rankSentences(
  { question, subjects }: ExtractQuery,
  entries: readonly Entry[],
): readonly Sentence[] {
  const subjectWords = new Set(subjects.flatMap(contentWords))
  const asked = contentWords(question).filter((word) => !ASKING.has(word))
  const rest = asked.filter((word) => !subjectWords.has(word))
  const sentences = entries.flatMap((entry) => {
    const title = entry.source.title ?? ''
    return sentencesOf(entry.text).map((text) => ({ text, entry, title }))
  })
  const fits = bm25(
    question,
    sentences.map(({ text }) => text),
  )
  return sentences
    .map(({ text, entry, title }, i) => {
      const words = new Set(contentWords(text))
      const around = new Set([...words, ...contentWords(title), ...contentWords(entry.text)])
      const told = rest.filter(
        (word) => words.has(word) || SAME_AS[word]?.some((one) => words.has(one)),
      )
      const subject = [...subjectWords].every((word) => around.has(word))
      const share = rest.length === 0 ? 1 : told.length / rest.length
      return { text, entry, fit: fits[i] ?? 0, share: subject ? share : 0 }
    })
    .filter(({ share }) => share >= ENOUGH)
    .sort((a, b) => b.share - a.share || b.fit - a.fit)
    .slice(0, 8)
}

/** Words of questions that no answering sentence needs. */
const ASKING = new Set(
  contentWords(
    'what which who when where year date day many much tall long high old name called kind type number does did was is are located city country place person unit metres meters feet kilograms pounds centimetres centimeters kilometres inches',
  ),
)

/** Other words for the same: of a question, of its answer. */
const SAME_AS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  (
    [
      ['open', 'inaugurat complet'],
      ['built', 'construct erect complet built'],
      ['design', 'architect design engineer'],
      ['found', 'establish found form creat'],
      ['invent', 'invent discover patent'],
      ['paint', 'paint artist'],
      ['elevator', 'lift elevator'],
      ['lift', 'elevator lift'],
      ['weigh', 'weight mass kg weigh'],
      ['eat', 'diet feed eat food'],
      ['live', 'nativ live habitat found endem inhabit'],
      ['heavi', 'weight mass weigh'],
      ['commemorat', 'commemorat memori honour mark celebrat'],
      ['diamet', 'diamet'],
      ['grow', 'height grow'],
      ['made', 'made mak compos consist'],
      ['maker', 'manufactur produc maker built'],
    ] as const
  ).map(([word, others]) => [word, others.split(' ')]),
)

/** Sentences of a text; lines end sentences, initials and abbreviations do not. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n+/)
    .flatMap((line) => line.split(/(?<=[.!?;]["')\]]?)\s+(?=["'(]?[\p{Lu}\d])/u))
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

/** The value of a sentence for a kind of answer; undefined when it has none. */
export function valueIn(
  sentence: string,
  type: AnswerType,
  question: string,
  unit: string | undefined,
): string | undefined {
  switch (type) {
    case 'number':
      return numberIn(sentence, question, unit)
    case 'date':
      return dateIn(sentence, question)
    case 'person':
      return nameAfter(
        sentence,
        /\b(?:by|architects?|designer|engineer|artist|painter|author|inventor|founder|sculptor)\b(?: was| were|:)?\s*/iu,
      )
    case 'place':
      return nameAfter(sentence, /\b(?:in|at|near|of|from|to)\s+(?:the\s+)?/iu, question)
    case 'name':
      return undefined
    case 'yesno':
    case 'choice':
    case 'text':
      return undefined
    default:
      return type satisfies never
  }
}

/** What a question of a size measures, for sentences with several numbers. */
const MEASURES: readonly (readonly [asks: RegExp, kind: string])[] = [
  [
    /\bhow (?:tall|long|high|wide|deep|far|big|large)\b|\b(?:height|length|width|depth|diameter|wingspan|distance)\b/i,
    'length',
  ],
  [/\bhow heavy\b|\b(?:weigh|weight|mass)\b/i, 'mass'],
  [/\bhow fast\b|\bspeed\b/i, 'speed'],
  [/\bhow old\b|\bhow long (?:do|does|can|did)\b.*\blive\b|\blifespan\b|\bage\b/i, 'time'],
  [/\barea\b/i, 'area'],
]

function numberIn(
  sentence: string,
  question: string,
  unit: string | undefined,
): string | undefined {
  const found = quantities(sentence)
  const kind =
    unit === undefined ? MEASURES.find(([asks]) => asks.test(question))?.[1] : unitKind(unit)
  if (kind !== undefined) {
    return found.find((one) => one.unit !== undefined && unitKind(one.unit) === kind)?.text
  }
  // A count stands before the thing counted: "26 elevators".
  const noun = /\bhow many ([\p{L} -]+?) (?:does|do|did|are|is|were|was|has|have|can)\b/iu.exec(
    question,
  )?.[1]
  const bare = found.filter(
    (one) => one.unit === undefined && !/^(?:1[5-9]|20)\d\d$/.test(one.text),
  )
  if (noun === undefined) return bare[0]?.text
  const nouns = contentWords(noun)
  const near = bare.find((one) => {
    const after = contentWords(sentence.slice(one.end, one.end + 40)).slice(0, 4)
    return nouns.some(
      (word) => after.includes(word) || SAME_AS[word]?.some((other) => after.includes(other)),
    )
  })
  return near?.text
}

function dateIn(sentence: string, question: string): string | undefined {
  const found = datesIn(sentence)
  if (/\b(?:what|which|in what|in which) year\b|\byear\b/i.test(question)) {
    const year = found.find((one) => one.year !== undefined)?.year
    return year === undefined ? undefined : String(year)
  }
  const full = found.find((one) => one.day !== undefined && one.year !== undefined)
  return full?.text ?? found[0]?.text
}

/** The capitalised words after a mark: "designed by John Smith" gives "John Smith". */
function nameAfter(sentence: string, mark: RegExp, not = ''): string | undefined {
  const name =
    /^(?:\p{Lu}[\p{L}.'’-]*)(?:\s+(?:(?:de|da|di|van|von|der|del|la|le|of|the|and)\s+)?\p{Lu}[\p{L}.'’-]*){0,4}/u
  for (const match of sentence.matchAll(new RegExp(mark.source, 'giu'))) {
    const found = name
      .exec(sentence.slice(match.index + match[0].length))?.[0]
      ?.replace(/[.,]$/, '')
    if (found !== undefined && !level(not).includes(level(found))) return found
  }
  return undefined
}
