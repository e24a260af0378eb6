import type { Reading } from './reasoner.ts'
import type { Entry } from './types.ts'

/** What a question asks of a thing, by the sentences of the fact source that answer it. */
interface Relation {
  /** The question; its first group, if any, is the rank asked for ("family"). */
  readonly asks: RegExp
  /** Sentences "X <says> Y." and "<says> of X: Y, Z." whose second part is the value. */
  readonly says: (rank: string | undefined) => RegExp
}

const RANKS = 'family|genus|order|class|phylum|kingdom|species|tribe|suborder|superfamily|subfamily'

const GROUPS = 'kinds?|types?|sorts?|category|class(?:es)?|group|family|genre'
/** "What kind of thing is an owl?", "Name a wider word for an owl.", "Of what larger group is an owl a member?" */
const KIND = new RegExp(
  [
    `\\b(?:what|which) (?:\\w+ )?(?:${GROUPS}|heading|category)\\b`,
    `\\b(?:${GROUPS}) of (?:what|which|things?|objects?)\\b`,
    String.raw`\ban? (?:kind|type|sort|class) of\W*$`,
    String.raw`\b(?:wider|broader|more general|general) (?:word|term|name|class)\b`,
  ].join('|'),
  'iu',
)

/** WordNet's relations, asked and said. The sentences are those of `wordnetFacts`. */
const RELATIONS: readonly Relation[] = [
  {
    asks: new RegExp(
      `\\b(?:what|which)(?: (?!common|wider|larger)\\w+)? (${RANKS})\\b(?! of (?:things|objects))`,
      'iu',
    ),
    says: (rank) => new RegExp(`\\bbelongs? to (?:the )?${rank ?? ''} ([^.,;]+)`, 'iu'),
  },
  {
    asks: /\b(?:what|which) (?:parts?|components?)\b|\bparts of\b|\bname a part\b/iu,
    says: () => /^Parts of [^:]+: ([^.;]+)/iu,
  },
  {
    asks: /\b(?:part of what|what is .+ (?:a )?part of|which .+ part of)\b/iu,
    says: () => /\bis (?:a )?part of (?:an? |the )?([^.,;]+)/iu,
  },
  {
    asks: /\b(?:made of|made from|what material|substance|consist of)\b/iu,
    says: () => /\b(?:is made of|made of|made from|consists? of) ([^.,;()]+)/iu,
  },
  {
    asks: /^(?!.*\blarger group\b).*\b(?:member of|group of(?! things)|collective|called a group)\b/iu,
    says: () => /\bis a member of (?:an? |the )?([^.,;]+)/iu,
  },
  {
    asks: KIND,
    says: () => /\bis a kind of ([^.,;]+)/iu,
  },
]

/**
 * The answer to a question about kinds, parts, members, materials or families, from sentences that state
 * exactly that relation; undefined when the question asks something else or nothing states it.
 */
export function extractRelation(
  question: string,
  subjects: readonly string[],
  entries: readonly Entry[],
): Reading | undefined {
  for (const { asks, says } of RELATIONS) {
    const match = asks.exec(question)
    if (match === null) continue
    const pattern = says(match[1]?.toLowerCase())
    const found = entries.flatMap((entry) => {
      if (subjects.length > 0 && !subjects.some((one) => mentions(entry.text, one))) return []
      const sentence = entry.text.split(/\n|(?<=\.)\s+/).find((one) => pattern.test(one))
      const value = sentence === undefined ? undefined : pattern.exec(sentence)?.[1]?.trim()
      if (sentence === undefined || value === undefined) return []
      return value
        .split(/\s*,\s*| and /)
        .slice(0, 1)
        .map((one) => ({ value: one, quote: sentence, entry }))
    })
    const first = found[0]
    if (first === undefined) continue
    // The first sense is the usual one: others are told as what they are, other candidates.
    const candidates = found.map(({ value, quote, entry }) => ({
      answer: value,
      support: [{ entry: entry.id, quote }],
    }))
    return {
      verdict: 'answer',
      why: 'a sentence states the relation asked for',
      candidates: candidates.slice(0, 1),
    }
  }
  return undefined
}

function mentions(text: string, subject: string): boolean {
  const plain = (one: string): string => one.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')
  return plain(text).includes(plain(subject).trim())
}
