import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Unavailable, UserFault } from '../base/index.ts'
import type { Clock } from '../base/index.ts'
import type { CallContext, CallTool } from './call-tool.ts'
import { FAMILIES } from './families.ts'
import { FIXTURE_SIGNATURES, fixtureImage, fixtureObject } from './fixtures.ts'
import { parse } from './parse.ts'
import { runProgram } from './run.ts'
import type { ProgramRun, RunOptions } from './run.ts'
import type { ToolResult } from './step.ts'
import type { Value } from './value.ts'

const IMAGE = fixtureImage('photo')
const LEFT = fixtureImage('left')
const RIGHT = fixtureImage('right')
const stillClock: Clock = { now: () => 0, tick: () => 0, sleep: async () => {} }

type Reply = (
  args: Readonly<Record<string, Value>>,
  context: CallContext,
) => ToolResult | Promise<ToolResult>

/** Scripted tools; what is not scripted throws. */
function script(replies: Readonly<Record<string, Reply>>): CallTool & { readonly calls: string[] } {
  const calls: string[] = []
  const call = async (
    tool: string,
    args: Readonly<Record<string, Value>>,
    context: CallContext,
  ): Promise<ToolResult> => {
    calls.push(tool)
    const reply = replies[tool]
    if (reply === undefined) throw new Error(`${tool} is not scripted`)
    return reply(args, context)
  }
  return Object.assign(call, { calls })
}

function run(text: string, call: CallTool, more: Partial<RunOptions> = {}): Promise<ProgramRun> {
  return runProgram(parse(text), {
    inputs: { IMAGE },
    call,
    signatures: FIXTURE_SIGNATURES,
    family: FAMILIES.open,
    clock: stillClock,
    ...more,
  })
}

const dogs =
  (count: number): Reply =>
  () => ({
    value: Array.from({ length: count }, (_, i) => fixtureObject(`d${i}`, IMAGE)),
  })

