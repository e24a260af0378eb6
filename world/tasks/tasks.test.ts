import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check, FAMILIES, parse } from '../../src/program/index.ts'
import { createToolbox, NO_BACKENDS } from '../../src/tools/index.ts'
import { ALL_TYPES } from './all-types.ts'
import { existsIn, countOf } from './facts.ts'
import { fixtureLibrary } from './fixtures.ts'
import { makeTasks } from './make-tasks.ts'
import { runOnTruth } from './run-on-truth.ts'
import type { Task, TaskFamily } from './task.ts'
import { answerKind, textOnlyBaseline, TEXT_ONLY_BOUNDS } from './text-only.ts'
import { fillWording, wordingsOf } from './wording.ts'
import type { Scene } from '../types.ts'

const library = await fixtureLibrary()
const { lexicon } = library
const made = new Map<string, readonly Task[]>()

/** Tasks of a family at small size, made once. */
function tasks(family: TaskFamily, count = 48): readonly Task[] {
  const key = `${family} ${count}`
  const known = made.get(key)
  if (known !== undefined) return known
  const fresh = makeTasks(library, { family, count, styles: ['twemoji'], size: 128 })
  made.set(key, fresh)
  return fresh
}

const WITH_ANSWER = ['gqa', 'nlvr', 'knowledge', 'dialogue'] as const
const EVERY = [...WITH_ANSWER, 'imgedit', 'tagging'] as const

test('every way of asking has eight wordings at least, different from each other', () => {
  for (const { form, wordings } of ALL_TYPES) {
    assert.ok(wordings.length >= 8, `${form} has ${wordings.length}`)
    assert.equal(new Set(wordings).size, wordings.length, form)
  }
})

test('a third of the wordings, rounded up, is held out by a rule (W13)', () => {
  const held = (n: number): number =>
    wordingsOf(
      'x',
      Array.from({ length: n }, (_, i) => `wording ${i} of {an}`),
    ).filter(({ part }) => part === 'held-out').length
  assert.deepEqual([8, 10, 12].map(held), [3, 4, 4])
})

test('a slot without a value is an error of ours', () => {
  assert.equal(fillWording('{an} here', { an: 'an owl' }), 'An owl here')
  assert.throws(() => fillWording('{an}', {}), { code: 'E_SLOT' })
})

for (const family of EVERY) {
  test(`reference programs of ${family} are without fault and give the answer on the truth`, async () => {
    const { signatures } = createToolbox({ backends: NO_BACKENDS })
    for (const task of tasks(family)) {
      const checked = family === 'knowledge' || family === 'dialogue' ? 'open' : family
      const faults = check(parse(task.program), { signatures, family: FAMILIES[checked] })
      assert.deepEqual(
        faults.filter(({ severity }) => severity === 'error'),
        [],
        task.program,
      )
      const { answer, run } = await runOnTruth(task, library)
      const told = `${task.wording}: ${task.instruction} ${JSON.stringify(run.outcome)}`
      if (task.answer !== undefined) {
        const text = answer !== undefined && 'text' in answer ? answer.text : undefined
        assert.ok([task.answer, ...(task.accepted ?? [])].includes(text ?? ''), told)
      } else if (task.objects !== undefined) {
        assert.ok(answer?.form === 'tags', told)
        const got = answer.objects.map((one) => `${one.class ?? one.category} ${one.box.join()}`)
        const want = task.objects.map((one) => `${one.label} ${one.box.join()}`)
        assert.deepEqual(got.toSorted(), want.toSorted(), told)
      } else assert.equal(answer?.form, 'image', told)
    }
  })
}

test('half of the tasks hinge on exactly one new concept, half on none', () => {
  for (const family of EVERY) {
    const all = tasks(family)
    const fresh = all.filter(({ hinges }) => hinges.length === 1)
    assert.ok(
      all.every(({ hinges }) => hinges.length <= 1),
      family,
    )
    assert.ok(all.every(({ hinges, split }) => (split.concept === 'new') === hinges.length > 0))
    assert.ok(fresh.length >= all.length * 0.3 && fresh.length <= all.length * 0.7, family)
    for (const { hinges } of fresh) {
      assert.equal(lexicon.concept(hinges[0] ?? '').split, 'new')
    }
  }
})

test('no new concept but the hinge stands in a scene or in the words (W17)', () => {
  const names = new Map(
    [...lexicon.concepts.values()].flatMap(({ id, split, label, plural }) =>
      split === 'new' ? [label, plural].map((name) => [name, id] as const) : [],
    ),
  )
  for (const task of EVERY.flatMap((family) => tasks(family))) {
    const shown = task.scenes.flatMap(({ graph }) => graph.objects.map(({ concept }) => concept))
    for (const id of shown) {
      if (lexicon.concept(id).split === 'new') assert.ok(task.hinges.includes(id), id)
    }
    if (task.hinges.length > 0 || task.family === 'dialogue') continue
    const slots = Object.entries(task.slots).filter(([name]) => /^(an|the|many|name)2?$/.test(name))
    for (const [, value] of slots) {
      assert.ok(!names.has(value.replace(/^(an?|the) /, '')), `${task.instruction}`)
    }
  }
})

