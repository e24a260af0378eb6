import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Clock } from '../base/index.ts'
import type { Image } from '../image/index.ts'
import type { CallTool } from './call-tool.ts'
import { FAMILIES } from './families.ts'
import { FIXTURE_SIGNATURES, fixtureImage, fixtureObject } from './fixtures.ts'
import { parse } from './parse.ts'
import { replay, runProgram } from './run.ts'
import type { ProgramRun } from './run.ts'
import { stepFromJson, stepToJson } from './value-json.ts'
import type { CallStepJson } from './value-json.ts'

const IMAGE = fixtureImage('photo')
const TEXT = `BOX0=LOC(image=IMAGE,object='dog')
IMAGE0=CROP(image=IMAGE,box=BOX0)
ANSWER0=VQA(image=IMAGE0,question='What colour?')
ANSWER1=COUNT(box=BOX0)
ANSWER2=EVAL(expr="{ANSWER0} if {ANSWER1} > 0 else 'none'")
FINAL_RESULT=RESULT(var=ANSWER2)`
const program = parse(TEXT)
const common = { inputs: { IMAGE }, signatures: FIXTURE_SIGNATURES, family: FAMILIES.gqa }

/** A clock that moves on with each look, so that records differ from replays unless kept. */
function movingClock(): Clock {
  let time = 1000
  return { now: () => time++, tick: () => time++, sleep: async () => {} }
}

const call: CallTool & { calls?: string[] } = async (tool, args) => {
  switch (tool) {
    case 'LOC':
      return { value: [fixtureObject('d1', IMAGE)], score: 0.9, models: [{ name: 'finder' }] }
    case 'CROP': {
      const crop = fixtureImage(`crop of ${(args['image'] as Image).frame.id}`, 10, 10)
      return { value: crop }
    }
    case 'VQA':
      return { value: 'brown', raw: 'Brown.' }
    case 'COUNT':
      return { value: (args['box'] as readonly unknown[]).length }
    default:
      throw new Error(tool)
  }
}

const recorded = (): Promise<ProgramRun> =>
  runProgram(program, { ...common, call, clock: movingClock() })

const plain = (run: ProgramRun): unknown =>
  run.steps.map((step) => ({ ...stepToJson(step), replayed: undefined }))

describe('replay', () => {
  it('of a record gives the same steps without calling any tool', async () => {
    const first = await recorded()
    const again = await replay(program, { ...common, record: first.steps, clock: movingClock() })
    assert.deepEqual(again.outcome, { status: 'done', value: 'brown', answer: 'brown' })
    assert.deepEqual(plain(again), plain(first))
    assert.ok(again.steps.every((step) => step.replayed === 'record'))
  })

  it('of a record that went through JSON gives the same steps', async () => {
    const first = await recorded()
    const json = JSON.parse(JSON.stringify(first.steps.map(stepToJson))) as CallStepJson[]
    const loaded = new Map([[IMAGE.hash, IMAGE]])
    const record = await Promise.all(
      json.map((step) =>
        stepFromJson(step, {
          image: (hash, ref) =>
            loaded.get(hash) ?? fixtureImage(ref.frame.id, ref.width, ref.height),
        }),
      ),
    )
    const again = await replay(program, { ...common, record })
    assert.deepEqual(plain(again), plain(first))
  })

  it('puts a given value in and computes what depends on it', async () => {
    const { steps } = await recorded()
    const again = await replay(program, { ...common, record: steps, given: { 2: 'black' } })
    assert.equal(again.outcome.status === 'done' && again.outcome.answer, 'black')
    assert.deepEqual(
      again.steps.map((step) => step.replayed),
      ['record', 'record', 'given', 'record', undefined, undefined],
    )
  })

  it('calls tools only for steps whose arguments changed', async () => {
    const { steps } = await recorded()
    const calls: string[] = []
    const again = await replay(program, {
      ...common,
      record: steps,
      given: new Map([[0, []]]),
      call: async (tool, args, context) => {
        calls.push(tool)
        return tool === 'CROP' ? { value: IMAGE } : call(tool, args, context)
      },
    })
    assert.deepEqual(calls.toSorted(), ['COUNT', 'CROP', 'VQA'])
    assert.equal(again.outcome.status === 'done' && again.outcome.answer, 'none')
  })

  it('says which step the record cannot answer when there are no tools', async () => {
    const { steps } = await recorded()
    const { outcome } = await replay(program, { ...common, record: steps, given: { 0: [] } })
    assert.ok(outcome.status === 'error')
    assert.deepEqual([outcome.error.code, outcome.at], ['T_UNAVAILABLE', 1])
    assert.match(outcome.error.message, /^CROP is not in the record/)
  })

  it('calls anew from the step asked for', async () => {
    const { steps } = await recorded()
    const calls: string[] = []
    await replay(program, {
      ...common,
      record: steps,
      from: 2,
      call: (tool, args, context) => {
        calls.push(tool)
        return call(tool, args, context)
      },
    })
    assert.deepEqual(calls.toSorted(), ['COUNT', 'VQA'])
  })

  it('repeats a recorded failure, unless there are tools to try again', async () => {
    const failing: CallTool = async (tool, args, context) => {
      if (tool === 'VQA') throw new Error('broke')
      return call(tool, args, context)
    }
    const { steps } = await runProgram(program, { ...common, call: failing })
    const again = await replay(program, { ...common, record: steps })
    assert.equal(again.outcome.status === 'error' && again.outcome.error.message, 'broke')
    const mended = await replay(program, { ...common, record: steps, call })
    assert.equal(mended.outcome.status === 'done' && mended.outcome.answer, 'brown')
  })

  it('goes by loops too', async () => {
    const loop = parse(
      "A=LOC(image=IMAGE,object='dog')\nfor O in A gather Q as L\nQ=VQA(image=IMAGE,question='What?')\nend\nR=RESULT(var=L)",
    )
    let asked = 0
    const numbered: CallTool = async (tool) =>
      tool === 'VQA'
        ? { value: `answer ${++asked}` }
        : { value: [fixtureObject('a', IMAGE), fixtureObject('b', IMAGE)] }
    const first = await runProgram(loop, { ...common, call: numbered })
    const again = await replay(loop, { ...common, record: first.steps, given: { 2: 'other' } })
    assert.deepEqual(again.outcome.status === 'done' && again.outcome.value, ['answer 1', 'other'])
  })
})
