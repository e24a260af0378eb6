import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Image, ObjectRecord } from '../../image/index.ts'
import { solidImage } from '../../image/index.ts'
import { startDemonstrations } from '../../memory/index.ts'
import { check, FAMILIES, parse, print, runProgram, stepsOf } from '../../program/index.ts'
import type { CallTool, Family, Value } from '../../program/index.ts'
import { SIGNATURES } from '../../tools/index.ts'

const families: Readonly<Record<string, Family>> = FAMILIES
const all = startDemonstrations()
const right = all.filter(({ verdict }) => verdict === 'right')
const wrong = all.filter(({ verdict }) => verdict === 'wrong')
const picture = solidImage({ width: 8, height: 6 }, [1, 2, 3])

const familyOf = (name: string): Family => {
  const family = families[name]
  assert.ok(family)
  return family
}

/** Every tool gives a value of its kind. */
const call: CallTool = async (tool, args) => {
  const image = (args['image'] ?? picture) as Image
  const found: ObjectRecord = {
    ...{ type: 'object', id: 'o1', box: [0, 0, 2, 2], category: 'thing', score: 0.5, mask: null },
    frame: image.frame,
  }
  const out = SIGNATURES.find(({ name }) => name === tool)?.out
  if (out === 'objects') return { value: [found] }
  if (out === 'image') return { value: image }
  if (tool === 'COUNT') return { value: (args['box'] as readonly Value[]).length }
  if (tool === 'LIST') return { value: ['one', 'two'] }
  return { value: String(args['question']).startsWith('How many') ? '2' : 'yes' }
}

test('each family of the paper has at least thirty right and eight wrong demonstrations', () => {
  for (const name of ['gqa', 'nlvr', 'imgedit', 'tagging']) {
    assert.ok(right.filter(({ family }) => family === name).length >= 30, name)
    assert.ok(wrong.filter(({ family }) => family === name).length >= 8, name)
  }
})

test('ids and instructions are unique, and every one has plan and program', () => {
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
  assert.equal(new Set(all.map(({ instruction }) => instruction)).size, all.length)
  for (const one of all) {
    assert.match(one.plan ?? '', /^1\. .+/)
    assert.ok(one.program, one.id)
  }
})

test('every right program passes the checker without a word and stands in canonical form', () => {
  for (const one of right) {
    const program = parse(one.program ?? '')
    const found = check(program, { family: familyOf(one.family), signatures: SIGNATURES })
    assert.deepEqual(found, [], one.instruction)
    assert.equal(print(program), one.program)
  }
})

test('every wrong program can be read, so that it lowers what resembles it, and says what is wrong', () => {
  for (const one of wrong) {
    const found = check(parse(one.program ?? ''), {
      family: familyOf(one.family),
      signatures: SIGNATURES,
    })
    assert.deepEqual(
      found.filter(({ severity }) => severity === 'error'),
      [],
      one.instruction,
    )
    assert.ok((one.critique ?? '').length > 20, one.instruction)
  }
  assert.ok(right.every(({ critique }) => critique === undefined))
})

test('every right program runs to an answer in the form of its family', async () => {
  for (const one of right) {
    const family = familyOf(one.family)
    const inputs = Object.fromEntries(family.inputs.map(({ name }) => [name, picture]))
    const program = parse(one.program ?? '')
    const { outcome } = await runProgram(program, { inputs, call, signatures: SIGNATURES, family })
    assert.equal(outcome.status, 'done', `${one.instruction}: ${JSON.stringify(outcome)}`)
  }
})

test('a plan has about as many steps as its program has calls', () => {
  for (const one of right) {
    const calls = stepsOf(parse(one.program ?? '').body).length - 1
    const steps = (one.plan ?? '').split('\n').length
    assert.ok(steps <= calls + 1 && steps * 4 >= calls, one.instruction)
  }
})
