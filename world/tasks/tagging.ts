import type { Lexicon } from '../lexicon.ts'
import type { SceneObject } from '../types.ts'
import { memberAndClass, nouns, single } from './asking.ts'
import { find } from './facts.ts'
import { ProgramText, quoted } from './program-text.ts'
import type { QuestionType, Solution } from './question.ts'
import type { TaskObject } from './task.ts'
import { listed, NUMBER_WORDS } from './words.ts'

/** Box and label of objects, as they are scored. */
export function taskObjects(
  lexicon: Lexicon,
  found: readonly SceneObject[],
): readonly TaskObject[] {
  return found.map(({ id, concept, box }) => ({
    id,
    concept,
    label: lexicon.concept(concept).label,
    box,
  }))
}

/** Detections that cover each other are thinned out by LOC, so such scenes are not asked about. */
function tagged(lexicon: Lexicon, found: readonly SceneObject[]): Solution | undefined {
  return apart(found) ? { objects: taskObjects(lexicon, found) } : undefined
}

/** "Tag the musical instruments." */
const kind: QuestionType = {
  family: 'tagging',
  type: 'kind',
  form: 'tagging/kind',
  wordings: [
    'Tag the {many}.',
    'Label each {kind} with its name.',
    'Which {many} are in the picture? Tag them.',
    'Mark every {kind} and write what it is.',
    'Find the {many} and name each of them.',
    'Tag the kinds of {many}.',
    'Put its name on each {kind}.',
    'I would like all {many} labelled by name.',
    'What {many} do you see? Draw a box with the name around each.',
  ],
  ask: (desk) => {
    const found = memberAndClass(desk, 40)
    if (found === undefined) return undefined
    const { kind: group, member } = found
    const { lexicon, stream } = desk
    const known = [...group.members].filter(
      (id) => id !== member && lexicon.concept(id).split === 'known',
    )
    // One of each: CLASSIFY keeps the best object of a class only.
    const wanted = [member]
    for (const id of stream.shuffle(known).slice(0, stream.range(0, 2))) {
      if (!wanted.some((one) => lexicon.related(one).has(id))) wanted.push(id)
    }
    const none = stream.chance(1, 10) && desk.hinge === undefined
    const program = new ProgramText()
    const list = program.call('LIST', `LIST(query=${quoted(`kinds of ${group.plural}`)},max=100)`)
    const boxes = program.loc(group.label)
    const named = program.call('OBJ', `CLASSIFY(image=IMAGE,object=${boxes},categories=${list})`)
    return {
      slots: { many: group.plural, kind: group.label },
      hops: 3,
      about: desk.hinge === undefined ? [] : [member],
      answers: [],
      program: program.result(program.call('IMAGE', `TAG(image=IMAGE,object=${named})`)),
      stage: () => [
        {
          wanted: none ? [] : wanted,
          without: [...group.members, ...group.disputed],
          objects: 5,
        },
      ],
      solve: ([scene]) => {
        const all = scene && find(lexicon, scene, { kind: group.label })
        if (all === undefined || all.unclear) return undefined
        const concepts = new Set(all.found.map(({ concept }) => concept))
        if (concepts.size < all.found.length || (!none && !concepts.has(member))) return undefined
        return tagged(lexicon, all.found)
      },
    }
  },
}

/** "Tag the owl and the anchor." */
const named: QuestionType = {
  family: 'tagging',
  type: 'named',
  form: 'tagging/named',
  wordings: [
    'Tag {things}.',
    'Label {things} in the picture.',
    'Draw a box around {things}.',
    'Find {things} and tag what you find.',
    'Show me where {things} can be seen.',
    'Mark {things} with their names.',
    'Where are {things}? Tag them.',
    'Put a label on {things}.',
    'Point out {things} by a tag.',
  ],
  ask: (desk) => {
    const { lexicon, stream } = desk
    const first = desk.subject(single(lexicon))
    const second = first && desk.other([first], single(lexicon))
    if (first === undefined || second === undefined) return undefined
    const ids = stream.shuffle([first, second])
    // Sometimes a thing that is named is not there: then nothing is tagged for it.
    const here = stream.chance(1, 5) ? [first] : ids
    const program = new ProgramText()
    let image = 'IMAGE'
    for (const id of ids) {
      const boxes = program.loc(lexicon.concept(id).label)
      image = program.call('IMAGE', `TAG(image=${image},object=${boxes})`)
    }
    return {
      slots: {
        ...nouns(lexicon, first),
        ...nouns(lexicon, second, '2'),
        things: listed(ids.map((id) => `the ${lexicon.concept(id).label}`)),
      },
      hops: 2,
      about: ids,
      answers: [],
      program: program.result(image),
      stage: () => [{ wanted: here, without: ids, objects: 5 }],
      solve: ([scene]) => {
        const all = scene && find(lexicon, scene, { anyOf: ids })
        if (all === undefined || all.unclear || all.found.length !== here.length) return undefined
        return tagged(lexicon, all.found)
      },
    }
  },
}