describe('runs of straight programs', () => {
  it('answers with a trace that holds source, values, notices and results', async () => {
    const call = script({
      LOC: (args) => ({
        value: args['object'] === 'lamp' ? [] : [fixtureObject('b', IMAGE)],
        score: 0.5,
      }),
      CROP_LEFTOF: () => ({
        value: fixtureImage('crop', 50),
        notices: [{ code: 'N_EMPTY_BOX', message: 'no box: left half used' }],
      }),
      COUNT: (args) => ({ value: (args['box'] as readonly Value[]).length }),
    })
    const text = `BOX0=LOC(image=IMAGE,object='lamp')
IMAGE0=CROP_LEFTOF(image=IMAGE,box=BOX0)
BOX1=LOC(image=IMAGE0,object='bus')
ANSWER0=COUNT(box=BOX1)
ANSWER1=EVAL(expr="'yes' if {ANSWER0} > 0 else 'no'")
FINAL_RESULT=RESULT(var=ANSWER1)`
    const told: number[] = []
    const result = await run(text, call, {
      family: FAMILIES.gqa,
      onStep: (step) => told.push(step.index),
    })
    assert.deepEqual(result.outcome, { status: 'done', value: 'yes', answer: 'yes' })
    assert.deepEqual(told, [0, 1, 2, 3, 4, 5])
    assert.deepEqual(call.calls, ['LOC', 'CROP_LEFTOF', 'LOC', 'COUNT'])
    const [, crop, , , evaluated] = result.steps
    assert.equal(crop?.notices[0]?.code, 'N_EMPTY_BOX')
    assert.equal(evaluated?.args[0]?.source, `"'yes' if {ANSWER0} > 0 else 'no'"`)
    assert.equal(evaluated?.args[0]?.value, "'yes' if 1 > 0 else 'no'")
    assert.deepEqual([...result.stateAfter(0).keys()], ['IMAGE', 'BOX0'])
    assert.equal(result.stateAfter(4).get('ANSWER1'), 'yes')
    assert.deepEqual([...result.stateAfter(-1).keys()], ['IMAGE'])
  })

  it('adds number words and digits of two pictures (11.6, case 3)', async () => {
    const text = `ANSWER0=VQA(image=LEFT,question='How many dogs?')
ANSWER1=VQA(image=RIGHT,question='How many dogs?')
ANSWER2=EVAL(expr='{ANSWER0} + {ANSWER1} == 3')
FINAL_ANSWER=RESULT(var=ANSWER2)`
    const answer = async (left: string): Promise<ProgramRun> =>
      run(text, script({ VQA: (args) => ({ value: args['image'] === LEFT ? left : '1' }) }), {
        family: FAMILIES.nlvr,
        inputs: { LEFT, RIGHT },
      })
    for (const left of ['2', 'two']) {
      const { outcome } = await answer(left)
      assert.deepEqual(outcome, { status: 'done', value: true, answer: 'true' })
    }
    const { outcome, steps } = await answer('many')
    assert.ok(outcome.status === 'error')
    assert.equal(outcome.at, 2)
    assert.equal(outcome.error.code, 'X_NOT_NUMBER')
    assert.equal(outcome.error.message, "ANSWER0 is 'many', not a number (EVAL, step 3)")
    assert.equal(outcome.error.fields['line'], 3)
    assert.deepEqual(
      steps.map((step) => step.result),
      ['many', '1', undefined],
    )
  })

  it('substitutes values in questions, also at index 0 and of a number', async () => {
    const questions: Value[] = []
    const call = script({
      LOC: dogs(2),
      COUNT: () => ({ value: 2 }),
      VQA: (args) => {
        questions.push(args['question'] ?? null)
        return { value: 'yes' }
      },
    })
    const text = `A=LOC(image=IMAGE,object='dog')
B=COUNT(box=A)
C=VQA(image=IMAGE,question='{B} dogs, {{really}}?')
D=VQA(image=IMAGE,question=B)
E=EVAL(expr='{C} and {D}')
R=RESULT(var=E)`
    const { outcome } = await run(text, call)
    assert.deepEqual(questions, ['2 dogs, {really}?', '2'])
    assert.equal(outcome.status === 'done' && outcome.value, true)
  })

  it('fills defaults in, and converts an object to objects', async () => {
    const seen: unknown[] = []
    const call = script({
      SEG: dogs(1),
      SELECT: (args) => {
        seen.push(args['category'], args['query'])
        return { value: args['object'] ?? null }
      },
      COUNT: (args) => {
        seen.push((args['box'] as readonly Value[]).length)
        return { value: 1 }
      },
    })
    const text = `A=SEG(image=IMAGE)
B=SELECT(image=IMAGE,object=A,query=['dog',3])
for O in B gather C as L
C=COUNT(box=O)
end
R=RESULT(var=L)`
    const { outcome } = await run(text, call)
    assert.deepEqual(seen, [null, ['dog', '3'], 1])
    assert.deepEqual(outcome.status === 'done' && outcome.value, [1])
  })

  it('does not start a program with an error', async () => {
    const call = script({})
    const { outcome, steps } = await run('A=VQA(image=IMAGE,question=B)\nR=RESULT(var=A)', call)
    assert.ok(outcome.status === 'error')
    assert.equal(outcome.error.code, 'C_UNDEFINED')
    assert.deepEqual([call.calls, steps], [[], []])
  })

  it('gives a truth that cannot be read no answer, never a guess', async () => {
    const { outcome } = await run(
      "A=VQA(image=LEFT,question='q?')\nR=RESULT(var=A)",
      script({ VQA: () => ({ value: 'red' }) }),
      { family: FAMILIES.nlvr, inputs: { LEFT, RIGHT } },
    )
    assert.deepEqual(outcome, { status: 'done', value: 'red' })
  })

  it('freezes what tools give', async () => {
    const list = ['a']
    const { steps } = await run(
      "A=LIST(query='x')\nR=RESULT(var=A)",
      script({ LIST: () => ({ value: list }) }),
    )
    assert.ok(Object.isFrozen(steps[0]?.result))
  })
})

