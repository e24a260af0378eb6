import { cosine, plainSentence, singularPhrase, unit, words } from '../../../memory/index.ts'
import type { Demonstration } from '../../../memory/index.ts'
import { parse, stepsOf } from '../../../program/index.ts'

/** A recorded dialogue without what it names, ready to be compared. */
interface Indexed {
  readonly dialogue: Demonstration
  readonly vector: ReadonlyMap<string, number>
  /** The texts of its program that stand in its question. */
  readonly named: readonly string[]
}

/** Dialogues for comparison by words, where planning by alignment finds nothing. */
export interface DialogueIndex {
  readonly dialogues: readonly Indexed[]
  /** Weight of each word: high when few ways of acting have it. */
  readonly weights: ReadonlyMap<string, number>
}

/** Similarity below which nothing is said to be alike. */
const NEAR_ENOUGH = 0.4
/** Stands for what is named; it says little. */
const THING = 'thing'
const THING_WEIGHT = 0.3
const PAIR_WEIGHT = 0.7

/** Words of politeness and number, which never name a thing and say nothing about what to do. */
const FILLERS = new Set(
  (
    'please can could would you me i we my for to want need like get give show tell know do does did be ' +
    'am is are was the a an this that these those here there some all any every each both hello hi hey ' +
    'thanks thank ok okay one two three four five six now just really exactly actually also then'
  ).split(' '),
)

/** Makes the index; dialogues with the same program skeleton count as one way of acting. */
export function indexDialogues(dialogues: readonly Demonstration[]): DialogueIndex {
  const ways = new Map<string, Set<string>>()
  const framed = dialogues.map((dialogue) => {
    const named = namedIn(dialogue)
    const terms = termsOf(frame(wordsOf(dialogue.instruction), named))
    const way = (dialogue.program ?? '').replace(/'[^']*'/g, "''")
    for (const term of terms) ways.set(term, (ways.get(term) ?? new Set()).add(way))
    return { dialogue, named, terms, way }
  })
  const total = new Set(framed.map(({ way }) => way)).size
  const weights = new Map(
    [...ways].map(([term, { size }]) => [term, weightOf(term) * Math.log(1 + total / size)]),
  )
  return {
    weights,
    dialogues: framed.map(({ dialogue, named, terms }) => ({
      dialogue,
      named,
      vector: vectorOf(terms, weights),
    })),
  }
}

function weightOf(term: string): number {
  if (term.includes(' ')) return PAIR_WEIGHT
  return term === THING || FILLERS.has(term) ? THING_WEIGHT : 1
}

function vectorOf(
  terms: readonly string[],
  weights: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  // A word that no dialogue has weighs too: it makes the question less like all of them.
  return unit(
    new Map(terms.map((term) => [term, weights.get(term) ?? (term.includes(' ') ? 0 : 1)])),
  )
}

function termsOf(list: readonly string[]): readonly string[] {
  return list.flatMap((word, i) => (i === 0 ? [word] : [word, `${list[i - 1]} ${word}`]))
}

function namedIn({ program = '', instruction }: Demonstration): readonly string[] {
  const texts = stepsOf(parse(program).body).flatMap(({ args }) =>
    args.flatMap(({ value }) => (value.type === 'string' ? value.text.split(' . ') : [])),
  )
  const said = ` ${wordsOf(instruction).join(' ')} `
  return texts.filter((text) => said.includes(` ${wordsOf(text).join(' ')} `))
}

function wordsOf(sentence: string): readonly string[] {
  return words(plainSentence(sentence))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map(({ lower }) => singularPhrase(lower))
}

function frame(list: readonly string[], named: readonly string[]): readonly string[] {
  let text = ` ${list.join(' ')} `
  for (const one of named) text = text.replaceAll(` ${wordsOf(one).join(' ')} `, ` ${THING} `)
  return text.trim().split(' ')
}

/** A program by the nearest dialogue, what the question names in place of what the dialogue names. */
export function nearestProgram(
  { dialogues, weights }: DialogueIndex,
  question: string,
): { program: string; similarity: number; dialogue: Demonstration } | undefined {
  const list = wordsOf(question)
  const things = thingsIn(list, weights)
  const vector = vectorOf(termsOf(frame(list, things)), weights)
  let best: (Indexed & { similarity: number }) | undefined
  for (const one of dialogues) {
    if (one.named.length > 0 && one.named.length !== things.length) continue
    const similarity = cosine(vector, one.vector)
    if (similarity > (best?.similarity ?? NEAR_ENOUGH)) best = { ...one, similarity }
  }
  if (best === undefined) return undefined
  let program = best.dialogue.program ?? ''
  best.named.forEach((text, i) => {
    program = program.replaceAll(text, (things[i] ?? text).replaceAll("'", ''))
  })
  return { program, similarity: best.similarity, dialogue: best.dialogue }
}

/** Runs of words that no dialogue's frame has: what the question names. */
function thingsIn(
  list: readonly string[],
  weights: ReadonlyMap<string, number>,
): readonly string[] {
  const runs: string[][] = [[]]
  for (const word of list) {
    if (FILLERS.has(word) || (word !== THING && weights.has(word))) runs.push([])
    else runs.at(-1)?.push(word)
  }
  return [...new Set(runs.filter((run) => run.length > 0).map((run) => run.join(' ')))]
}
