import { nouns, single } from '../asking.ts'
import { onlyOne } from '../facts.ts'
import { ProgramText } from '../program-text.ts'
import type { Desk, Question, QuestionType } from '../question.ts'
import type { ColourWord, SceneObject } from '../../types.ts'
import { RELATION_WORDS, SIDE_RELATIONS, TINTED } from '../words.ts'

/** A thing that can be tinted, so that its colour is not its concept's. */
function tintable(desk: Desk): string | undefined {
  return desk.subject((id) => desk.lexicon.concept(id).tint && single(desk.lexicon)(id))
}

/** "What colour is the umbrella?" */
export const colourPlain: QuestionType = {
  family: 'gqa',
  type: 'attribute',
  form: 'attribute/colour',
  wordings: [
    'What colour is {the}?',
    'What is the colour of {the}?',
    'Which colour does {the} have?',
    'Tell me the colour of {the}.',
    '{the}: what colour is it?',
    'Name the colour of {the} in the picture.',
    'In what colour is {the} drawn?',
    'Look at {the}. What colour do you see?',
    'What color is {the} in this image?',
  ],
  ask: (desk) => {
    const id = tintable(desk)
    if (id === undefined) return undefined
    const { label } = desk.lexicon.concept(id)
    const program = new ProgramText()
    const part = program.crop(program.loc(label))
    return {
      slots: nouns(desk.lexicon, id),
      hops: 1,
      about: [id],
      answers: TINTED,
      program: program.result(program.vqa(`What color is the ${label}?`, part)),
      stage: (answer) => [
        { wanted: [id], tints: [answer as ColourWord], without: [id], objects: 4 },
      ],
      solve: ([scene]) => {
        const one = scene && onlyOne(desk.lexicon, scene, { concept: id })
        return one?.colour == null ? undefined : { answer: one.colour }
      },
    }
  },
}

/** "What colour is the umbrella to the right of the chair?" with another umbrella elsewhere. */
export const colourRelation: QuestionType = {
  family: 'gqa',
  type: 'attribute',
  form: 'attribute/colour-relation',
  wordings: [
    'What colour is the {name} {rel} {the2}?',
    'What is the colour of the {name} {rel} {the2}?',
    'Which colour does the {name} {rel} {the2} have?',
    'Tell me the colour of the {name} {rel} {the2}.',
    'Look {rel} {the2}: what colour is the {name} there?',
    'Find {the2}. The {name} {rel} it is of which colour?',
    'Of the {many}, the one {rel} {the2} has what colour?',
    'What color is the {name} that is {rel} {the2}?',
  ],
  ask: (desk) => {
    const id = tintable(desk)
    const anchor = id && desk.other([id], single(desk.lexicon))
    if (id === undefined || anchor === undefined) return undefined
    const { label } = desk.lexicon.concept(id)
    const relation = desk.stream.pick(SIDE_RELATIONS)
    const program = new ProgramText()
    const part = program.beside(relation, desk.lexicon.concept(anchor).label)
    const thing = program.crop(program.loc(label, part), part)
    const second = desk.stream.pick(TINTED)
    return {
      slots: {
        ...nouns(desk.lexicon, id),
        ...nouns(desk.lexicon, anchor, '2'),
        rel: desk.stream.pick(RELATION_WORDS[relation].said),
      },
      hops: 3,
      about: [id, anchor],
      answers: TINTED,
      program: program.result(program.vqa(`What color is the ${label}?`, thing)),
      stage: (answer) => [
        {
          wanted: [anchor, id, id],
          tints: [null, answer as ColourWord, second],
          without: [id, anchor],
          objects: 4,
        },
      ],
      solve: ([scene]) => {
        const seen = scene && onlyOne(desk.lexicon, scene, { concept: anchor })
        if (scene === undefined || seen === undefined) return undefined
        const one = onlyOne(desk.lexicon, scene, { concept: id }, { relation, anchor: seen })
        return one?.colour == null ? undefined : { answer: one.colour }
      },
    }
  },
}

/** "On which side of the picture is the owl?" */
export const side: QuestionType = {
  family: 'gqa',
  type: 'attribute',
  form: 'attribute/side',
  wordings: [
    'On which side of the picture is {the}, left or right?',
    'Is {the} on the left or on the right side?',
    'In which half of the image is {the}, the left or the right one?',
    'Left or right: where is {the}?',
    'Does {the} stand on the left or the right of the picture?',
    'Tell me on which side {the} is: left or right.',
    'Where do I look for {the}, left or right?',
    'Which side of the image holds {the}, left or right?',
  ],
  ask: (desk) => {
    const id = desk.subject(single(desk.lexicon))
    if (id === undefined) return undefined
    const program = new ProgramText()
    const count = program.count(desk.lexicon.concept(id).label, program.half('LEFT'))
    const objects = desk.stream.range(3, 5)
    return {
      slots: nouns(desk.lexicon, id),
      hops: 1,
      about: [id],
      answers: ['left', 'right'],
      program: program.result(program.evaluate(`'left' if {${count}} > 0 else 'right'`)),
      stage: () => [{ wanted: [id], without: [id], objects }],
      solve: ([scene]) => {
        const one = scene && onlyOne(desk.lexicon, scene, { concept: id })
        const sides = one?.places.filter((place) => place === 'left' || place === 'right') ?? []
        return sides.length === 1 && sides[0] !== undefined ? { answer: sides[0] } : undefined
      },
    }
  },
}

/** "Is the owl small or large?" */
export const size: QuestionType = {
  family: 'gqa',
  type: 'attribute',
  form: 'attribute/size',
  wordings: [
    'Is {the} small or large?',
    'What size is {the}, small or large?',
    'Large or small: how big is {the}?',
    'Would you call {the} small or large here?',
    'Tell me whether {the} is small or large.',
    'How is {the} drawn, small or large?',
    'Look at the size of {the}. Is it small or large?',
    'Which is right for {the}: small or large?',
  ],
  ask: (desk) => {
    const id = desk.subject(single(desk.lexicon))
    if (id === undefined) return undefined
    const { label } = desk.lexicon.concept(id)
    const program = new ProgramText()
    const answer = program.vqa(`What size is the ${label}?`)
    return sized(desk, id, program.result(answer), (one) => one.size)
  },
}

function sized(
  desk: Desk,
  id: string,
  program: string,
  value: (one: SceneObject) => string | null,
): Question {
  const objects = desk.stream.range(3, 5)
  return {
    slots: nouns(desk.lexicon, id),
    hops: 1,
    about: [id],
    answers: ['small', 'large'],
    program,
    stage: () => [{ wanted: [id], without: [id], objects }],
    solve: ([scene]) => {
      const one = scene && onlyOne(desk.lexicon, scene, { concept: id })
      const answer = one === undefined ? null : value(one)
      return answer === null ? undefined : { answer }
    },
  }
}