describe('failures', () => {
  const two =
    "A=VQA(image=IMAGE,question='q?')\nB=LOC(image=IMAGE,object='dog')\nC=COUNT(box=B)\nD=EVAL(expr='{A} == {C}')\nR=RESULT(var=D)"

  it('end the run with earlier results readable', async () => {
    const call = script({
      VQA: () => ({ value: 'yes' }),
      LOC: () => {
        throw new UserFault('T_FRAME', 'other picture')
      },
    })
    const { outcome, steps } = await run(two, call)
    assert.ok(outcome.status === 'error')
    assert.deepEqual(
      [outcome.at, outcome.error.code, outcome.error.kind],
      [1, 'T_FRAME', 'UserFault'],
    )
    assert.deepEqual(
      steps.map((step) => [step.output, step.result, step.error?.code]),
      [
        ['A', 'yes', undefined],
        ['B', undefined, 'T_FRAME'],
      ],
    )
  })

  it('count in the order of the text, whichever comes first in time', async () => {
    const slow = Promise.withResolvers<void>()
    let stopped: unknown
    const call = script({
      VQA: async (_args, { signal }) => {
        signal.addEventListener('abort', () => (stopped = signal.reason))
        await slow.promise
        throw new UserFault('T_INPUT', 'first in the text')
      },
      LOC: () => {
        setImmediate(slow.resolve)
        throw new UserFault('T_FRAME', 'first in time')
      },
    })
    const { outcome, steps } = await run(two, call)
    assert.equal(outcome.status === 'error' && outcome.error.code, 'T_INPUT')
    assert.equal(steps.length, 1)
    assert.equal(stopped, undefined)
  })

  it('of an earlier step stop later ones that run beside it', async () => {
    let reason: unknown
    const call = script({
      VQA: async () => {
        await new Promise(setImmediate)
        throw new UserFault('T_INPUT', 'no')
      },
      LOC: (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject((reason = signal.reason)))
        }),
    })
    const { steps } = await run(two, call)
    assert.equal(steps.length, 1)
    assert.equal((reason as Error).name, 'AbortError')
  })

  it('that may pass are tried three times, with a pause that heeds retryAfter', async () => {
    const pauses: number[] = []
    let tries = 0
    const call = script({
      VQA: () => {
        if (++tries < 3) throw new Unavailable('T_LLM', 'busy', { retryAfter: 700 * tries })
        return { value: 'yes' }
      },
    })
    const clock: Clock = {
      ...stillClock,
      sleep: async (ms, signal) => {
        if (ms < 60_000) pauses.push(ms)
        else await new Promise((_, reject) => signal?.addEventListener('abort', reject))
      },
    }
    const text = "A=VQA(image=IMAGE,question='q?')\nR=RESULT(var=A)"
    const { outcome, steps } = await run(text, call, { clock })
    assert.equal(outcome.status, 'done')
    assert.deepEqual(pauses, [700, 1400])
    assert.equal(steps[0]?.notices[0]?.code, 'N_RETRIED')
    tries = -7
    const failed = await run(text, call, { clock })
    assert.equal(failed.outcome.status === 'error' && failed.outcome.error.code, 'T_LLM')
    assert.equal(tries, -4)
  })

  it('of ours are not tried again and say so', async () => {
    const call = script({ VQA: () => ({ value: NaN }) })
    const { outcome } = await run("A=VQA(image=IMAGE,question='q?')\nR=RESULT(var=A)", call)
    assert.equal(outcome.status === 'error' && outcome.error.code, 'E_RESULT')
    assert.equal(outcome.status === 'error' && outcome.error.kind, 'Bug')
    assert.equal(call.calls.length, 1)
  })
})

describe('limits and stops', () => {
  const text = "A=VQA(image=IMAGE,question='q?')\nR=RESULT(var=A)"

  /** A clock whose shorter sleeps end at once, the time having passed; longer ones never do. */
  function hastyClock(longest: number): Clock {
    let time = 0
    return {
      now: () => time,
      tick: () => time,
      sleep: async (ms, signal) => {
        await new Promise(setImmediate)
        signal?.throwIfAborted()
        if (ms > longest)
          await new Promise((_, reject) => signal?.addEventListener('abort', reject))
        time += ms
      },
    }
  }

  it('stop a step after its time, even one that does not listen', async () => {
    const call = script({ VQA: () => new Promise(() => {}) })
    const { outcome } = await run(text, call, { clock: hastyClock(60_000) })
    assert.ok(outcome.status === 'error')
    assert.deepEqual([outcome.error.code, outcome.at], ['T_TIMEOUT', 0])
    assert.match(outcome.error.message, /longer than 60 s/)
  })

  it('stop a run after its time', async () => {
    const call = script({ VQA: () => new Promise(() => {}) })
    const { outcome, steps } = await run(text, call, {
      clock: hastyClock(5000),
      limits: { runMs: 5000 },
    })
    assert.ok(outcome.status === 'error')
    assert.match(outcome.error.message, /The run took longer than 5 s/)
    assert.equal(steps[0]?.error?.code, 'T_TIMEOUT')
  })

  it('honour the signal inside a step, and keep what was done', async () => {
    const controller = new AbortController()
    const call = script({
      LOC: dogs(1),
      VQA: () => {
        controller.abort(new Error('enough'))
        return new Promise(() => {})
      },
    })
    const { outcome, steps } = await run(
      "L=LOC(image=IMAGE,object='x')\nC=COUNT(box=L)\nA=VQA(image=IMAGE,question='{C}')\nR=RESULT(var=A)",
      Object.assign(async (...args: Parameters<CallTool>) =>
        args[0] === 'COUNT' ? { value: 1 } : call(...args),
      ),
      { signal: controller.signal },
    )
    assert.deepEqual(outcome, { status: 'aborted', reason: 'enough' })
    assert.deepEqual(
      steps.map((step) => step.error?.code),
      [undefined, undefined, 'T_ABORTED'],
    )
  })

  it('do not start when the signal has fired', async () => {
    const call = script({})
    const { outcome } = await run(text, call, { signal: AbortSignal.abort('no') })
    assert.deepEqual(outcome, { status: 'aborted', reason: 'no' })
  })

  it('end a program that loops too much', async () => {
    const nested = `A=SEG(image=IMAGE)
for X in A limit 100
for Y in A limit 100
C=COUNT(box=Y)
end
end
R=RESULT(var=A)`
    const call = script({ SEG: dogs(40), COUNT: () => ({ value: 1 }) })
    const { outcome, steps } = await run(nested, call)
    assert.ok(outcome.status === 'error')
    assert.deepEqual([outcome.error.code, outcome.error.fields['line']], ['X_LIMIT', 4])
    assert.equal(steps.length, 500)
  })

  it('reject when the listener throws', async () => {
    const onStep = (): never => {
      throw new RangeError('listener')
    }
    const call = script({ VQA: () => ({ value: 'yes' }) })
    await assert.rejects(run(text, call, { onStep }), { message: 'listener' })
  })
})

