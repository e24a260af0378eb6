import type { Lexicon } from '../lexicon.ts'
import type { Scene, SceneObject } from '../types.ts'
import { nouns, single } from './asking.ts'
import { colourFits, find, onlyOne, relates } from './facts.ts'
import { EDIT_CLAUSES, JOINED } from './imgedit-clauses.ts'
import { ProgramText, quoted } from './program-text.ts'
import type { Desk, QuestionType, SceneWish } from './question.ts'
import type { EditKind, TaskEdit } from './task.ts'
import { fillWording, wordingsOf } from './wording.ts'
import { RELATION_WORDS, SIDE_RELATIONS, TINTED, withArticle } from './words.ts'

/** What is to be edited: how it is said, selected, wished for and found. */
interface Target {
  readonly said: string
  readonly query: string
  readonly about: readonly string[]
  readonly wish: SceneWish
  readonly find: (scene: Scene) => readonly SceneObject[] | undefined
}

const EMOJI = [
  'smiling_face',
  'winking_face',
  'red_heart',
  'thinking_face',
  'face_with_tongue',
  'grinning_face',
] as const

/** "the owl" */
function namedTarget(desk: Desk): Target | undefined {
  const id = desk.subject(single(desk.lexicon))
  if (id === undefined) return undefined
  const { label } = desk.lexicon.concept(id)
  return {
    said: `the ${label}`,
    query: label,
    about: [id],
    wish: { wanted: [id], without: [id], objects: desk.stream.range(3, 5) },
    find: (scene) => one(onlyOne(desk.lexicon, scene, { concept: id })),
  }
}

/** "both owls" */
function countedTarget(desk: Desk): Target | undefined {
  const id = desk.subject((name) => {
    const { label, plural, article } = desk.lexicon.concept(name)
    return article !== '' && label !== plural
  })
  if (id === undefined) return undefined
  const { label, plural } = desk.lexicon.concept(id)
  return {
    said: `both ${plural}`,
    query: label,
    about: [id],
    wish: { wanted: [id, id], without: [id], objects: desk.stream.range(3, 5) },
    find: (scene) => {
      const { found, unclear } = find(desk.lexicon, scene, { concept: id })
      return found.length === 2 && !unclear ? found : undefined
    },
  }
}

/** "the red balloon", beside one of another colour */
function colouredTarget(desk: Desk): Target | undefined {
  const id = desk.subject((name) => desk.lexicon.concept(name).tint && single(desk.lexicon)(name))
  if (id === undefined) return undefined
  const [colour = 'red', other = 'blue'] = desk.stream.shuffle(TINTED)
  const { label } = desk.lexicon.concept(id)
  return {
    said: `the ${colour} ${label}`,
    query: `${colour} ${label}`,
    about: [id],
    wish: { wanted: [id, id], tints: [colour, other], without: [id], objects: 4 },
    find: (scene) => {
      const { found, unclear } = find(desk.lexicon, scene, { concept: id })
      const [wanted, rest] = [true, false].map((is) =>
        found.filter((object) => (object.colour === colour) === is),
      )
      const clear = rest?.every((object) => colourFits(object, colour) === 'no') === true
      return found.length === 2 && clear && !unclear && wanted?.length === 1 ? wanted : undefined
    },
  }
}

/** "the owl to the left of the anchor", beside another owl */
function relatedTarget(desk: Desk): Target | undefined {
  const id = desk.subject(single(desk.lexicon))
  const anchor = id && desk.other([id], single(desk.lexicon))
  if (id === undefined || anchor === undefined) return undefined
  const relation = desk.stream.pick(SIDE_RELATIONS)
  const { label } = desk.lexicon.concept(id)
  const rel = desk.stream.pick(RELATION_WORDS[relation].said)
  const seen = `${rel} the ${desk.lexicon.concept(anchor).label}`
  return {
    said: `the ${label} ${seen}`,
    query: `${label} ${seen}`,
    about: [id, anchor],
    wish: { wanted: [anchor, id, id], without: [id, anchor], objects: 4 },
    find: (scene) => {
      const from = onlyOne(desk.lexicon, scene, { concept: anchor })
      const { found, unclear } = find(desk.lexicon, scene, { concept: id })
      if (from === undefined || unclear || found.length !== 2) return undefined
      const facts = found.map((object) => relates(object, relation, from))
      const there = found.filter((_, i) => facts[i] === 'yes')
      return there.length === 1 && facts.includes('no') ? there : undefined
    },
  }
}