/** "Tag every owl." */
const every: QuestionType = {
  family: 'tagging',
  type: 'named',
  form: 'tagging/every',
  wordings: [
    'Tag every {name}.',
    'Label all {many}.',
    'Find the {many} and tag them.',
    'Draw a box around each {name}.',
    'Mark all {many} in the picture.',
    'Where are the {many}? Tag each.',
    'Put a label on each {name}.',
    'Show me every {name} with a tag on it.',
  ],
  ask: (desk) => {
    const { lexicon, stream } = desk
    const id = desk.subject(single(lexicon))
    if (id === undefined) return undefined
    const count = stream.range(desk.hinge === undefined ? 0 : 1, 3)
    const program = new ProgramText()
    const boxes = program.loc(lexicon.concept(id).label)
    return {
      slots: nouns(lexicon, id),
      hops: 1,
      about: [id],
      answers: [],
      program: program.result(program.call('IMAGE', `TAG(image=IMAGE,object=${boxes})`)),
      stage: () => [{ wanted: Array.from({ length: count }, () => id), without: [id], objects: 5 }],
      solve: ([scene]) => {
        const all = scene && find(lexicon, scene, { concept: id })
        if (all === undefined || all.unclear || all.found.length !== count) return undefined
        return tagged(lexicon, all.found)
      },
    }
  },
}

/** "Tag the things that are an owl, an eagle or a duck": n of a kind, named. */
const some: QuestionType = {
  family: 'tagging',
  type: 'n-of-kind',
  form: 'tagging/some',
  wordings: [
    'Tag the {number} {many}: {names}.',
    'The {number} {many} here are {names}. Tag each.',
    'Label the {many} as {names}.',
    'Each {kind} is one of {names}. Tag them.',
    'Write {names} next to the right {many}.',
    'Name the {number} {many}; they are {names}.',
    'There are {number} {many}: {names}. Mark which is which.',
    'Which {kind} is which? Tag {names}.',
  ],
  ask: (desk) => {
    const found = memberAndClass(desk, 60)
    if (found === undefined) return undefined
    const { kind: group, member } = found
    const { lexicon, stream } = desk
    const known = [...group.members].filter((id) => {
      const { split } = lexicon.concept(id)
      return id !== member && split === 'known' && !lexicon.related(member).has(id)
    })
    if (known.length === 0) return undefined
    const ids = stream.shuffle([member, stream.pick(known)])
    const names = ids.map((id) => lexicon.concept(id).label)
    const program = new ProgramText()
    const boxes = program.loc(group.label)
    const named = program.call(
      'OBJ',
      `CLASSIFY(image=IMAGE,object=${boxes},categories=${quoted(names.join(', '))})`,
    )
    return {
      slots: {
        many: group.plural,
        kind: group.label,
        number: NUMBER_WORDS[ids.length] ?? '',
        names: listed(names),
      },
      hops: 2,
      about: ids,
      answers: [],
      program: program.result(program.call('IMAGE', `TAG(image=IMAGE,object=${named})`)),
      stage: () => [{ wanted: ids, without: [...group.members, ...group.disputed], objects: 5 }],
      solve: ([scene]) => {
        const all = scene && find(lexicon, scene, { kind: group.label })
        if (all === undefined || all.unclear || all.found.length !== ids.length) return undefined
        return tagged(lexicon, all.found)
      },
    }
  },
}

function apart(found: readonly SceneObject[]): boolean {
  return found.every((a, i) =>
    found.slice(i + 1).every(({ box: b }) => {
      const w = Math.min(a.box[2], b[2]) - Math.max(a.box[0], b[0])
      const h = Math.min(a.box[3], b[3]) - Math.max(a.box[1], b[1])
      const shared = Math.max(0, w) * Math.max(0, h)
      const areas = [a.box, b].map((box) => (box[2] - box[0]) * (box[3] - box[1]))
      return shared * 3 < Math.min(...areas)
    }),
  )
}

/** Things of a kind, named things, n of a kind, none included. @source picture-world §5.4 */
export const TAGGING_TYPES: readonly QuestionType[] = [kind, named, every, some]
