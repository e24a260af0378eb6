import { isFault } from '../../base/index.ts'
import { singularPhrase } from '../../memory/index.ts'
import { isDict, isList, readPython } from '../../tools/index.ts'
import type { PythonDict } from '../../tools/index.ts'
import type { Dialogue, DialogueTurn } from './dialogue.ts'
import { mergedText } from './training-text.ts'

/** Marks that would break the labelling of a trainer or forge a turn. */
const FORBIDDEN = [' ASSISTANT: ', '</s>', '###']

/** Tokens of a sample at most, and what a picture of 224 pixels takes of them. */
const MOST_TOKENS = 2048
const IMAGE_TOKENS = 256
/** Letters of a token in such text, on the safe side. */
const LETTERS_PER_TOKEN = 3

/**
 * What is wrong with a dialogue, each with its turn; none for a good one: form (alternation, one picture
 * tag, no forbidden marks, length), and answers that contradict the result before them.
 *
 * @source llava-plus §7.2, §7.3 step 7
 */
export function dialogueFaults(dialogue: Dialogue): readonly string[] {
  return [...formFaults(dialogue), ...answerFaults(dialogue.turns)]
}

function formFaults({ turns, image }: Dialogue): readonly string[] {
  const faults: string[] = []
  if (turns.length < 2 || turns.length % 2 === 1) faults.push(`${turns.length} turns are no pairs`)
  const letters = turns.reduce((sum, turn) => sum + mergedText(turn).length, 0)
  const tokens = Math.ceil(letters / LETTERS_PER_TOKEN) + (image === undefined ? 0 : IMAGE_TOKENS)
  if (tokens > MOST_TOKENS) faults.push(`about ${tokens} tokens are more than ${MOST_TOKENS}`)
  turns.forEach((turn, i) => {
    const at = `turn ${i + 1}`
    if ((turn.from === 'human') !== (i % 2 === 0)) faults.push(`${at}: ${turn.from} is out of turn`)
    if (turn.value.trim() === '') faults.push(`${at}: the value is empty`)
    const text = turn.from === 'gpt' ? mergedText(turn) : turn.value
    for (const mark of FORBIDDEN) {
      if (text.includes(mark)) faults.push(`${at}: holds ${JSON.stringify(mark)}`)
    }
    const tags = text.split('<image>').length - 1
    const wanted = i === 0 && image !== undefined ? 1 : 0
    if (tags !== wanted) faults.push(`${at}: ${tags} <image> where ${wanted} belongs`)
  })
  return faults
}

const RESULT = /^\S+ (?:model outputs|output): (\{.*\})$/m
const COUNT = /\b(?:there (?:is|are)|found|count) (\d+) ([a-z][a-z -]*?)(?= in\b|[:.,]|$)/gi
const NONE = /\bno ([a-z][a-z -]*?)(?= in\b|[.,]|$)/gi

/** Answers after a detection whose numbers or absences the result does not bear out. */
function answerFaults(turns: readonly DialogueTurn[]): readonly string[] {
  return turns.flatMap((turn, i) => {
    const before = turns[i - 1]
    if (turn.from !== 'gpt' || before?.from !== 'human' || !answers(turn)) return []
    const reply = resultOf(before.value)
    const phrases = reply?.get('phrases')
    if (!isList(phrases)) return []
    const names = phrases.map((one) => String(one).toLowerCase())
    const number = (thing: string): number =>
      names.filter((name) => name === thing || name === singularPhrase(thing)).length
    const wrong = [...turn.value.matchAll(COUNT)].flatMap(([said, count, thing = '']) =>
      number(thing.toLowerCase()) === Number(count)
        ? []
        : [`turn ${i + 1}: "${said}" is not in the result`],
    )
    const denied = [...turn.value.matchAll(NONE)].flatMap(([said, thing = '']) =>
      number(thing.toLowerCase()) === 0 ? [] : [`turn ${i + 1}: "${said}" contradicts the result`],
    )
    return [...wrong, ...denied]
  })
}

/** Whether a turn calls no skill, so that its value is an answer. */
function answers({ actions }: Extract<DialogueTurn, { from: 'gpt' }>): boolean {
  return actions.length === 0
}

function resultOf(text: string): PythonDict | undefined {
  const found = RESULT.exec(text)?.[1]
  if (found === undefined) return undefined
  try {
    const value = readPython(found, { as: 'literal' })
    return isDict(value) ? value : undefined
  } catch (error) {
    if (isFault(error)) return undefined
    throw error
  }
}
