import { countable, memberAndClass, nouns, single } from '../asking.ts'
import { countOf, existsIn, onlyOne } from '../facts.ts'
import { ProgramText } from '../program-text.ts'
import type { QuestionType } from '../question.ts'
import { articleFor, RELATION_WORDS, SIDE_RELATIONS } from '../words.ts'

const YES_NO = ['yes', 'no'] as const

/** "Is there an owl?" */
export const existPlain: QuestionType = {
  family: 'gqa',
  type: 'exist',
  form: 'exist/plain',
  wordings: [
    'Is there {an} in the picture?',
    'Do you see {an}?',
    'Does this image contain {an}?',
    'Can {an} be found here?',
    'I am looking for {an}. Is one here?',
    'Tell me whether there is {an} in view.',
    '{an}: is there one in the scene?',
    'Has the picture got {an} in it?',
    'Would I find {an} in this image?',
  ],
  ask: (desk) => {
    const id = desk.subject(single(desk.lexicon))
    if (id === undefined) return undefined
    const program = new ProgramText()
    const count = program.count(desk.lexicon.concept(id).label)
    const objects = desk.stream.range(3, 6)
    return {
      slots: nouns(desk.lexicon, id),
      hops: 1,
      about: [id],
      answers: YES_NO,
      program: program.result(program.evaluate(`'yes' if {${count}} > 0 else 'no'`)),
      stage: (answer) => [
        answer === 'yes' ? { wanted: [id], objects } : { wanted: [], without: [id], objects },
      ],
      solve: ([scene]) => answered(scene && existsIn(desk.lexicon, scene, { concept: id })),
    }
  },
}

/** "Is there an owl to the left of the anchor?" */
export const existRelation: QuestionType = {
  family: 'gqa',
  type: 'exist',
  form: 'exist/relation',
  wordings: [
    'Is there {an} {rel} {the2}?',
    'Do you see {an} {rel} {the2}?',
    'Can {an} be seen {rel} {the2}?',
    'Is {an} somewhere {rel} {the2}?',
    'Look {rel} {the2}: is there {an}?',
    'Does {an} stand {rel} {the2}?',
    'Find {the2}. Is there {an} {rel} it?',
    'Tell me if there is {an} {rel} {the2}.',
    'Would you find {an} when looking {rel} {the2}?',
  ],
  ask: (desk) => {
    const first = desk.subject(single(desk.lexicon))
    const second = first && desk.other([first], single(desk.lexicon))
    if (first === undefined || second === undefined) return undefined
    // The new thing may be the one looked for or the one that it is seen from.
    const [id, anchor] = desk.stream.chance(2, 3) ? [first, second] : [second, first]
    const relation = desk.stream.pick(SIDE_RELATIONS)
    const program = new ProgramText()
    const part = program.beside(relation, desk.lexicon.concept(anchor).label)
    const count = program.count(desk.lexicon.concept(id).label, part)
    const objects = desk.stream.range(3, 5)
    return {
      slots: {
        ...nouns(desk.lexicon, id),
        ...nouns(desk.lexicon, anchor, '2'),
        rel: desk.stream.pick(RELATION_WORDS[relation].said),
      },
      hops: 2,
      about: [id, anchor],
      answers: YES_NO,
      program: program.result(program.evaluate(`'yes' if {${count}} > 0 else 'no'`)),
      // The thing stands in the picture both times: only where it stands tells the answer.
      stage: () => [{ wanted: [anchor, id], objects }],
      solve: ([scene]) => {
        const seen = scene && onlyOne(desk.lexicon, scene, { concept: anchor })
        if (scene === undefined || seen === undefined) return undefined
        return answered(existsIn(desk.lexicon, scene, { concept: id }, { relation, anchor: seen }))
      },
    }
  },
}

