import type { Scene } from '../types.ts'
import { countable, nouns, single } from './asking.ts'
import { countOf, existsIn, onlyOne } from './facts.ts'
import { ProgramText } from './program-text.ts'
import type { Desk, QuestionType, SceneWish } from './question.ts'
import { NUMBER_WORDS, RELATION_WORDS, SIDE_RELATIONS } from './words.ts'

/** A statement about the numbers of one thing in two pictures. */
interface Counting {
  readonly form: string
  readonly wordings: readonly string[]
  /** Numbers of a true and of a false statement about n. */
  readonly pairs: (n: number) => { readonly yes: readonly Pair[]; readonly no: readonly Pair[] }
  readonly expression: (left: string, right: string, n: number) => string
  readonly holds: (left: number, right: number, n: number) => boolean
}

type Pair = readonly [left: number, right: number]

function counting({ form, wordings, pairs, expression, holds }: Counting): QuestionType {
  return {
    family: 'nlvr',
    type: form.split('/')[0] ?? form,
    form: `nlvr/${form}`,
    wordings,
    ask: (desk) => {
      const id = desk.subject(countable(desk.lexicon))
      if (id === undefined) return undefined
      const n = desk.stream.range(1, 3)
      const { plural } = desk.lexicon.concept(id)
      const program = new ProgramText()
      const [x, y] = ['LEFT', 'RIGHT'].map((image) =>
        program.vqa(`How many ${plural} are there?`, image),
      )
      const test = program.evaluate(expression(`{${x}}`, `{${y}}`, n))
      const all = desk.stream.range(4, 5)
      return {
        slots: {
          ...nouns(desk.lexicon, id),
          n: NUMBER_WORDS[n] ?? String(n),
          noun: n === 1 ? desk.lexicon.concept(id).label : plural,
          are: n === 1 ? 'is' : 'are',
        },
        hops: 3,
        about: [id],
        answers: ['true', 'false'],
        program: program.result(test, 'FINAL_ANSWER'),
        stage: (answer) => {
          const pair = desk.stream.pick(pairs(n)[answer === 'true' ? 'yes' : 'no'])
          return pair.map((count) => holding(id, count, all))
        },
        solve: (scenes) => {
          const [left, right] = scenes.map((scene) => countOf(desk.lexicon, scene, { concept: id }))
          if (left === undefined || right === undefined) return undefined
          return { answer: String(holds(left, right, n)) }
        },
      }
    },
  }
}

/** The number of objects in the picture does not tell how many of them are the thing. */
function holding(id: string, count: number, objects: number): SceneWish {
  return { wanted: Array.from({ length: count }, () => id), without: [id], objects }
}

const upTo = (n: number): number[] => Array.from({ length: n + 1 }, (_, i) => i)