describe('steps side by side', () => {
  it('start without waiting for each other and are told in the order of the text', async () => {
    const first = Promise.withResolvers<void>()
    const order: string[] = []
    const call = script({
      VQA: async (args) => {
        const question = String(args['question'])
        if (question === 'one') await first.promise
        else setImmediate(first.resolve)
        order.push(question)
        return { value: question }
      },
    })
    const told: string[] = []
    const text = `A=VQA(image=IMAGE,question='one')
B=VQA(image=IMAGE,question='two')
C=EVAL(expr='concat({A}, {B})')
R=RESULT(var=C)`
    const { outcome } = await run(text, call, { onStep: (step) => told.push(step.output) })
    assert.deepEqual(order, ['two', 'one'])
    assert.deepEqual(told, ['A', 'B', 'C', 'R'])
    assert.equal(outcome.status === 'done' && outcome.value, 'onetwo')
  })

  it('are at most as many as allowed', async () => {
    let now = 0
    let most = 0
    const call = script({
      VQA: async () => {
        most = Math.max(most, ++now)
        await new Promise(setImmediate)
        now--
        return { value: 'x' }
      },
    })
    const steps = Array.from({ length: 9 }, (_, i) => `A${i}=VQA(image=IMAGE,question='q')`)
    await run([...steps, 'R=RESULT(var=A0)'].join('\n'), call, { limits: { parallel: 2 } })
    assert.equal(most, 2)
  })

  it('have random numbers and object ids of their own, whatever runs beside them', async () => {
    const collect = async (swap: boolean): Promise<unknown[]> => {
      const seen: unknown[] = []
      const call = script({
        VQA: async (args, { random, newId, step }) => {
          if (swap && args['question'] === 'one') await new Promise(setImmediate)
          seen.push([step, random.next(), newId(), newId()])
          return { value: 'x' }
        },
      })
      await run(
        "A=VQA(image=IMAGE,question='one')\nB=VQA(image=IMAGE,question='two')\nC=EVAL(expr='{A}=={B}')\nR=RESULT(var=C)",
        call,
      )
      return seen
    }
    const plain = await collect(false)
    const swapped = await collect(true)
    assert.deepEqual(swapped.toReversed(), plain)
    assert.equal(new Set(plain.flat()).size, 8)
  })
})

