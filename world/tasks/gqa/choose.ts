import { askable, nouns, single } from '../asking.ts'
import { colourFits, onlyOne, relates } from '../facts.ts'
import { ProgramText } from '../program-text.ts'
import type { QuestionType } from '../question.ts'
import type { ColourWord } from '../../types.ts'
import { largerThan } from '../../truth.ts'
import { INVERSE, RELATION_WORDS, SIDE_RELATIONS, TINTED } from '../words.ts'

/** "Is the balloon red or blue?" */
export const chooseColour: QuestionType = {
  family: 'gqa',
  type: 'choose',
  form: 'choose/colour',
  wordings: [
    'Is {the} {one} or {two}?',
    'Which colour is {the}, {one} or {two}?',
    '{one} or {two}: what colour is {the}?',
    'Would you say {the} is {one} or {two}?',
    'Tell me whether {the} is {one} or {two}.',
    'Is the colour of {the} {one} or rather {two}?',
    'Of {one} and {two}, which is the colour of {the}?',
    'Look at {the}: is it {one} or {two}?',
  ],
  ask: (desk) => {
    const id = desk.subject((one) => desk.lexicon.concept(one).tint && single(desk.lexicon)(one))
    if (id === undefined) return undefined
    const [one = 'red', two = 'blue'] = desk.stream.shuffle(TINTED)
    const { label } = desk.lexicon.concept(id)
    const program = new ProgramText()
    const part = program.crop(program.loc(label))
    return {
      slots: { ...nouns(desk.lexicon, id), one, two },
      hops: 1,
      about: [id],
      answers: [one, two],
      program: program.result(program.vqa(`What color is the ${label}?`, part)),
      stage: (answer) => [
        { wanted: [id], tints: [answer as ColourWord], without: [id], objects: 4 },
      ],
      solve: ([scene]) => {
        const seen = scene && onlyOne(desk.lexicon, scene, { concept: id })
        if (seen?.colour == null) return undefined
        const other = seen.colour === one ? two : one
        return colourFits(seen, other) === 'no' ? { answer: seen.colour } : undefined
      },
    }
  },
}

/** "Is the key above or below the bell?" */
export const chooseRelation: QuestionType = {
  family: 'gqa',
  type: 'choose',
  form: 'choose/relation',
  wordings: [
    'Is {the} {one} or {two} {the2}?',
    'Is {the} {one} {the2}, or is it {two} it?',
    'Where is {the} seen from {the2}: {one} or {two}?',
    'Tell me whether {the} is {one} or {two} {the2}.',
    '{one} or {two}: how does {the} stand to {the2}?',
    'Does {the} stand {one} or {two} {the2}?',
    'Compared with {the2}, is {the} {one} or {two} it?',
    'Which is right: {the} is {one} {the2}, or {the} is {two} {the2}? Say {one} or {two}.',
  ],
  ask: (desk) => {
    const first = desk.subject(single(desk.lexicon))
    const second = first && desk.other([first], single(desk.lexicon))
    if (first === undefined || second === undefined) return undefined
    const [id, anchor] = desk.stream.chance(1, 2) ? [first, second] : [second, first]
    const relation = desk.stream.pick(SIDE_RELATIONS)
    const inverse = INVERSE[relation]
    const [a, b] = [RELATION_WORDS[relation].short, shortOf(inverse)]
    const program = new ProgramText()
    const part = program.beside(relation, desk.lexicon.concept(anchor).label)
    const count = program.count(desk.lexicon.concept(id).label, part)
    const objects = desk.stream.range(3, 5)
    const said = (short: string): string =>
      short === 'left' || short === 'right' ? `${short} of` : short
    return {
      slots: {
        ...nouns(desk.lexicon, id),
        ...nouns(desk.lexicon, anchor, '2'),
        one: said(a),
        two: said(b),
      },
      hops: 2,
      about: [id, anchor],
      answers: [a, b],
      program: program.result(program.evaluate(`'${a}' if {${count}} > 0 else '${b}'`)),
      stage: () => [{ wanted: [anchor, id], without: [anchor, id], objects }],
      solve: ([scene]) => {
        const seen = scene && onlyOne(desk.lexicon, scene, { concept: anchor })
        const one = scene && onlyOne(desk.lexicon, scene, { concept: id })
        if (seen === undefined || one === undefined) return undefined
        const fact = relates(one, relation, seen)
        if (fact === 'unclear') return undefined
        const answer = fact === 'yes' ? a : b
        return { answer, accepted: [said(answer)].filter((text) => text !== answer) }
      },
    }
  },
}

function shortOf(name: keyof typeof INVERSE): string {
  return name in RELATION_WORDS ? RELATION_WORDS[name as keyof typeof RELATION_WORDS].short : name
}