const COUNTING: readonly QuestionType[] = [
  counting({
    form: 'one/exactly',
    wordings: [
      'Exactly {n} {noun} {are} in the left picture.',
      'The left image shows exactly {n} {noun}.',
      'In the picture on the left one counts {n} {noun}, no more and no less.',
      'There {are} exactly {n} {noun} on the left.',
      'The number of {many} in the left photo is exactly {n}.',
      'Counting {many} in the first picture gives exactly {n}.',
      'Of {many}, the left picture has exactly {n}.',
      'You find precisely {n} {noun} in the left image.',
    ],
    pairs: (n) => ({ yes: upTo(3).map((m) => [n, m]), no: [n - 1, n + 1].map((m) => [m, n]) }),
    expression: (left, _, n) => `${left} == ${n}`,
    holds: (left, _, n) => left === n,
  }),
  counting({
    form: 'total/exactly',
    wordings: [
      'There {are} exactly {n} {noun} in the two pictures together.',
      'In total, the images show exactly {n} {noun}.',
      'Both pictures taken together hold exactly {n} {noun}.',
      'Adding up both images, one counts exactly {n} {noun}.',
      'The number of {many} in both photos together is exactly {n}.',
      'Left and right together there {are} {n} {noun}, not more and not fewer.',
      'Altogether {n} {noun} can be seen in the pair of pictures, exactly.',
      'The total of {many} over both images is exactly {n}.',
    ],
    pairs: (n) => ({
      yes: upTo(n).map((m) => [m, n - m]),
      no: [
        ...upTo(n + 1).map((m) => [m, n + 1 - m] as const),
        ...upTo(n - 1).map((m) => [m, n - 1 - m] as const),
      ],
    }),
    expression: (left, right, n) => `${left} + ${right} == ${n}`,
    holds: (left, right, n) => left + right === n,
  }),
  counting({
    form: 'total/at-least',
    wordings: [
      'There {are} at least {n} {noun} in the two pictures together.',
      'In total, the images show {n} {noun} or more.',
      'Both pictures taken together hold no fewer than {n} {noun}.',
      'Altogether, at least {n} {noun} can be seen.',
      'The number of {many} in both photos together is {n} or higher.',
      'Left and right together there {are} at least {n} {noun}.',
      'Adding up both images, one counts {n} {noun} at the least.',
      'The total of {many} over both images is not below {n}.',
    ],
    pairs: (n) => ({
      yes: [
        ...upTo(n).map((m) => [m, n - m] as const),
        ...upTo(n + 1).map((m) => [m, n + 1 - m] as const),
      ],
      no: upTo(n - 1).map((m) => [m, n - 1 - m]),
    }),
    expression: (left, right, n) => `${left} + ${right} >= ${n}`,
    holds: (left, right, n) => left + right >= n,
  }),
  counting({
    form: 'one/at-most',
    wordings: [
      'There {are} at most {n} {noun} in the right picture.',
      'The right image shows no more than {n} {noun}.',
      'In the picture on the right one counts {n} {noun} at most.',
      'At most {n} {noun} {are} on the right.',
      'The number of {many} in the right photo is {n} or less.',
      'Counting {many} in the second picture gives {n} at the most.',
      'Of {many}, the right picture has not more than {n}.',
      'You find {n} {noun} or fewer in the right image.',
    ],
    pairs: (n) => ({ yes: [n, n - 1].map((m) => [n, m]), no: [[n - 1, n + 1]] }),
    expression: (_, right, n) => `${right} <= ${n}`,
    holds: (_, right, n) => right <= n,
  }),
  counting({
    form: 'compare/more',
    wordings: [
      'The left picture shows more {many} than the right picture.',
      'There are more {many} on the left than on the right.',
      'More {many} can be seen in the first image than in the second.',
      'The number of {many} is greater in the left image.',
      'Compared with the right one, the left photo has more {many}.',
      'The right picture has fewer {many} than the left one.',
      'Of the two images, the left one holds more {many}.',
      'Going from left to right, the number of {many} falls.',
    ],
    pairs: (n) => ({
      yes: [[n, n - 1], ...(n > 1 ? [[n, 0] as const] : [])],
      no: [
        [n - 1, n],
        [n, n],
      ],
    }),
    expression: (left, right) => `${left} > ${right}`,
    holds: (left, right) => left > right,
  }),
  counting({
    form: 'compare/same',
    wordings: [
      'Both pictures show the same number of {many}.',
      'There are as many {many} on the left as on the right.',
      'The number of {many} is equal in both images.',
      'The left photo has just as many {many} as the right one.',
      'Neither of the images has more {many} than the other.',
      'Counting {many} gives the same number for both pictures.',
      'The two pictures agree in the number of their {many}.',
      'Left and right hold equally many {many}.',
    ],
    pairs: (n) => ({
      yes: [[n, n]],
      no: [
        [n, n - 1],
        [n - 1, n],
        [n, n + 1],
        [n + 1, n],
      ],
    }),
    expression: (left, right) => `${left} == ${right}`,
    holds: (left, right) => left === right,
  }),
  counting({
    form: 'both/have',
    wordings: [
      'Both pictures show {an}.',
      'There is {an} in each of the images.',
      'Each of the two photos contains {an}.',
      'Neither picture is without {an}.',
      'You can find {an} on the left and {an} on the right.',
      'In the left image as well as in the right one there is {an}.',
      'No picture of the two lacks {an}.',
      'Whichever image you take, {an} is in it.',
    ],
    pairs: () => ({
      yes: [[1, 1]],
      no: [
        [1, 0],
        [0, 1],
      ],
    }),
    expression: (left, right) => `${left} > 0 and ${right} > 0`,
    holds: (left, right) => left > 0 && right > 0,
  }),
  counting({
    form: 'both/only-one',
    wordings: [
      'Only one of the pictures shows {an}.',
      'Exactly one of the two images contains {an}.',
      'There is {an} in one picture but not in the other.',
      'One photo has {an}, the other has none.',
      'Just one of the images has {an} in it.',
      'Of the two pictures, a single one contains {an}.',
      'Either the left or the right image shows {an}, but not both.',
      'You find {an} in one of the pictures only.',
    ],
    pairs: () => ({
      yes: [
        [1, 0],
        [0, 1],
      ],
      no: [
        [1, 1],
        [0, 0],
      ],
    }),
    expression: (left, right) => `(${left} > 0) != (${right} > 0)`,
    holds: (left, right) => left > 0 !== right > 0,
  }),
  counting({
    form: 'both/neither',
    wordings: [
      'Neither picture shows {an}.',
      'There is no {name} in either of the images.',
      'None of the two photos contains {an}.',
      'Both pictures are without {an}.',
      'You will not find {an} on the left nor on the right.',
      'No image of the two has {an} in it.',
      'The left picture has no {name}, and the right one has none either.',
      'Whichever image you take, no {name} is in it.',
    ],
    pairs: () => ({
      yes: [[0, 0]],
      no: [
        [1, 0],
        [0, 1],
      ],
    }),
    expression: (left, right) => `${left} == 0 and ${right} == 0`,
    holds: (left, right) => left === 0 && right === 0,
  }),
]

