import type { Box } from '../../src/image/index.ts'
import type { Synset } from '../../src/tools/index.ts'
import type { Lexicon } from '../lexicon.ts'
import type { Scene } from '../types.ts'
import { PROPERTIES } from '../properties.ts'
import { askable, nouns, single } from './asking.ts'
import { onlyOne } from './facts.ts'
import { ProgramText, quoted } from './program-text.ts'
import type { QuestionType } from './question.ts'
import type { TaskFact } from './task.ts'
import { RELATION_WORDS, SIDE_RELATIONS, articleFor } from './words.ts'

const GENERAL = new Set(
  'entity,physical entity,object,whole,artifact,living thing,organism,matter,solid,substance,food,instrumentality,device,container,covering,structure,equipment,implement,causal agent,physical object,abstraction,thing'.split(
    ',',
  ),
)

/** What a thing is a kind of, nearest first, below the general nodes. */
export function kindsOf(lexicon: Lexicon, id: string): readonly Synset[] {
  const kinds = lexicon.wordnet.above(lexicon.synset(id).id)
  const end = kinds.findIndex(({ words }) => GENERAL.has(words[0] ?? ''))
  return (end < 0 ? kinds : kinds.slice(0, end)).filter(({ words }) => !GENERAL.has(words[0] ?? ''))
}

/** A wider word for what was named. */
function wider(program: ProgramText, answer: string): string {
  return program.call('LIST', `LIST(query='wider words for {${answer}}',max=1)`)
}

/** Whether what a picture shows is on a list. */
function isAmong(program: ProgramText, image: string, query: string): string {
  const answer = program.vqa('What is this?', image)
  const list = program.call('LIST', `LIST(query=${quoted(query)},max=100)`)
  return program.evaluate(`'yes' if {${answer}} in {${list}} else 'no'`)
}

/** The side of the thing in the picture that is on a list: named first, then looked for on the left. */
function sideOf(program: ProgramText, query: string): string {
  const objects = program.call('OBJ', 'SEG(image=IMAGE)')
  const list = program.call('LIST', `LIST(query=${quoted(query)},max=100)`)
  const chosen = program.call('OBJ', `CLASSIFY(image=IMAGE,object=${objects},categories=${list})`)
  const name = program.vqa('What is this?', program.crop(chosen))
  const count = program.count(`{${name}}`, program.half('LEFT'))
  return program.evaluate(`'left' if {${count}} > 0 else 'right'`)
}

const BOTH = `OBJ0=SEG(image=IMAGE)
for OBJ1 in OBJ0 gather ANSWER0 as LIST0
IMAGE0=CROP(image=IMAGE,box=OBJ1)
ANSWER0=VQA(image=IMAGE0,question='What is this?')
end
LIST1=LIST(query='wider words for {LIST0}',max=1)
FINAL_RESULT=RESULT(var=LIST1)`

function apart(a: Box, b: Box): boolean {
  return a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]
}

/** "What kind of thing is the one left of the tent?" */
const kind: QuestionType = {
  family: 'knowledge',
  type: 'kind',
  form: 'knowledge/kind',
  wordings: [
    'What kind of thing is {rel} {the2}?',
    'The thing {rel} {the2} is a kind of what?',
    'To what class of things does the one {rel} {the2} belong?',
    'Name a wider word for the thing {rel} {the2}.',
    'What is the thing {rel} {the2} a sort of?',
    'Under which heading would a dictionary put the thing {rel} {the2}?',
    'Look {rel} {the2}. Of what larger group is that thing a member?',
    'Tell me the family of things that the one {rel} {the2} belongs to.',
  ],
  ask: (desk) => {
    const { lexicon } = desk
    const id = desk.subject((one) => kindsOf(lexicon, one).length > 0)
    const anchor = id && desk.other([id], single(lexicon))
    if (id === undefined || anchor === undefined) return undefined
    const relation = desk.stream.pick(SIDE_RELATIONS)
    const kinds = kindsOf(lexicon, id)
    const nearest = kinds[0]?.words[0] ?? ''
    const program = new ProgramText()
    const part = program.beside(relation, lexicon.concept(anchor).label)
    return {
      slots: {
        ...nouns(lexicon, anchor, '2'),
        rel: desk.stream.pick(RELATION_WORDS[relation].said),
      },
      hops: 3,
      about: [id],
      answers: [nearest],
      program: program.result(wider(program, program.vqa('What is this?', part))),
      stage: () => [{ wanted: [anchor, id], without: [anchor, id], objects: 3 }],
      solve: ([scene]) => {
        const seen = scene && onlyOne(lexicon, scene, { concept: anchor })
        if (scene === undefined || seen === undefined) return undefined
        const one = onlyOne(lexicon, scene, {}, { relation, anchor: seen })
        if (one?.concept !== id) return undefined
        return {
          answer: nearest,
          accepted: [...new Set(kinds.flatMap(({ words }) => words))].slice(1),
          facts: [{ concept: id, relation: 'kind', value: nearest }],
        }
      },
    }
  },
}

