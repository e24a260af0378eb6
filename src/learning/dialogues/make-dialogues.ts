import type { Abortable, Random } from '../../base/index.ts'
import { pluralPhrase } from '../../memory/index.ts'
import { cleanReply, filled, resultTurn, WIRE, wireActions } from '../../tools/index.ts'
import type { Action, PythonDict, PythonValue, ResultSpelling } from '../../tools/index.ts'
import { allToolsPrefix } from './all-tools.ts'
import { annotatedTools } from './annotated-tools.ts'
import type { DialogueTools } from './annotated-tools.ts'
import { templateAnswer } from './answers.ts'
import type { AnswerFacts } from './answers.ts'
import { dialogueFaults } from './check-dialogue.ts'
import type { AnnotatedPicture, Dialogue, DialogueTurn, DialogueVariant } from './dialogue.ts'
import { QUESTION_KINDS } from './question-templates.ts'
import type { QuestionKind } from './question-templates.ts'
import { unsupported } from './support.ts'

export interface MakeDialoguesOptions extends Abortable {
  readonly random: Random
  /** Default: what the annotations say, without mistakes. */
  readonly tools?: DialogueTools
  /** Dialogues for each picture; default 4. */
  readonly perPicture?: number
  /** Questions of one dialogue over the same picture; default 1. */
  readonly rounds?: number
  readonly variant?: DialogueVariant
  /** Words around results; default those of serving (llava-plus §2.3). */
  readonly spelling?: ResultSpelling
  /** Another wording of a question, by a language model; default: as in the template. */
  readonly rewrite?: (question: string, things?: readonly string[]) => Promise<string>
  /** A final answer by a language model; it is checked like any other. Default: by templates. */
  readonly answer?: (facts: AnswerFacts & { readonly question: string }) => Promise<string>
  /** Told of dialogues that were dropped, with the reason. */
  readonly onDropped?: (id: string, faults: readonly string[]) => void
}

/**
 * Skill-oriented dialogues from annotated pictures, one after another as they are made: question, call,
 * result, answer (llava-plus §7.3). What fails the checks is dropped and told, never written.
 */
export async function* makeDialogues(
  pictures: Iterable<AnnotatedPicture> | AsyncIterable<AnnotatedPicture>,
  options: MakeDialoguesOptions,
): AsyncGenerator<Dialogue> {
  const { perPicture = 4, signal, onDropped } = options
  for await (const picture of pictures) {
    const fitting = QUESTION_KINDS.filter((kind) => fits(kind, picture))
    const kinds = shuffled(fitting, options.random).slice(0, perPicture * (options.rounds ?? 1))
    for (let n = 0; n < perPicture && kinds.length > 0; n++) {
      signal?.throwIfAborted()
      const { dialogue, unborne } = await makeOne(picture, kinds, n, options)
      const faults = [...dialogueFaults(dialogue), ...unborne]
      if (faults.length === 0) yield dialogue
      else onDropped?.(dialogue.id, faults)
    }
  }
}