/** "Which is larger, the whale or the bus?" */
export const compareSize: QuestionType = {
  family: 'gqa',
  type: 'compare',
  form: 'compare/size',
  wordings: [
    'Which is larger, {the} or {the2}?',
    'Which of the two is bigger, {the} or {the2}?',
    'Is {the} larger, or is {the2}?',
    'Of {the} and {the2}, which takes up more room?',
    'Tell me which is the larger one: {the} or {the2}.',
    'Compare {the} with {the2}. Which is larger?',
    'Does {the} or {the2} cover more of the picture?',
    'Name the larger of {the} and {the2}.',
  ],
  ask: (desk) => {
    const first = desk.subject(single(desk.lexicon))
    const second = first && desk.other([first], single(desk.lexicon))
    if (first === undefined || second === undefined) return undefined
    const [a = first, b = second] = desk.stream.shuffle([first, second])
    const [one, two] = [desk.lexicon.concept(a).label, desk.lexicon.concept(b).label]
    const program = new ProgramText()
    const objects = desk.stream.range(3, 5)
    return {
      slots: { ...nouns(desk.lexicon, a), ...nouns(desk.lexicon, b, '2') },
      hops: 2,
      about: [a, b],
      answers: [one, two],
      program: program.result(program.vqa(`Which is larger, the ${one} or the ${two}?`)),
      stage: () => [{ wanted: [a, b], without: [a, b], objects }],
      solve: ([scene]) => {
        const x = scene && onlyOne(desk.lexicon, scene, { concept: a })
        const y = scene && onlyOne(desk.lexicon, scene, { concept: b })
        const fact = x && y && largerThan(x.area, y.area)
        return fact === 'yes' ? { answer: one } : fact === 'no' ? { answer: two } : undefined
      },
    }
  },
}

/** "Have the car and the umbrella the same colour?" */
export const compareColour: QuestionType = {
  family: 'gqa',
  type: 'compare',
  form: 'compare/colour',
  wordings: [
    'Have {the} and {the2} the same colour?',
    'Are {the} and {the2} of the same colour?',
    'Is {the} as {the2} in colour?',
    'Do {the} and {the2} share their colour?',
    'Is the colour of {the} also that of {the2}?',
    'Tell me if {the} and {the2} are equally coloured.',
    'Compare the colours of {the} and {the2}. Are they equal?',
    'Does {the} have the colour that {the2} has?',
  ],
  ask: (desk) => {
    const tinted = (id: string): boolean =>
      desk.lexicon.concept(id).tint && single(desk.lexicon)(id)
    const a = desk.subject(tinted)
    const b = a && desk.other([a], tinted)
    if (a === undefined || b === undefined) return undefined
    const program = new ProgramText()
    const colours = [a, b].map((id) => {
      const { label } = desk.lexicon.concept(id)
      return program.vqa(`What color is the ${label}?`, program.crop(program.loc(label)))
    })
    const [one = 'red', two = 'blue'] = desk.stream.shuffle(TINTED)
    return {
      slots: { ...nouns(desk.lexicon, a), ...nouns(desk.lexicon, b, '2') },
      hops: 2,
      about: [a, b],
      answers: ['yes', 'no'],
      program: program.result(
        program.evaluate(`'yes' if {${colours[0]}} == {${colours[1]}} else 'no'`),
      ),
      stage: (answer) => [
        {
          wanted: [a, b],
          tints: [one, answer === 'yes' ? one : two],
          without: [a, b],
          objects: 4,
        },
      ],
      solve: ([scene]) => {
        const x = scene && onlyOne(desk.lexicon, scene, { concept: a })
        const y = scene && onlyOne(desk.lexicon, scene, { concept: b })
        if (x?.colour == null || y?.colour == null) return undefined
        if (x.colour === y.colour) return { answer: 'yes' }
        return colourFits(y, x.colour) === 'no' ? { answer: 'no' } : undefined
      },
    }
  },
}

/** "What is the thing below the guitar?" */
export const nameRelation: QuestionType = {
  family: 'gqa',
  type: 'name',
  form: 'name/relation',
  wordings: [
    'What is the thing {rel} {the2}?',
    'What do you see {rel} {the2}?',
    'Name the thing {rel} {the2}.',
    'Which thing is {rel} {the2}?',
    'Look {rel} {the2}. What is there?',
    'What stands {rel} {the2}?',
    'Tell me what can be seen {rel} {the2}.',
    'There is one thing {rel} {the2}. What is it?',
  ],
  ask: (desk) => {
    const id = desk.subject()
    const anchor = id && desk.other([id], single(desk.lexicon))
    if (id === undefined || anchor === undefined) return undefined
    const relation = desk.stream.pick(SIDE_RELATIONS)
    const program = new ProgramText()
    const part = program.beside(relation, desk.lexicon.concept(anchor).label)
    return {
      slots: {
        ...nouns(desk.lexicon, anchor, '2'),
        rel: desk.stream.pick(RELATION_WORDS[relation].said),
      },
      hops: 2,
      about: [id],
      answers: [desk.lexicon.concept(id).label],
      program: program.result(program.vqa('What is this?', part)),
      stage: () => [{ wanted: [anchor, id], without: [anchor, id], objects: 3 }],
      solve: ([scene]) => {
        const seen = scene && onlyOne(desk.lexicon, scene, { concept: anchor })
        if (scene === undefined || seen === undefined) return undefined
        const one = onlyOne(desk.lexicon, scene, {}, { relation, anchor: seen })
        if (one === undefined) return undefined
        const { label, synonyms } = desk.lexicon.concept(one.concept)
        return { answer: label, accepted: synonyms }
      },
    }
  },
}