/** "Is the thing left of the tent a carnivore?" */
const isKind: QuestionType = {
  family: 'knowledge',
  type: 'two-hop',
  form: 'knowledge/is-kind',
  wordings: [
    'Is the thing {rel} {the2} {an}?',
    'Would you count the thing {rel} {the2} among the {many}?',
    'Does the thing {rel} {the2} belong to the {many}?',
    'What stands {rel} {the2}: is it {an}?',
    'Look {rel} {the2}. Is that {an}?',
    'Is it {an} that one sees {rel} {the2}?',
    'Tell me whether the thing {rel} {the2} is {an}.',
    'Can the thing {rel} {the2} be called {an}?',
  ],
  ask: (desk) => {
    const { lexicon, stream } = desk
    const classes = askable(lexicon, 200)
    const of = (id: string): typeof classes => classes.filter(({ members }) => members.has(id))
    const id = desk.subject((one) => of(one).length > 0)
    const group = id === undefined || of(id).length === 0 ? undefined : stream.pick(of(id))
    if (id === undefined || group === undefined) return undefined
    const outside = desk.other([id], (one) => !group.members.has(one) && !group.disputed.has(one))
    const anchor = outside && desk.other([id, outside], single(lexicon))
    if (outside === undefined || anchor === undefined) return undefined
    const relation = stream.pick(SIDE_RELATIONS)
    const program = new ProgramText()
    const part = program.beside(relation, lexicon.concept(anchor).label)
    const an = `${articleFor(group.label)} ${group.label}`
    // With a new thing the question is asked about it both ways: of its class, and of another.
    const other = stream.pick(
      classes.filter(({ members, disputed }) => !members.has(id) && !disputed.has(id)),
    )
    const asked = desk.hinge !== undefined && stream.chance(1, 2) ? other : group
    return {
      slots: {
        ...nouns(lexicon, anchor, '2'),
        an: asked === group ? an : `${articleFor(other.label)} ${other.label}`,
        many: asked.plural,
        rel: stream.pick(RELATION_WORDS[relation].said),
      },
      hops: 3,
      about: desk.hinge === undefined ? [] : [id],
      answers: desk.hinge === undefined ? ['yes', 'no'] : [asked === group ? 'yes' : 'no'],
      program: program.result(isAmong(program, part, `kinds of ${asked.plural}`)),
      stage: (answer) => {
        const thing = desk.hinge ?? (answer === 'yes' ? id : outside)
        return [{ wanted: [anchor, thing], without: [anchor, thing], objects: 3 }]
      },
      solve: ([scene]) => {
        const seen = scene && onlyOne(lexicon, scene, { concept: anchor })
        if (scene === undefined || seen === undefined) return undefined
        const one = onlyOne(lexicon, scene, {}, { relation, anchor: seen })
        if (one === undefined || asked.disputed.has(one.concept)) return undefined
        const is = asked.members.has(one.concept)
        const fact: TaskFact = { concept: one.concept, relation: 'kind', value: asked.label }
        return { answer: is ? 'yes' : 'no', facts: is ? [fact] : [] }
      },
    }
  },
}

interface Part {
  readonly concept: string
  readonly relation: 'part' | 'member' | 'substance'
  readonly value: string
  /** Everything that WordNet names as having it, directly or by its kinds. */
  readonly holders: ReadonlySet<string>
}

const partsKnown = new WeakMap<Lexicon, readonly Part[]>()