function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  return list
    .map((one) => ({ one, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

function fits({ about, wants }: QuestionKind, picture: AnnotatedPicture): boolean {
  const categories = new Set(picture.objects.map(({ category }) => category))
  if (wants === 'caption') return picture.captions.length > 0
  if (wants === 'texts') return (picture.texts ?? []).length > 0
  if (wants === 'tags') return categories.size > 0
  if (about === 'absent') return (picture.absent ?? []).length > 0
  return categories.size >= (about === 'two' ? 2 : 1)
}

async function makeOne(
  picture: AnnotatedPicture,
  kinds: readonly QuestionKind[],
  n: number,
  options: MakeDialoguesOptions,
): Promise<{ readonly dialogue: Dialogue; readonly unborne: readonly string[] }> {
  const { rounds = 1, variant = 'fly' } = options
  const turns: DialogueTurn[] = []
  const unborne: string[] = []
  const chosen = Array.from({ length: rounds }, (_, r) => kinds[(n * rounds + r) % kinds.length])
  for (const kind of chosen) {
    if (kind === undefined) continue
    const made = await exchange(kind, picture, turns.length === 0, options)
    turns.push(...made.turns)
    unborne.push(...made.unborne)
  }
  const isGiven = variant !== 'all-tools'
  const dialogue: Dialogue = {
    id: `${picture.id}-${variant}-${n}`,
    image: picture.file,
    turns,
    variant,
    skill: isGiven ? (chosen[0]?.skill ?? 'none') : 'none',
    source: 'annotation',
  }
  return { dialogue, unborne }
}

interface Exchange {
  readonly turns: readonly DialogueTurn[]
  /** What an answer in free words says beyond its result. */
  readonly unborne: readonly string[]
}

/** Question, call, result and answer; for All Tools the results stand before the question. */
async function exchange(
  kind: QuestionKind,
  picture: AnnotatedPicture,
  first: boolean,
  options: MakeDialoguesOptions,
): Promise<Exchange> {
  const { tools = annotatedTools, rewrite, variant = 'fly', spelling = 'serving' } = options
  const { question: plain, things, action } = ask(kind, picture, options.random)
  const question = rewrite === undefined ? plain : await rewrite(plain, things)
  const reply = await tools.call(action, picture)
  const answered = { skill: kind.skill, wants: kind.wants, things }
  const facts = { ...answered, reply: cleanReply({ api: action.name, reply }) }
  const value =
    options.answer === undefined
      ? templateAnswer(facts)
      : await options.answer({ ...facts, question })
  const unborne = options.answer === undefined ? [] : unsupported(facts, value)
  const head = first ? '<image>\n' : ''
  if (variant === 'all-tools') {
    const prefix = first ? await allToolsPrefix(tools, picture) : ''
    const thoughts = 'The results that I was given answer this.'
    return { turns: [human(head + prefix + question), gpt(thoughts, [], value)], unborne }
  }
  const turns = [
    human(head + question),
    gpt(thoughtsOf(kind, things), [action], filled(WIRE.toolUseValue, kind.skill)),
    human(resultTurn([{ api: action.name, reply }], question, spelling)),
    gpt(filled(WIRE.answerThoughts, kind.skill), [], value),
  ]
  return { turns, unborne }
}

function human(value: string): DialogueTurn {
  return { from: 'human', value }
}

function gpt(thoughts: string, actions: readonly Action[], value: string): DialogueTurn {
  return { from: 'gpt', thoughts, actions: wireActions(actions), value }
}

function thoughtsOf({ skill }: QuestionKind, things: readonly string[]): string {
  const about = things.length === 0 ? '' : ` for ${things.join(' and ')}`
  return `This is best answered with ${skill}${about}.`
}

function ask(
  kind: QuestionKind,
  picture: AnnotatedPicture,
  random: Random,
): { readonly question: string; readonly things: readonly string[]; readonly action: Action } {
  const present = [...new Set(picture.objects.map(({ category }) => category))]
  const from = kind.about === 'absent' ? (picture.absent ?? []) : present
  const count = { one: 1, two: 2, absent: 1, none: 0 }[kind.about]
  const things = shuffled(from, random).slice(0, count)
  const [x = '', y = ''] = things
  const text = kind.asked[random.below(kind.asked.length)] ?? ''
  const question = text
    .replaceAll('[xs]', pluralPhrase(x))
    .replaceAll('[ys]', pluralPhrase(y))
    .replaceAll('[x]', x)
    .replaceAll('[y]', y)
    .replace(/\b([Aa]) (?=[aeio])/g, '$1n ')
  const params = new Map<string, PythonValue>()
  if (kind.param !== undefined) {
    params.set(kind.param, kind.param === 'prompt' ? `a ${x}` : things.join(' . '))
  }
  return { question, things, action: { name: kind.skill, params: params as PythonDict } }
}
