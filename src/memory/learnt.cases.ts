import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Exemplar } from './exemplar.ts'
import type { Feedback } from './feedback.ts'
import type { Label } from './label.ts'
import type { Learnt } from './learnt.ts'
import { createLearnt } from './learnt.ts'
import type { LearntRows } from './learnt-rows.ts'
import { exemplarText } from './exemplar.ts'
import type { Lesson, LessonParts } from './lesson.ts'
import { promptText } from './prompt-pool.ts'

/** The suite that every place for what was learnt passes. @param open  gives a fresh, empty one */
export function learntCases(
  name: string,
  open: (title: string) => Promise<{ rows: LearntRows; close?: () => Promise<void> }>,
  skip?: string,
): void {
  for (const [title, body] of Object.entries(CASES)) {
    test(`${name}: ${title}`, skip === undefined ? {} : { skip }, async () => {
      const { rows, close } = await open(title)
      try {
        await body(createLearnt(rows), rows)
      } finally {
        await close?.()
      }
    })
  }
}

const CASES: Readonly<Record<string, (learnt: Learnt, rows: LearntRows) => Promise<void>>> = {
  'correcting twice leaves one correction and one active lesson': async (learnt) => {
    await learnt.record(feedback('f1'), [label('a1', 'one')])
    await learnt.add(lesson('l1', { feedback: 'f1' }), parts('l1'))
    const { feedback: second, retired } = await learnt.record(feedback('f2'), [label('a2', 'two')])
    assert.equal(second.supersedes, 'f1')
    assert.deepEqual(retired, ['l1'])
    assert.deepEqual(await learnt.exemplars(), [], 'the old lesson left with the same write')
    await learnt.add(lesson('l2', { feedback: 'f2', version: 2 }), parts('l2'))
    assert.deepEqual(ids(await learnt.standing('run_1')), ['f2'])
    assert.deepEqual(ids(await learnt.lessons({ status: 'applied' })), ['l2'])
    assert.deepEqual(ids(await learnt.exemplars()), ['l2-e'])
    assert.deepEqual(ids(await learnt.labels('picture:p#name')), ['a2'])
  },
  'undo restores the pools byte for byte, redo puts them back': async (learnt) => {
    await learnt.add(lesson('l1'), parts('l1'))
    const before = await pools(learnt)
    await learnt.add(lesson('l2', { version: 2, supersedes: 'l1' }), parts('l2'))
    const after = await pools(learnt)
    assert.notEqual(after, before)
    await learnt.undo('l2')
    assert.equal(await pools(learnt), before)
    assert.equal((await learnt.lesson('l1'))?.status, 'applied')
    await learnt.redo('l2')
    assert.equal(await pools(learnt), after)
    assert.equal((await learnt.lesson('l1'))?.status, 'superseded')
  },
  'a lesson that is kept out leaves no trace in retrieval': async (learnt) => {
    const before = await pools(learnt)
    await learnt.add(lesson('l1', { status: 'kept-out', reason: 'breaks more' }), parts('l1'))
    assert.equal(await pools(learnt), before)
    assert.equal((await learnt.parts('l1')).exemplars.length, 1)
    await learnt.redo('l1')
    assert.equal((await learnt.exemplars()).length, 1)
    assert.equal((await learnt.lesson('l1'))?.reason, undefined)
  },
  'a write that fails in the middle leaves nothing behind': async (learnt, rows) => {
    await learnt.add(lesson('l1'), parts('l1'))
    const before = await pools(learnt)
    const work = rows.write(async (writer) => {
      await writer.remove('exemplar', 'l1-e')
      throw new Error('killed')
    })
    await assert.rejects(work, /killed/)
    assert.equal(await pools(learnt), before)
  },
  'a tombstone stays beside later labels until its opposite is said': async (learnt) => {
    await learnt.record(feedback('f1'), [label('a1', 'cat', true)])
    await learnt.record(feedback('f2', 'run_2'), [label('a2', 'dog')])
    assert.deepEqual(ids(await learnt.labels('picture:p#name')), ['a1', 'a2'])
    await learnt.record(feedback('f3', 'run_3'), [label('a3', 'cat')])
    assert.deepEqual(ids(await learnt.labels('picture:p#name')), ['a3'])
  },
  'only what is applied can be undone, and only what exists': async (learnt) => {
    await assert.rejects(learnt.undo('l9'), { code: 'E_LESSON', message: /no lesson "l9"/ })
    await learnt.add(lesson('l1'), parts('l1'))
    await assert.rejects(learnt.redo('l1'), { code: 'E_LESSON' })
    await learnt.undo('l1')
    await assert.rejects(learnt.undo('l1'), { code: 'E_LESSON', message: /is undone/ })
  },
  'forgetting is complete, and every write changes the version': async (learnt, rows) => {
    const versions = [await learnt.version()]
    await learnt.add(lesson('l1'), parts('l1'))
    versions.push(await learnt.version())
    await learnt.forget(['l1'])
    versions.push(await learnt.version())
    assert.equal(new Set(versions).size, 3)
    for (const kind of [
      'lesson',
      'exemplar',
      'prompt',
      'prompt-values',
      'demonstration',
    ] as const) {
      assert.deepEqual(await rows.read.select(kind), [])
    }
  },
  'prompts are found by tool and concept, and their numbers by name': async (learnt) => {
    await learnt.add(lesson('l1'), parts('l1'))
    assert.deepEqual(ids(await learnt.promptHeads('LOC', 'glove')), ['l1-p'])
    assert.deepEqual(await learnt.promptHeads('LOC', 'mitten'), [])
    assert.deepEqual(await learnt.promptHeads('SELECT', 'glove'), [])
    assert.deepEqual(await learnt.promptValues('l1-p'), Float32Array.of(0.3))
    await learnt.undo('l1')
    assert.deepEqual(await learnt.promptHeads('LOC', 'glove'), [])
    assert.equal(await learnt.promptValues('l9-p'), undefined)
  },
  'a lesson that a killed worker had written already is not written again': async (learnt) => {
    assert.equal(await learnt.addOnce(lesson('l1'), parts('l1')), true)
    await learnt.undo('l1')
    const before = await pools(learnt)
    assert.equal(await learnt.addOnce(lesson('l1'), parts('l1')), false)
    assert.equal(await pools(learnt), before, 'what a person undid stays undone')
  },
  'settings are kept by name': async (learnt) => {
    assert.equal(await learnt.setting('people'), undefined)
    await learnt.set('people', true)
    assert.equal(await learnt.setting('people'), true)
  },
}