/** "What fruit is right of the drum?" */
export const nameKind: QuestionType = {
  family: 'gqa',
  type: 'kind',
  form: 'kind/name',
  wordings: [
    'What {kind} is {rel} {the2}?',
    'Which {kind} do you see {rel} {the2}?',
    'Name the {kind} {rel} {the2}.',
    'What is the {kind} {rel} {the2}?',
    'Look {rel} {the2}: which {kind} is that?',
    'Tell me which {kind} stands {rel} {the2}.',
    'The {kind} {rel} {the2} is what?',
    'Find {the2}. Which {kind} is {rel} it?',
  ],
  ask: (desk) => {
    const classes = askable(desk.lexicon)
    const of = (id: string): typeof classes => classes.filter(({ members }) => members.has(id))
    const id = desk.subject((one) => of(one).length > 0)
    const kind = id && desk.stream.pick(of(id))
    if (id === undefined || kind === undefined || kind === '') return undefined
    const taken = new Set([...kind.members, ...kind.disputed])
    const anchor = desk.other([id], (one) => !taken.has(one) && single(desk.lexicon)(one))
    if (anchor === undefined) return undefined
    const relation = desk.stream.pick(SIDE_RELATIONS)
    const program = new ProgramText()
    const part = program.beside(relation, desk.lexicon.concept(anchor).label)
    return {
      slots: {
        ...nouns(desk.lexicon, anchor, '2'),
        kind: kind.label,
        rel: desk.stream.pick(RELATION_WORDS[relation].said),
      },
      hops: 2,
      about: [id],
      answers: [desk.lexicon.concept(id).label],
      program: program.result(program.vqa(`What ${kind.label} is this?`, part)),
      stage: () => [
        {
          wanted: [anchor, id],
          without: [anchor, ...kind.disputed, ...kind.members],
          objects: 4,
        },
      ],
      solve: ([scene]) => {
        const seen = scene && onlyOne(desk.lexicon, scene, { concept: anchor })
        if (scene === undefined || seen === undefined) return undefined
        const where = { relation, anchor: seen }
        const one = onlyOne(desk.lexicon, scene, { kind: kind.label }, where)
        if (one === undefined) return undefined
        const { label, synonyms } = desk.lexicon.concept(one.concept)
        return { answer: label, accepted: synonyms }
      },
    }
  },
}

/** "Is it an owl or an eagle?" among others of their class. */
export const chooseName: QuestionType = {
  family: 'gqa',
  type: 'logical',
  form: 'logical/which',
  wordings: [
    'Is {an} or {an2} in the picture?',
    'Which of the two is shown, {an} or {an2}?',
    'Do you see {an} or {an2}?',
    'One of them is here: {an} or {an2}. Which?',
    'Tell me whether this shows {an} or {an2}.',
    'Is the thing you see {an} or {an2}?',
    '{an} or {an2}: which one can be seen?',
    'Does the image hold {an}, or {an2}?',
  ],
  ask: (desk) => {
    const a = desk.subject(single(desk.lexicon))
    if (a === undefined) return undefined
    const group = desk.lexicon.concept(a).group
    const alike = (id: string): boolean =>
      desk.lexicon.concept(id).group === group && single(desk.lexicon)(id)
    const b = desk.other([a], alike) ?? desk.other([a], single(desk.lexicon))
    if (b === undefined) return undefined
    const [first = a, second = b] = desk.stream.shuffle([a, b])
    const [one, two] = [first, second].map((id) => desk.lexicon.concept(id).label)
    const program = new ProgramText()
    const count = program.count(one ?? '')
    const objects = desk.stream.range(3, 5)
    return {
      slots: { ...nouns(desk.lexicon, first), ...nouns(desk.lexicon, second, '2') },
      hops: 2,
      about: [a, b],
      answers: [one ?? '', two ?? ''],
      program: program.result(program.evaluate(`'${one}' if {${count}} > 0 else '${two}'`)),
      stage: (answer) => [{ wanted: [answer === one ? first : second], without: [a, b], objects }],
      solve: ([scene]) => {
        const found = [first, second].filter(
          (id) => scene && onlyOne(desk.lexicon, scene, { concept: id }) !== undefined,
        )
        const only = found.length === 1 ? found[0] : undefined
        return only === undefined ? undefined : { answer: desk.lexicon.concept(only).label }
      },
    }
  },
}