/** "Is there a musical instrument?" */
export const existKind: QuestionType = {
  family: 'gqa',
  type: 'kind',
  form: 'kind/exist',
  wordings: [
    'Is there {an} in the picture?',
    'Do you see any {many}?',
    'Does anything here count as {an}?',
    'Is one of these things {an}?',
    'Are there {many} in this image?',
    'Can you spot {an} of any sort?',
    'Tell me whether {an} is shown.',
    'Would you call anything in the picture {an}?',
  ],
  ask: (desk) => {
    const found = memberAndClass(desk)
    // Without the new thing nothing would turn on it, so this is asked of known ones only.
    if (found === undefined || desk.hinge !== undefined) return undefined
    const { kind, member } = found
    const program = new ProgramText()
    const count = program.count(kind.label)
    const objects = desk.stream.range(3, 5)
    return {
      slots: { an: `${articleFor(kind.label)} ${kind.label}`, many: kind.plural },
      hops: 1,
      about: [],
      answers: YES_NO,
      program: program.result(program.evaluate(`'yes' if {${count}} > 0 else 'no'`)),
      stage: (answer) => [
        {
          wanted: answer === 'yes' ? [member] : [],
          without: [...kind.disputed, ...kind.members],
          objects,
        },
      ],
      solve: ([scene]) => answered(scene && existsIn(desk.lexicon, scene, { kind: kind.label })),
    }
  },
}

const COUNTS = ['0', '1', '2', '3', '4'] as const

/** "How many owls are there?" */
export const countPlain: QuestionType = {
  family: 'gqa',
  type: 'count',
  form: 'count/plain',
  wordings: [
    'How many {many} are there?',
    'How many {many} do you see in the picture?',
    'Count the {many}.',
    'What is the number of {many} here?',
    'Tell me how many {many} this image shows.',
    'Give the number of {many}.',
    'If you count the {many}, what do you get?',
    'The picture shows how many {many}?',
    'How often does {an} appear in the image?',
  ],
  ask: (desk) => {
    const id = desk.subject(countable(desk.lexicon))
    if (id === undefined) return undefined
    const program = new ProgramText()
    const objects = desk.stream.range(4, 6)
    return {
      slots: nouns(desk.lexicon, id),
      hops: 1,
      about: [id],
      answers: COUNTS,
      program: program.result(program.count(desk.lexicon.concept(id).label)),
      stage: (answer) => [
        { wanted: Array.from({ length: Number(answer) }, () => id), without: [id], objects },
      ],
      solve: ([scene]) =>
        answered(scene && countOf(desk.lexicon, scene, { concept: id })?.toString()),
    }
  },
}

/** "How many owls are above the tent?" */
export const countRelation: QuestionType = {
  family: 'gqa',
  type: 'count',
  form: 'count/relation',
  wordings: [
    'How many {many} are {rel} {the2}?',
    'How many {many} do you see {rel} {the2}?',
    'Count the {many} {rel} {the2}.',
    'What is the number of {many} {rel} {the2}?',
    'Look {rel} {the2}. How many {many} are there?',
    'Tell me how many {many} stand {rel} {the2}.',
    'Give the number of {many} that are {rel} {the2}.',
    'Starting from {the2}, how many {many} are {rel} it?',
  ],
  ask: (desk) => {
    const id = desk.subject(countable(desk.lexicon))
    const anchor = id && desk.other([id], single(desk.lexicon))
    if (id === undefined || anchor === undefined) return undefined
    const relation = desk.stream.pick(SIDE_RELATIONS)
    const program = new ProgramText()
    const part = program.beside(relation, desk.lexicon.concept(anchor).label)
    return {
      slots: {
        ...nouns(desk.lexicon, id),
        ...nouns(desk.lexicon, anchor, '2'),
        rel: desk.stream.pick(RELATION_WORDS[relation].said),
      },
      hops: 3,
      about: [id, anchor],
      answers: ['0', '1', '2', '3'],
      program: program.result(program.count(desk.lexicon.concept(id).label, part)),
      stage: (answer) => [
        {
          wanted: [anchor, ...Array.from({ length: Math.max(1, Number(answer)) }, () => id)],
          without: [id, anchor],
          objects: 5,
        },
      ],
      solve: ([scene]) => {
        const seen = scene && onlyOne(desk.lexicon, scene, { concept: anchor })
        if (scene === undefined || seen === undefined) return undefined
        const where = { relation, anchor: seen }
        return answered(countOf(desk.lexicon, scene, { concept: id }, where)?.toString())
      },
    }
  },
}

function answered(answer: string | undefined): { readonly answer: string } | undefined {
  return answer === undefined ? undefined : { answer }
}