const ids = (all: readonly { readonly id: string }[]): readonly string[] => all.map(({ id }) => id)

async function pools(learnt: Learnt): Promise<string> {
  const [exemplars, prompts, demonstrations] = [
    await learnt.exemplars(),
    await learnt.prompts(),
    await learnt.demonstrations(),
  ]
  const texts = [exemplars.map(exemplarText), prompts.map(promptText), demonstrations]
  return JSON.stringify(texts)
}

function feedback(id: string, run = 'run_1'): Feedback {
  return {
    ...{ id, run, target: { kind: 'answer' }, expected: { answer: id } },
    ...{ author: 'me', scope: 'teach', at: Number(id.slice(1)) },
  }
}

function label(id: string, value: string, tombstone = false): Label {
  return {
    ...{ id, subject: 'picture:p#name', field: 'name', value, tombstone },
    ...{ author: 'me', at: Number(id.slice(1)) },
  }
}

function lesson(id: string, more: Partial<Lesson> = {}): Lesson {
  return {
    ...{ id, version: 1, tool: 'LOC', concept: 'glove', status: 'applied', feedback: null },
    ...{ source: null, author: 'me', verdict: null, examples: [], prompts: [] },
    ...{ demonstrations: [], validation: null, effect: null, createdAt: Number(id.slice(1)) },
    ...more,
  }
}

function parts(lesson: string): LessonParts {
  const exemplar: Exemplar = {
    ...{ id: `${lesson}-e`, kind: 'thing', concept: 'glove', positive: true, encoder: 'test' },
    ...{ feature: Float32Array.of(0.1, -2.5, 1e-9), picture: 'p', box: [0, 0, 5, 5] },
    ...{ lesson, author: 'me', createdAt: 7 },
  }
  return {
    exemplars: [exemplar],
    prompts: [
      {
        ...{ id: `${lesson}-p`, tool: 'LOC', concept: 'glove', feature: Float32Array.of(1, 0) },
        ...{ prompt: Float32Array.of(0.3), shape: [1], lesson, createdAt: 7 },
        model: { name: 'm', hash: 'h' },
      },
    ],
    demonstrations: [
      {
        ...{ id: `${lesson}-d`, family: 'gqa', instruction: `How many? ${lesson}` },
        ...{ program: 'A=SEG(image=IMAGE)', verdict: 'right', score: 0, origin: 'human' },
        ...{ createdAt: 7 },
      },
    ],
  }
}