function one(object: SceneObject | undefined): readonly SceneObject[] | undefined {
  return object === undefined ? undefined : [object]
}

const TARGETS = [namedTarget, namedTarget, countedTarget, colouredTarget, relatedTarget] as const

/** An edit of a target: its clause's slots, its step, and whether a scene can show it. */
interface Edit {
  readonly slots: Readonly<Record<string, string>>
  readonly about: readonly string[]
  readonly step: (program: ProgramText, image: string, objects: string) => string
  readonly edit: Omit<TaskEdit, 'targets'>
  readonly shows: (scene: Scene, targets: readonly SceneObject[]) => boolean
}

function editOf(kind: EditKind, desk: Desk, target: Target, by?: string): Edit | undefined {
  switch (kind) {
    case 'replace':
      return replaceBy(desk, target, by)
    case 'remove':
      return plainEdit('remove', (image, objects) => replaceCall(image, objects, 'background'))
    case 'blur':
      return {
        ...plainEdit('blur', (image, objects) => `BGBLUR(image=${image},object=${objects})`),
        // On a flat ground with little beside it no blur could be seen.
        shows: ({ ground, clutter, objects }, targets) =>
          ground === 'texture' && clutter + objects.length - targets.length >= 3,
      }
    case 'colour-pop':
      return plainEdit(
        'colour-pop',
        (image, objects) => `COLORPOP(image=${image},object=${objects})`,
      )
    case 'hide':
      return hideBehind(desk)
    default:
      return kind satisfies never
  }
}

function plainEdit(kind: EditKind, call: (image: string, objects: string) => string): Edit {
  return {
    slots: {},
    about: [],
    edit: { kind },
    step: (program, image, objects) => program.call('IMAGE', call(image, objects)),
    shows: () => true,
  }
}

function replaceCall(image: string, objects: string, prompt: string): string {
  return `REPLACE(image=${image},object=${objects},prompt=${quoted(prompt)})`
}

function replaceBy(desk: Desk, target: Target, by: string | undefined): Edit | undefined {
  const id = by ?? desk.other(target.about, single(desk.lexicon))
  if (id === undefined) return undefined
  const prompt = withArticle(desk.lexicon.concept(id))
  return {
    slots: { new: prompt },
    about: [id],
    edit: { kind: 'replace', concept: id },
    step: (program, image, objects) => program.call('IMAGE', replaceCall(image, objects, prompt)),
    shows: (_, targets) => targets.every(roomy),
  }
}

/**
 * Whether a silhouette can show another thing: large enough, and filling half of its box.
 *
 * The judge's own check (a drawing of B cut to A's mask is recognised) comes on top where a judge is
 * there: see `feasible` in `world/judge`.
 */
function roomy({ area, fullBox, longer, visibleArea }: SceneObject): boolean {
  const box = (fullBox[2] - fullBox[0]) * (fullBox[3] - fullBox[1])
  return longer >= 56 && area * 2 >= box && visibleArea * 10 >= area * 9
}

function hideBehind(desk: Desk): Edit {
  const emoji = desk.stream.pick(EMOJI)
  return {
    slots: { emoji: `a ${emoji.replaceAll('_', ' ')} emoji` },
    about: [],
    edit: { kind: 'hide', emoji },
    step: (program, image, objects) =>
      program.call('IMAGE', `EMOJI(image=${image},object=${objects},emoji=${quoted(emoji)})`),
    // The emoji is a square of two thirds of the height.
    shows: (_, targets) =>
      targets.every(({ box: [x1, y1, x2, y2] }) => {
        const [w, h] = [x2 - x1, y2 - y1]
        return Math.max(w, h) <= 1.6 * Math.min(w, h)
      }),
  }
}

function oneEdit(kind: EditKind): QuestionType {
  return {
    family: 'imgedit',
    type: kind,
    form: `imgedit/${kind}`,
    wordings: sentencesOf(kind),
    ask: (desk) => {
      const { hinge } = desk
      // What is new may be the thing replaced or the thing put there.
      const turned = kind === 'replace' && hinge !== undefined && desk.stream.chance(1, 2)
      const from: Desk = turned
        ? { ...desk, subject: (test = always) => desk.other([hinge], test) }
        : desk
      const target = desk.stream.pick(TARGETS)(from)
      const edit = target && editOf(kind, desk, target, turned ? hinge : undefined)
      if (target === undefined || edit === undefined) return undefined
      const program = new ProgramText()
      const all = program.call('OBJ', 'SEG(image=IMAGE)')
      const chosen = program.call('OBJ', selectCall(all, target.query))
      const image = edit.step(program, 'IMAGE', chosen)
      return {
        slots: { target: target.said, ...edit.slots },
        hops: 1,
        about: [...target.about, ...edit.about],
        answers: [],
        program: program.result(image),
        stage: () => [target.wish],
        solve: ([scene]) => {
          const found = scene && target.find(scene)
          if (scene === undefined || found === undefined || !edit.shows(scene, found)) {
            return undefined
          }
          return { edits: [{ ...edit.edit, targets: found.map(({ id }) => id) }] }
        },
      }
    },
  }
}