/** Parts, members and substances that WordNet records for concepts, with all who have them. */
export function partsOf(lexicon: Lexicon): readonly Part[] {
  const known = partsKnown.get(lexicon)
  if (known !== undefined) return known
  const symbols = { part: '%p', member: '%m', substance: '%s' } as const
  const rows = [...lexicon.concepts.keys()].flatMap((concept) =>
    (Object.keys(symbols) as (keyof typeof symbols)[]).flatMap((relation) =>
      lexicon.wordnet
        .pointers(lexicon.synset(concept).id, symbols[relation])
        .map((id) => ({ concept, relation, value: lexicon.wordnet.synset(id).words[0] ?? '' })),
    ),
  )
  const holders = Map.groupBy(rows, ({ value }) => value)
  const made = rows.map((row) => ({
    ...row,
    holders: new Set(holders.get(row.value)?.map(({ concept }) => concept)),
  }))
  partsKnown.set(lexicon, made)
  return made
}

/**
 * "On which side is the thing that has a fingerboard?": asked for the side, since the name of a thing
 * with a fingerboard could be told without looking.
 */
const part: QuestionType = {
  family: 'knowledge',
  type: 'part',
  form: 'knowledge/part',
  wordings: [
    'On which side is the thing that has {part}, left or right?',
    'Is the thing with {part} on the left or on the right?',
    'Of the things here, one has {part}. Is it left or right?',
    '{part} belongs to one of these things. On which side is that one, left or right?',
    'Left or right: where do you see the thing that has {part}?',
    'In which half of the picture is the one that comes with {part}, the left or the right?',
    'Find the thing with {part}. Does it stand left or right?',
    'One thing in the picture has {part}. Say left or right.',
  ],
  ask: (desk) => {
    const { lexicon, stream } = desk
    const of = (id: string): readonly Part[] =>
      partsOf(lexicon).filter(
        ({ concept, relation, value }) =>
          concept === id &&
          relation === 'part' &&
          lexicon.named(value) === undefined &&
          // "a lemon peel" would name its owner.
          !value.split(' ').some((word) => lexicon.concept(id).label.split(' ').includes(word)),
      )
    const id = desk.subject((one) => of(one).length > 0)
    const chosen = id === undefined ? undefined : stream.pick(of(id))
    if (id === undefined || chosen === undefined) return undefined
    // The parts are incomplete: the others are of quite another group, so that they surely lack it.
    const group = lexicon.concept(id).group.split('-')[0]
    const lacks = (one: string): boolean =>
      !chosen.holders.has(one) &&
      lexicon.concept(one).group.split('-')[0] !== group &&
      !sharesClass(lexicon, one, id)
    const others: string[] = []
    while (others.length < 2) {
      const next = desk.other([id, ...others], lacks)
      if (next === undefined) return undefined
      others.push(next)
    }
    const program = new ProgramText()
    return {
      slots: { part: partPhrase(chosen.value) },
      hops: 2,
      about: [id],
      answers: ['left', 'right'],
      program: program.result(sideOf(program, `things with ${partPhrase(chosen.value)}`)),
      stage: () => [{ wanted: [id, ...others], without: [id], objects: 3 }],
      solve: ([scene]) => {
        const side = sideIn(lexicon, scene, id)
        const { concept, relation, value } = chosen
        return side && { answer: side, facts: [{ concept, relation, value }] }
      },
    }
  },
}

/** "a hilt", "withers" */
function partPhrase(part: string): string {
  return part.endsWith('s') ? part : `${articleFor(part)} ${part}`
}

/** The side of the only thing of a concept, when it is clear and nothing touches it. */
function sideIn(
  lexicon: Lexicon,
  scene: Scene | undefined,
  id: string,
): 'left' | 'right' | undefined {
  const one = scene && onlyOne(lexicon, scene, { concept: id })
  if (scene?.objects.length !== 3 || one === undefined) return undefined
  if (scene.objects.some((other) => other !== one && !apart(other.box, one.box))) return undefined
  const sides = one.places.filter((place) => place === 'left' || place === 'right')
  return sides.length === 1 ? sides[0] : undefined
}

