import { nouns, single } from '../asking.ts'
import { existsIn } from '../facts.ts'
import { ProgramText } from '../program-text.ts'
import type { Desk, QuestionType } from '../question.ts'

interface Logic {
  readonly form: string
  readonly wordings: readonly string[]
  readonly expression: (a: string, b: string) => string
  readonly holds: (a: boolean, b: boolean) => boolean
}

function logical({ form, wordings, expression, holds }: Logic): QuestionType {
  return {
    family: 'gqa',
    type: 'logical',
    form,
    wordings,
    ask: (desk) => {
      const first = desk.subject(single(desk.lexicon))
      const second = first && desk.other([first], single(desk.lexicon))
      if (first === undefined || second === undefined) return undefined
      const [a = first, b = second] = desk.stream.shuffle([first, second])
      const program = new ProgramText()
      const [x, y] = [a, b].map((id) => program.count(desk.lexicon.concept(id).label))
      const test = expression(`{${x}} > 0`, `{${y}} > 0`)
      const objects = desk.stream.range(3, 5)
      return {
        slots: { ...nouns(desk.lexicon, a), ...nouns(desk.lexicon, b, '2') },
        hops: 3,
        about: [a, b],
        answers: ['yes', 'no'],
        program: program.result(program.evaluate(`'yes' if ${test} else 'no'`)),
        stage: (answer) => [wish(desk, a, b, answer === 'yes', holds, objects)],
        solve: ([scene]) => {
          const has = [a, b].map((id) => scene && existsIn(desk.lexicon, scene, { concept: id }))
          if (has.includes(undefined)) return undefined
          return { answer: holds(has[0] === 'yes', has[1] === 'yes') ? 'yes' : 'no' }
        },
      }
    },
  }
}

/** One of the ways in which it is true, or false. */
function wish(
  desk: Desk,
  a: string,
  b: string,
  wanted: boolean,
  holds: Logic['holds'],
  objects: number,
): { readonly wanted: string[]; readonly without: string[]; readonly objects: number } {
  const cases = [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const
  const [hasA, hasB] = desk.stream.pick(cases.filter(([x, y]) => holds(x, y) === wanted))
  return { wanted: [...(hasA ? [a] : []), ...(hasB ? [b] : [])], without: [a, b], objects }
}

/** And, or, not; each as often true as false. */
export const LOGICAL: readonly QuestionType[] = [
  logical({
    form: 'logical/and',
    wordings: [
      'Is there {an} and {an2}?',
      'Are both {an} and {an2} in the picture?',
      'Do you see {an} as well as {an2}?',
      'Can {an} and {an2} both be found here?',
      'Does the image show {an} together with {an2}?',
      'Tell me if there are both {an} and {an2}.',
      'Are {an} and also {an2} visible?',
      'Is {an} here, and {an2} too?',
    ],
    expression: (a, b) => `${a} and ${b}`,
    holds: (a, b) => a && b,
  }),
  logical({
    form: 'logical/or',
    wordings: [
      'Is there either {an} or {an2}, or both?',
      'Is at least one of {an} and {an2} in the picture?',
      'Do you see any of these two: {an}, {an2}?',
      'Is {an} or {an2} visible at all?',
      'Can you find {an} or at any rate {an2}?',
      'Tell me if one or both of {an} and {an2} are here.',
      'Does the image hold {an} or {an2} or both?',
      'Of {an} and {an2}, is there one at least?',
    ],
    expression: (a, b) => `${a} or ${b}`,
    holds: (a, b) => a || b,
  }),
  logical({
    form: 'logical/but-not',
    wordings: [
      'Is there {an} and no {name2}?',
      'Is there {an} but no {name2}?',
      'Do you see {an} without any {name2}?',
      'Does the picture show {an} and not {an2}?',
      'Tell me if there is {an} while {an2} is missing.',
      'Can {an} be found here, but no {name2}?',
      '{an} and no {name2}: is that so in this image?',
      'Is it true that there is {an} and that there is no {name2}?',
    ],
    expression: (a, b) => `${a} and not ${b}`,
    holds: (a, b) => a && !b,
  }),
]