function selectCall(objects: string, query: string): string {
  return `SELECT(image=IMAGE,object=${objects},query=${quoted(query)})`
}

const always = (_: string): boolean => true

const FIRST: readonly EditKind[] = ['remove', 'replace', 'hide']
const SECOND: readonly EditKind[] = ['blur', 'colour-pop', 'hide']

/** Two edits of two named things, one after the other. */
const two: QuestionType = {
  family: 'imgedit',
  type: 'two',
  form: 'imgedit/two',
  wordings: JOINED,
  ask: (desk) => {
    const first = namedTarget(desk)
    const id = first && desk.other(first.about, single(desk.lexicon))
    if (first === undefined || id === undefined) return undefined
    const kinds = [desk.stream.pick(FIRST), desk.stream.pick(SECOND)] as const
    const edits = kinds.map((kind) => editOf(kind, desk, { ...first, about: [...first.about, id] }))
    const [a, b] = edits
    if (a === undefined || b === undefined) return undefined
    const { label } = desk.lexicon.concept(id)
    const program = new ProgramText()
    const all = program.call('OBJ', 'SEG(image=IMAGE)')
    const one = a.step(program, 'IMAGE', program.call('OBJ', selectCall(all, first.query)))
    const other = b.step(program, one, program.call('OBJ', selectCall(all, label)))
    return {
      slots: {
        first: clause(desk, kinds[0], { target: first.said, ...a.slots }),
        second: clause(desk, kinds[1], {
          target: nouns(desk.lexicon, id)['the'] ?? '',
          ...b.slots,
        }),
      },
      hops: 2,
      about: [...first.about, id, ...a.about, ...b.about],
      answers: [],
      program: program.result(other),
      stage: () => [
        { wanted: [...first.wish.wanted, id], without: [...first.about, id], objects: 4 },
      ],
      solve: ([scene]) => {
        const x = scene && first.find(scene)
        const y = scene && onlyNamed(desk.lexicon, scene, id)
        if (scene === undefined || x === undefined || y === undefined) return undefined
        if (!a.shows(scene, x) || !b.shows(scene, y) || !apart(x, y)) return undefined
        return {
          edits: [
            { ...a.edit, targets: x.map((object) => object.id) },
            { ...b.edit, targets: y.map((object) => object.id) },
          ],
        }
      },
    }
  },
}

function onlyNamed(lexicon: Lexicon, scene: Scene, id: string): readonly SceneObject[] | undefined {
  return one(onlyOne(lexicon, scene, { concept: id }))
}

/** Boxes that do not touch, so that one edit does not spoil the other. */
function apart(a: readonly SceneObject[], b: readonly SceneObject[]): boolean {
  const gap = 4
  return a.every(({ fullBox: p }) =>
    b.every(
      ({ fullBox: q }) =>
        p[2] + gap <= q[0] || q[2] + gap <= p[0] || p[3] + gap <= q[1] || q[3] + gap <= p[1],
    ),
  )
}

/** A clause of the training part, in small letters. */
function clause(desk: Desk, kind: EditKind, slots: Readonly<Record<string, string>>): string {
  // Split as they stand alone, so that what is held out there is not heard here.
  const trained = wordingsOf(`imgedit/${kind}`, sentencesOf(kind)).filter(
    ({ part }) => part === 'train',
  )
  const text = fillWording(desk.stream.pick(trained).text, slots)
  return text.charAt(0).toLowerCase() + text.slice(1, -1)
}

/** The clauses of an edit as sentences. */
function sentencesOf(kind: EditKind): readonly string[] {
  return EDIT_CLAUSES[kind].map((clause) => `${clause}.`)
}

const KINDS: readonly EditKind[] = ['replace', 'remove', 'blur', 'colour-pop', 'hide']

/** One edit or two in a row, of things named, counted, by colour or relation. @source picture-world §5.3 */
export const IMGEDIT_TYPES: readonly QuestionType[] = [...KINDS.map(oneEdit), two]
