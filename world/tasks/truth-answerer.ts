import type { Answer } from '../../src/tools/index.ts'
import type { Lexicon } from '../lexicon.ts'
import { largerThan } from '../truth.ts'
import type { Scene, SceneObject } from '../types.ts'
import { countOf, existsIn, onlyOne, relates } from './facts.ts'
import type { Where } from './facts.ts'
import { readPhrase } from './phrase.ts'
import type { Phrase } from './phrase.ts'

type Solver = (match: RegExpMatchArray, scene: Scene, lexicon: Lexicon) => string | undefined | null

/** The questions that reference programs put to VQA; null is a question about nothing it can read. */
const SOLVERS: readonly (readonly [asks: RegExp, solve: Solver])[] = [
  [/^what colou?r is the (.+?)\??$/i, (m, s, l) => about(m[1], s, l, (one) => one.colour)],
  [/^what size is the (.+?)\??$/i, (m, s, l) => about(m[1], s, l, (one) => one.size)],
  [/^how many (.+?) are (?:there ?)?(.*?)\??$/i, (m, s, l) => howMany(`${m[1]} ${m[2]}`, s, l)],
  [/^which is larger, the (.+) or the (.+?)\??$/i, larger],
  [/^is (?:there )?(an? .+?)\??$/i, (m, s, l) => exists(m[1], s, l)],
  [/^is the (.+?) (in front of|behind|above|below) the (.+?)\??$/i, stands],
  [/^what (?:is this|is in the picture)\??$/i, (_, s, l) => nameOf(s, l, undefined)],
  [/^what (?:thing|object) is this\??$/i, (_, s, l) => nameOf(s, l, undefined)],
  [/^what (.+) is this\??$/i, (m, s, l) => nameOf(s, l, m[1])],
]

/** Answers a question about the objects that are wholly in view. */
export function answerFromTruth(question: string, scene: Scene, lexicon: Lexicon): Answer {
  for (const [asks, solve] of SOLVERS) {
    const match = question.trim().match(asks)
    if (match === null) continue
    const answer = solve(match, scene, lexicon)
    if (answer === null) continue
    return answer === undefined
      ? { outcome: 'unknown', how: 'the truth is not clear' }
      : { outcome: 'answered', answer, score: 1 }
  }
  return {
    outcome: 'unavailable',
    reason: `The truth has no answer to "${question}".`,
    would: 'Ask in the words of the reference programs.',
  }
}

function anchored(phrase: Phrase, scene: Scene, lexicon: Lexicon): Where | undefined | null {
  if (phrase.where === undefined) return undefined
  const anchor = onlyOne(lexicon, scene, phrase.where.anchor)
  return anchor === undefined ? null : { relation: phrase.where.relation, anchor }
}

function about(
  words: string | undefined,
  scene: Scene,
  lexicon: Lexicon,
  value: (one: SceneObject) => string | null,
): string | undefined | null {
  const phrase = readPhrase(lexicon, words ?? '')
  if (phrase === undefined) return null
  const where = anchored(phrase, scene, lexicon)
  const one = where === null ? undefined : onlyOne(lexicon, scene, phrase.what, where)
  return one === undefined ? undefined : (value(one) ?? undefined)
}

function howMany(words: string, scene: Scene, lexicon: Lexicon): string | undefined | null {
  const phrase = readPhrase(lexicon, words.trim())
  if (phrase === undefined) return null
  const where = anchored(phrase, scene, lexicon)
  if (where === null) return undefined
  return countOf(lexicon, scene, phrase.what, where)?.toString()
}

function exists(
  words: string | undefined,
  scene: Scene,
  lexicon: Lexicon,
): string | undefined | null {
  const phrase = readPhrase(lexicon, words ?? '')
  if (phrase === undefined) return null
  const where = anchored(phrase, scene, lexicon)
  return where === null ? undefined : existsIn(lexicon, scene, phrase.what, where)
}

function larger(
  [, first = '', second = '']: RegExpMatchArray,
  scene: Scene,
  lexicon: Lexicon,
): string | undefined | null {
  const [a, b] = [readPhrase(lexicon, first), readPhrase(lexicon, second)]
  if (a === undefined || b === undefined) return null
  const [one, other] = [onlyOne(lexicon, scene, a.what), onlyOne(lexicon, scene, b.what)]
  if (one === undefined || other === undefined) return undefined
  const fact = largerThan(one.area, other.area)
  return fact === 'yes' ? first : fact === 'no' ? second : undefined
}

function stands(
  [, first = '', said = '', second = '']: RegExpMatchArray,
  scene: Scene,
  lexicon: Lexicon,
): string | undefined | null {
  const [a, b] = [readPhrase(lexicon, first), readPhrase(lexicon, second)]
  if (a === undefined || b === undefined) return null
  const [one, other] = [onlyOne(lexicon, scene, a.what), onlyOne(lexicon, scene, b.what)]
  if (one === undefined || other === undefined) return undefined
  const relation = said.toLowerCase() as 'in front of' | 'behind' | 'above' | 'below'
  const fact = relates(one, relation, other)
  return fact === 'unclear' ? undefined : fact
}

function nameOf(
  scene: Scene,
  lexicon: Lexicon,
  kind: string | undefined,
): string | undefined | null {
  const label = kind === undefined ? undefined : lexicon.classNamed(kind)?.label
  if (kind !== undefined && label === undefined) return null
  const one = onlyOne(lexicon, scene, label === undefined ? {} : { kind: label })
  return one === undefined ? undefined : lexicon.concept(one.concept).label
}
