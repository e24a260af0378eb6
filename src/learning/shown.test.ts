import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solidImage } from '../image/index.ts'
import type { Box, ObjectRecord } from '../image/index.ts'
import { FAMILIES, parse, runProgram } from '../program/index.ts'
import type { CallTool, Value } from '../program/index.ts'
import { SIGNATURES } from '../tools/index.ts'
import { draftsOfShown, shownReflector } from './shown.ts'
import type { ShownThing } from './shown.ts'

const IMAGE = solidImage({ width: 100, height: 100 }, [30, 90, 160])
const [LEFT, RIGHT] = [
  [0, 0, 40, 40],
  [60, 60, 100, 100],
] as const satisfies readonly Box[]

const object = (category: string, box: Box): ObjectRecord => ({
  ...{ type: 'object', id: `${category}${box[0]}`, box, category, score: 0.5, mask: null },
  frame: IMAGE.frame,
})

/** Runs a program whose tools give these results by name of tool. */
async function attemptOf(
  program: string,
  results: Readonly<Record<string, Value>>,
  family = FAMILIES.tagging,
) {
  const call: CallTool = async (tool) => ({ value: results[tool] ?? [] })
  const inputs = { IMAGE }
  const { steps, outcome } = await runProgram(parse(program), {
    ...{ inputs, call, signatures: SIGNATURES, family },
  })
  assert.equal(outcome.status, 'done', JSON.stringify(outcome))
  return { steps, inputs }
}

const said = (drafts: ReturnType<typeof draftsOfShown>) =>
  drafts.map(({ tool, concept, examples }) => [
    ...[tool, concept],
    examples.map((one) => [one.concept, one.positive, one.box?.[0]]),
  ])

const TAG = `OBJ=LOC(image=IMAGE,object='gizmo')
OUT=TAG(image=IMAGE,object=OBJ)
R=RESULT(var=OUT)`
const gizmo: ShownThing = { label: 'gizmo', box: LEFT }

test('what was missed becomes an example, what was taken for it elsewhere a counter-example', async () => {
  const attempt = await attemptOf(TAG, { LOC: [object('gizmo', RIGHT)], TAG: IMAGE })
  assert.deepEqual(said(draftsOfShown([gizmo], attempt)), [
    [
      ...['LOC', 'gizmo'],
      [
        ['gizmo', true, 0],
        ['gizmo', false, 60],
      ],
    ],
  ])
  const { blames, by } = await shownReflector([gizmo]).reflect(
    { ...attempt } as unknown as Parameters<ReturnType<typeof shownReflector>['reflect']>[0],
    {},
  )
  assert.deepEqual([by, blames.map(({ step, tool }) => [step, tool])], ['user', [[0, 'LOC']]])
})

test('what was found right teaches nothing', async () => {
  const attempt = await attemptOf(TAG, { LOC: [object('gizmo', LEFT)], TAG: IMAGE })
  assert.deepEqual(draftsOfShown([gizmo], attempt), [])
})

test('a thing that is named and not there is a counter-example only where all was shown', async () => {
  const attempt = await attemptOf(TAG, { LOC: [object('gizmo', LEFT)], TAG: IMAGE })
  const cup: ShownThing = { label: 'cup', box: RIGHT }
  const all = draftsOfShown([cup], attempt, { all: true })
  assert.deepEqual(said(all).at(-1), ['LOC', 'gizmo', [['gizmo', false, 0]]])
  const some = draftsOfShown([cup], attempt)
  assert.ok(some.every(({ examples }) => examples.every(({ positive }) => positive)))
})

test('a step that asked for a kind learns that what is shown is of it, and by its own name', async () => {
  const program = TAG.replace('gizmo', 'device')
  const attempt = await attemptOf(program, { LOC: [], TAG: IMAGE })
  assert.deepEqual(said(draftsOfShown([gizmo], attempt, { all: true })), [
    [
      ...['LOC', 'gizmo'],
      [
        ['gizmo', true, 0],
        ['device', true, 0],
      ],
    ],
  ])
})

test('SELECT by a description learns the thing that is meant, and nothing against others of its name', async () => {
  const program = `ALL=SEG(image=IMAGE)
OBJ=SELECT(image=IMAGE,object=ALL,query='red gizmo')
OUT=BGBLUR(image=IMAGE,object=OBJ)
R=RESULT(var=OUT)`
  const results = { SEG: [object('a', RIGHT)], SELECT: [object('a', RIGHT)], BGBLUR: IMAGE }
  const attempt = await attemptOf(program, results, FAMILIES.imgedit)
  assert.deepEqual(said(draftsOfShown([gizmo], attempt)), [
    ['SELECT', 'gizmo', [['gizmo', true, 0]]],
  ])
})