test('same options, same tasks; another draw, others', () => {
  const options = { family: 'gqa', count: 8, styles: ['twemoji'], size: 96 } as const
  assert.deepEqual(makeTasks(library, options), makeTasks(library, options))
  const other = makeTasks(library, { ...options, seed: 1 })
  assert.notEqual(other[0]?.id, makeTasks(library, options)[0]?.id)
})

test('every statement is made once true and once false with the same words', () => {
  const byWords = Map.groupBy(tasks('nlvr'), ({ instruction }) => instruction)
  for (const [words, group] of byWords) {
    const answers = Map.groupBy(group, ({ answer }) => answer)
    assert.equal(answers.get('true')?.length, answers.get('false')?.length, words)
  }
  const close = [...byWords.values()].filter(
    ([a, b]) => a?.scenes[0]?.recipe.seed === b?.scenes[0]?.recipe.seed,
  )
  assert.ok(close.length > 0 && close.length < byWords.size)
})

test('yes and no are even for each thing asked about, and no count is too frequent', () => {
  const yesNo = tasks('gqa', 160).filter((task) => answerKind(task) === 'yes-no')
  for (const [words, group] of Map.groupBy(yesNo, ({ instruction }) => instruction)) {
    const yes = group.filter(({ answer }) => answer === 'yes').length
    assert.equal(yes * 2, group.length, words)
  }
  const counts = tasks('gqa', 160).filter((task) => answerKind(task) === 'count')
  for (const [answer, group] of Map.groupBy(counts, (task) => task.answer)) {
    assert.ok(group.length <= counts.length * 0.4 + 1, `${answer}: ${group.length}`)
  }
})

test('file names and the number of objects tell nothing of the answer', () => {
  const yesNo = tasks('gqa', 160).filter((task) => answerKind(task) === 'yes-no')
  const mean = (answer: string): number => {
    const numbers = yesNo
      .filter((task) => task.answer === answer)
      .map(({ scenes }) => scenes[0]?.graph.objects.length ?? 0)
    return numbers.reduce((a, b) => a + b, 0) / numbers.length
  }
  assert.ok(Math.abs(mean('yes') - mean('no')) < 0.6, `${mean('yes')} ${mean('no')}`)
  for (const { scenes } of yesNo) {
    for (const { image } of scenes) assert.match(image, /^[0-9a-f]{16}\.png$/)
  }
})

test('a baseline that never looks stays under its ceilings', () => {
  for (const family of ['gqa', 'nlvr', 'knowledge'] as const) {
    const training = makeTasks(library, {
      ...{ family, count: 160, styles: ['noto'], seeds: 'train', wording: 'train' },
      ...{ split: 'known', size: 96 },
    })
    const tested = tasks(family, family === 'gqa' ? 160 : 48)
    for (const [kind, { right, of }] of textOnlyBaseline(training, tested)) {
      if (kind === 'colour') continue
      // Two standard errors of room at these small numbers.
      const room = 2 * Math.sqrt(0.25 / of)
      assert.ok(right / of <= TEXT_ONLY_BOUNDS[kind] + room, `${family} ${kind}: ${right}/${of}`)
    }
  }
})

test('asked when one is clear, not counted when another is not (W7)', () => {
  const at = (id: string, concept: string, box: readonly number[]): unknown => ({
    ...{ id, concept, box, shares: {}, colour: null },
  })
  const scene = {
    objects: [
      at('o1', 'anchor', [100, 100, 160, 160]),
      at('o2', 'owl', [40, 90, 120, 150]),
      at('o3', 'owl', [90, 170, 150, 230]),
    ],
  } as unknown as Scene
  const anchor = scene.objects[0]
  assert.ok(anchor !== undefined)
  const where = { relation: 'to the left of', anchor } as const
  assert.equal(existsIn(lexicon, scene, { concept: 'owl' }, where), 'yes')
  assert.equal(countOf(lexicon, scene, { concept: 'owl' }, where), undefined)
})

test('dialogues call one skill a turn, and say so when a thing is not there', () => {
  const turns = tasks('dialogue').flatMap(({ dialogue }) => dialogue ?? [])
  assert.ok(turns.every(({ actions }) => actions.length === 1))
  const empty = turns.filter(
    ({ result }) => Array.isArray(result?.['boxes']) && result['boxes'].length === 0,
  )
  assert.ok(empty.length > 0)
  for (const { answer } of empty) assert.match(answer, /there is none/)
  assert.ok(new Set(turns.map(({ actions }) => actions[0]?.API_name)).size >= 8)
})

test('a type that is not there is told with those that are', () => {
  assert.throws(
    () => makeTasks(library, { family: 'gqa', count: 1, styles: ['noto'], types: ['poetry'] }),
    /Expected exist, count/,
  )
})