/** "In the left picture, an owl is above the anchor." */
const relation: QuestionType = {
  family: 'nlvr',
  type: 'relation',
  form: 'nlvr/relation',
  wordings: [
    'In the left picture, {an} is {rel} {the2}.',
    'The left image shows {an} {rel} {the2}.',
    'There is {an} {rel} {the2} in the picture on the left.',
    'On the left, one sees {an} {rel} {the2}.',
    'Looking {rel} {the2} in the left photo, you find {an}.',
    'The first picture has {an} {rel} {the2}.',
    '{an} stands {rel} {the2} in the left image.',
    'In the first image {the2} has {an} {rel} it.',
  ],
  ask: (desk) => {
    const id = desk.subject(single(desk.lexicon))
    const anchor = id && desk.other([id], single(desk.lexicon))
    if (id === undefined || anchor === undefined) return undefined
    const name = desk.stream.pick(SIDE_RELATIONS)
    const [thing, seen] = [id, anchor].map((one) => desk.lexicon.concept(one))
    const an = thing?.article === '' ? thing.label : `${thing?.article} ${thing?.label}`
    const program = new ProgramText()
    const asked = program.vqa(`Is there ${an} ${name} the ${seen?.label}?`, 'LEFT')
    return {
      slots: {
        ...nouns(desk.lexicon, id),
        ...nouns(desk.lexicon, anchor, '2'),
        rel: desk.stream.pick(RELATION_WORDS[name].said),
      },
      hops: 2,
      about: [id, anchor],
      answers: ['true', 'false'],
      program: program.result(program.evaluate(`{${asked}} == 'yes'`), 'FINAL_ANSWER'),
      stage: () => [
        { wanted: [anchor, id], without: [id, anchor], objects: 4 },
        other(desk, id, anchor),
      ],
      solve: ([scene]) => related(desk, scene, { id, anchor, name }),
    }
  },
}

function other(desk: Desk, id: string, anchor: string): SceneWish {
  return desk.stream.chance(1, 2)
    ? { wanted: [anchor, id], without: [id, anchor], objects: 4 }
    : { wanted: [], without: [id, anchor], objects: 4 }
}

function related(
  desk: Desk,
  scene: Scene | undefined,
  { id, anchor, name }: { id: string; anchor: string; name: (typeof SIDE_RELATIONS)[number] },
): { readonly answer: string } | undefined {
  const seen = scene && onlyOne(desk.lexicon, scene, { concept: anchor })
  if (scene === undefined || seen === undefined) return undefined
  const has = existsIn(desk.lexicon, scene, { concept: id }, { relation: name, anchor: seen })
  return has === undefined ? undefined : { answer: String(has === 'yes') }
}

/** Statements about two pictures, each made once true and once false. @source picture-world §5.2 */
export const NLVR_TYPES: readonly QuestionType[] = [...COUNTING, relation]
