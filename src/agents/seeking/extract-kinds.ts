import type { Reading } from './reasoner.ts'
import { contentWords } from './similar.ts'
import type { AnswerType, Entry } from './types.ts'

/** What is asked of things whose names are known, and where the thing in question stands. */
export interface KindQuery {
  readonly question: string
  readonly subjects: readonly string[]
  readonly answerType: AnswerType
  readonly entries: readonly Entry[]
  /** The side on which the thing looked at stands; for questions that ask for a side. */
  readonly place?: string
}

interface Kind {
  readonly name: string
  readonly quote: string
}

/** Words so general that they answer nothing. */
const GENERAL = new Set(
  'entity,physical entity,object,whole,artifact,living thing,organism,matter,solid,substance,instrumentality,device,container,covering,structure,equipment,implement,causal agent,physical object,abstraction,thing'.split(
    ',',
  ),
)

/** What a meaning is a kind of, nearest first, by the sentences of a fact source. */
function kindsOf(entry: Entry): readonly Kind[] {
  return entry.text.split('\n').flatMap((line) => {
    const said = /\bis (?:a kind|an instance) of ([^.;]+)/iu.exec(line)?.[1]
    if (said === undefined) return []
    return said.split(/\s*,\s*/).map((name) => ({ name: name.trim(), quote: line.trim() }))
  })
}

const alike = (a: string, b: string): boolean =>
  contentWords(a).join(' ') === contentWords(b).join(' ')

/**
 * What two things are both, from sentences that say what each is a kind of: the nearest kind they share.
 *
 * @returns undefined when there are not two things, or the entries do not tell of both
 */
export function sharedKind({ subjects, entries }: KindQuery): Reading | undefined {
  const [one, two] = subjects
  if (one === undefined || two === undefined) return undefined
  const [first, second] = [one, two].map((subject) =>
    entries.filter((entry) => isAbout(entry, subject)),
  )
  let best: { readonly depth: number; readonly reading: Reading } | undefined
  for (const [a, entry] of (first ?? []).entries()) {
    for (const [b, other] of (second ?? []).entries()) {
      const others = kindsOf(other)
      for (const [i, kind] of kindsOf(entry).entries()) {
        if (GENERAL.has(kind.name.toLowerCase())) continue
        const j = others.findIndex(({ name }) => alike(name, kind.name))
        const same = others[j]
        // Rarer meanings must fit better to count.
        const depth = i + j + 4 * (a + b)
        if (same === undefined || (best !== undefined && best.depth <= depth)) continue
        best = {
          depth,
          reading: answerOf(kind.name, [
            [entry, kind.quote],
            [other, same.quote],
          ]),
        }
      }
    }
  }
  return best?.reading
}

function answerOf(answer: string, quotes: readonly (readonly [Entry, string])[]): Reading {
  const support = quotes.map(([{ id }, quote]) => ({ entry: id, quote }))
  return { verdict: 'answer', why: 'both are of this kind', candidates: [{ answer, support }] }
}

function isAbout(entry: Entry, subject: string): boolean {
  const names = entry.text.split('\n').slice(0, 2).join(' ')
  return contentWords(subject).every((word) => contentWords(names).includes(word))
}

/** Words of such questions that say nothing of the thing. */
const ASKING = new Set(
  contentWords(
    'is are was were would could can you count one call called among belong belongs tell me whether if true that kind sort type a an the have has been considered',
  ),
)
const CLASS =
  /\b(?:is|are) (?:.+? )?an? |\b(?:among|belongs? to|called|one of|an? (?:kind|sort|type) of)\b/iu

/**
 * Whether a thing is of a class, or has what is asked: yes by a sentence that says so, no by a list of all its
 * kinds that lacks the class; nothing when neither stands there.
 *
 * With a place, "yes" is told as the side where the thing stands, and "no" says nothing of the side.
 */
export function yesOrNo(query: KindQuery): Reading | undefined {
  const { question, subjects, answerType, entries, place } = query
  if (answerType !== 'yesno' && place === undefined) return undefined
  const known = new Set(subjects.flatMap(contentWords))
  const words = contentWords(question).filter((word) => !ASKING.has(word) && !known.has(word))
  if (words.length === 0) return undefined
  const yes = place ?? 'yes'
  const told = (answer: string, entry: Entry, quote: string, why: string): Reading => ({
    ...{ verdict: 'answer', why, candidates: [{ answer, support: [{ entry: entry.id, quote }] }] },
  })
  for (const entry of entries) {
    const kind = kindsOf(entry).find(({ name }) => contentWords(name).join(' ') === words.join(' '))
    if (kind !== undefined) return told(yes, entry, kind.quote, 'it is of that kind')
  }
  for (const entry of entries) {
    const says = entry.text.split(/\n|(?<=[.;])\s+/).find((line) => {
      const said = new Set(contentWords(line))
      return words.every((word) => said.has(word)) && !/\b(?:Kinds|Members) of\b/.test(line)
    })
    if (says !== undefined) return told(yes, entry, says.trim(), 'a sentence says so')
  }
  const [first] = entries
  const line = first === undefined ? undefined : kindsOf(first)[0]
  if (place !== undefined || first === undefined || line === undefined) return undefined
  return CLASS.test(question) ? told('no', first, line.quote, 'it is of other kinds') : undefined
}