function sharesClass(lexicon: Lexicon, a: string, b: string): boolean {
  const classes = new Set(lexicon.classesOf(a))
  return lexicon.classesOf(b).some((one) => classes.has(one))
}

/** "On which side is the thing that is nocturnal?", by rows that people read out of glosses. */
const property: QuestionType = {
  family: 'knowledge',
  type: 'property',
  form: 'knowledge/property',
  wordings: [
    'On which side is the thing that {says}, left or right?',
    'Is the thing that {says} on the left or on the right?',
    'One of these things {says}. Is it left or right?',
    'Left or right: where do you see the thing that {says}?',
    'In which half of the picture is the one that {says}, the left or the right?',
    'Find the thing that {says}. Does it stand left or right?',
    'There is something that {says}. Say left or right.',
    'Of the things here, one {says}. Which half is it in, left or right?',
  ],
  ask: (desk) => {
    const { lexicon, stream } = desk
    const rows = (id: string): typeof PROPERTIES => PROPERTIES.filter(({ truths }) => id in truths)
    const id = desk.subject((one) => rows(one).length > 0)
    const row = id === undefined ? undefined : stream.pick(rows(id))
    if (id === undefined || row === undefined) return undefined
    const known = stream
      .shuffle(row.falsehoods)
      .filter((one) => lexicon.concept(one).split === 'known' && !lexicon.related(id).has(one))
    const others = known.slice(0, 2)
    if (others.length < 2) return undefined
    const program = new ProgramText()
    return {
      slots: { says: row.says },
      hops: 2,
      about: [id],
      answers: ['left', 'right'],
      program: program.result(sideOf(program, `what ${row.says}`)),
      stage: () => [{ wanted: [id, ...others], without: [id, ...others], objects: 3 }],
      solve: ([scene]) => {
        const side = sideIn(lexicon, scene, id)
        const fact: TaskFact = { concept: id, relation: 'property', value: row.says }
        return side && { answer: side, facts: [fact] }
      },
    }
  },
}

/** "What are the violin and the guitar both?" */
const both: QuestionType = {
  family: 'knowledge',
  type: 'two-objects',
  form: 'knowledge/both',
  wordings: [
    'What are the two things in the picture both?',
    'What kind of thing are both of the objects that you see?',
    'Name a word that fits both things shown.',
    'Of what are the two objects examples?',
    'To which common class do the two things belong?',
    'The two things here have a wider word in common. Which?',
    'What could you call both objects alike?',
    'Both things are a kind of what?',
  ],
  ask: (desk) => {
    const { lexicon, stream } = desk
    const classes = askable(lexicon, 60)
    const of = (id: string): typeof classes => classes.filter(({ members }) => members.has(id))
    const id = desk.subject((one) => of(one).length > 0)
    const group = id === undefined || of(id).length === 0 ? undefined : stream.pick(of(id))
    if (id === undefined || group === undefined) return undefined
    const second = desk.other([id], (one) => group.members.has(one))
    if (second === undefined) return undefined
    const shared = sharedKinds(lexicon, id, second)
    const nearest = shared[0]?.words[0]
    if (nearest === undefined) return undefined
    return {
      slots: {},
      hops: 3,
      about: desk.hinge === undefined ? [] : [id],
      answers: [nearest],
      program: BOTH,
      stage: () => [{ wanted: [id, second], without: [], objects: 2 }],
      solve: ([scene]) => {
        const [a, b] = scene?.objects ?? []
        if (a === undefined || b === undefined || !apart(a.box, b.box)) return undefined
        const accepted = [...new Set([...shared.flatMap(({ words }) => words), group.label])]
        return {
          answer: nearest,
          accepted: accepted.filter((word) => word !== nearest),
          facts: [id, second].map((one) => ({
            concept: one,
            relation: 'kind' as const,
            value: nearest,
          })),
        }
      },
    }
  },
}

export function sharedKinds(lexicon: Lexicon, a: string, b: string): readonly Synset[] {
  const ids = new Set(kindsOf(lexicon, b).map(({ id }) => id))
  return kindsOf(lexicon, a).filter(({ id }) => ids.has(id))
}

/** Questions that need facts of WordNet about what is seen. @source picture-world §5.5 */
export const KNOWLEDGE_TYPES: readonly QuestionType[] = [kind, isKind, part, property, both]