describe('blocks', () => {
  it('run the first arm whose condition holds', async () => {
    const text = `A=VQA(image=IMAGE,question='q')
if "{A} > 5"
B=EVAL(expr="'many'")
elif "{A} > 1"
B=EVAL(expr="'some'")
else
B=EVAL(expr="'few'")
end
R=RESULT(var=B)`
    for (const [number, word] of [
      ['9', 'many'],
      ['three', 'some'],
      ['no', 'few'],
    ] as const) {
      const { outcome } = await run(text, script({ VQA: () => ({ value: number }) }))
      assert.equal(outcome.status === 'done' && outcome.value, word)
    }
  })

  it('report a condition that is no truth, without a step', async () => {
    const { outcome, steps } = await run(
      `A=VQA(image=IMAGE,question='q')\nif "{A}"\nB=EVAL(expr="1")\nend\nR=RESULT(var=A)`,
      script({ VQA: () => ({ value: 'red' }) }),
    )
    assert.ok(outcome.status === 'error')
    assert.equal(outcome.error.message, "A is 'red', not yes or no (if, line 2)")
    assert.equal(outcome.at, undefined)
    assert.equal(steps.length, 1)
  })

  it('carry a picture through a loop, in order', async () => {
    const call = script({
      SEG: dogs(3),
      REPLACE: (args) => {
        const image = args['image'] as typeof IMAGE
        return { value: fixtureImage(`${image.frame.id}+`) }
      },
    })
    const text = `OBJ1=SEG(image=IMAGE)
for OBJ2 in OBJ1 carry IMAGE1 from IMAGE
IMAGE1=REPLACE(image=IMAGE1,object=OBJ2,prompt='a daisy')
end
R=RESULT(var=IMAGE1)`
    const { outcome, steps } = await run(text, call, { family: FAMILIES.imgedit })
    const value = outcome.status === 'done' ? outcome.value : null
    assert.equal((value as typeof IMAGE).frame.id, 'photo+++')
    assert.deepEqual(
      steps.map((step) => step.path.map((part) => `${part.loop}:${part.item}`)),
      [[], ['OBJ2:0'], ['OBJ2:1'], ['OBJ2:2'], []],
    )
    assert.deepEqual(
      steps.map((step) => step.step),
      [1, 2, 2, 2, 3],
    )
  })

  it('give the start value and an empty list for an empty loop', async () => {
    const text = `A=LOC(image=IMAGE,object='cup')
for O in A carry V from IMAGE gather Q as L
V=CROP(image=V,box=O)
Q=COUNT(box=O)
end
C=COUNT(box=L)
D=EVAL(expr='{C}')
R=RESULT(var=V)`
    const call = script({ LOC: dogs(0), COUNT: (args) => ({ value: (args['box'] as []).length }) })
    const { outcome, steps } = await run(text, call)
    assert.equal(outcome.status === 'done' && outcome.value, IMAGE)
    assert.equal(steps[1]?.result, 0)
  })

  it('cut a list at the limit and tell it with the next step', async () => {
    const text = `A=SEG(image=IMAGE)
for O in A limit 2 gather O as L
C=COUNT(box=O)
end
R=RESULT(var=L)`
    const call = script({ SEG: dogs(5), COUNT: () => ({ value: 1 }) })
    const { outcome, steps } = await run(text, call)
    assert.equal(outcome.status === 'done' && (outcome.value as readonly Value[]).length, 2)
    assert.equal(steps[1]?.notices[0]?.code, 'N_LIMIT')
  })

  it('start the items of a loop side by side where they do not depend on each other', async () => {
    let waiting = 0
    const both = Promise.withResolvers<void>()
    const call = script({
      SEG: dogs(2),
      COUNT: async () => {
        if (++waiting === 2) both.resolve()
        await both.promise
        return { value: 1 }
      },
    })
    const text =
      'A=SEG(image=IMAGE)\nfor O in A gather C as L\nC=COUNT(box=O)\nend\nR=RESULT(var=L)'
    const { outcome } = await run(text, call)
    assert.deepEqual(outcome.status === 'done' && outcome.value, [1, 1])
  })

  it('carry an inner loop’s last value on', async () => {
    const call = script({
      SEG: dogs(2),
      BGBLUR: (args) => ({ value: fixtureImage(`${(args['image'] as typeof IMAGE).frame.id}*`) }),
    })
    const text = `A=SEG(image=IMAGE)
for O in A carry V from IMAGE
for P in A carry V from V
V=BGBLUR(image=V,object=P)
end
end
R=RESULT(var=V)`
    const { outcome } = await run(text, call)
    const value = outcome.status === 'done' ? outcome.value : null
    assert.equal((value as typeof IMAGE).frame.id, 'photo****')
  })

  it('check at run time what was unknown before', async () => {
    const own = { name: 'ANY', args: [], out: 'any', families: [], about: '' } as const
    const { outcome } = await run(
      'A=ANY()\nB=COUNT(box=A)\nR=RESULT(var=B)',
      script({ ANY: () => ({ value: 'red' }) }),
      { signatures: [...FIXTURE_SIGNATURES, own] },
    )
    assert.equal(
      outcome.status === 'error' && outcome.error.message,
      'expected a list for box of COUNT, found text A',
    )
  })
})
