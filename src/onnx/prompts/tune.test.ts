import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { ProgressNote } from '../../base/index.ts'
import { relativeError } from '../grad/check-gradient.ts'
import { contrastive } from '../grad/losses/classify.ts'
import { adam } from '../optim/adam.ts'
import { sgd } from '../optim/sgd.ts'
import type { Optimizer } from '../optim/optimizer.ts'
import type { RunTensor, RunTensors } from '../session.ts'
import { withOutputs } from '../edit/outputs.ts'
import { withGraph } from '../graph.ts'
import { prepare } from '../lower/prepare.ts'
import { openSession } from '../open-session.ts'
import { fixtureModel, readFixture } from './fixture.ts'
import type { Injection } from './inject.ts'
import { inject } from './inject.ts'
import { layerOutput, locate } from './locate.ts'
import type { TuneLoss, TuneOptions, TuneResult } from './tune.ts'
import { tune } from './tune.ts'

const here = { thread: 'here', threads: 1 } as const
const fixture = readFixture('clip-vision')
const target = fixture.tensor('target')
const extra = { text: fixture.tensor('text'), target }

const loss: TuneLoss = {
  inputs: Object.entries(extra).map(([name, { type, dims }]) => ({ name, type, dims })),
  build: (b) => contrastive(b, 'image_embeds', 'text', 'target', { scale: 10 }),
}

const injection: Injection = { kind: 'layers', layers: 2, count: 3, from: 'pixel_values' }

function learn(options: Partial<TuneOptions> = {}, at: Injection = injection): Promise<TuneResult> {
  return tune(fixture.model, at, { fixed: { ...fixture.inputs, ...extra } }, loss, {
    batch: 2,
    steps: 8,
    optimizer: adam({ rate: 3e-2 }),
    session: here,
    ...options,
  })
}

test('the same seed gives the same prompts and curve, another seed others', async () => {
  const [one, two, other] = [
    await learn({ seed: 4 }),
    await learn({ seed: 4 }),
    await learn({ seed: 5 }),
  ]
  assert.deepEqual(one, two)
  assert.notDeepEqual(one.curve, other.curve)
})

test('in a worker, where it runs unless told otherwise, it learns the same', async () => {
  const [away, near] = [
    await learn({ session: { threads: 1 }, steps: 3 }),
    await learn({ steps: 3 }),
  ]
  assert.deepEqual(away, near)
})

test('in a worker, a tuning that cannot recompute is refused as it is here, and one is stopped while it compiles', async () => {
  const away = { session: { threads: 1 } }
  const none: Injection = { kind: 'layers', layers: [3], count: 3, from: 'pixel_values' }
  await assert.rejects(learn({ ...away, recompute: true }, none), (error: Error) => {
    assert.equal(error.name, 'UserFault')
    assert.equal((error as Error & { code?: string }).code, 'E_TUNE_RECOMPUTE')
    return true
  })
  const stop = new AbortController()
  const learning = learn({ ...away, signal: stop.signal })
  const refused = assert.rejects(learning, /enough/)
  // The asking side gives way twice before the worker is asked.
  for (let i = 0; i < 4; i++) await turn()
  stop.abort(new Error('enough'))
  await refused
})

test('prompts that end at an output of the model leave its shape as it was', async () => {
  const blip = fixtureModel('blip-vision')
  const pixels: RunTensor = {
    type: 'float32',
    dims: [2, 3, 32, 32],
    data: Float32Array.from({ length: 6144 }, (_, i) => Math.sin(i)),
  }
  // Without the last norm, the last layer itself is what the model gives.
  const prepared = await prepare(blip, { pixel_values: pixels.dims }, here)
  const site = locate(prepared.model.graph, prepared.shapes).at(-1)! // BLIP has two
  const last = layerOutput(prepared.model.graph, site)
  const bare = withGraph(prepared.model, withOutputs(prepared.model.graph, [last], prepared.shapes))
  const prompted = await inject(
    { ...prepared, model: bare },
    { kind: 'through', count: 4 },
    2,
    here,
  )
  await using session = await openSession(prompted.model, here)
  const prompt: RunTensor = {
    type: 'float32',
    dims: [1, 4, 16],
    data: new Float32Array(64).fill(0.3),
  }
  const results = await session.run({ pixel_values: pixels, prompt })
  assert.deepEqual(results[last]?.dims, prepared.shapes.get(last)?.dims)
})

test('late prompts learn the same whether the frozen part is computed once or at every step', async () => {
  const late: Injection = { kind: 'layers', layers: -2, count: 3, from: 'pixel_values' }
  const [cut, whole] = [
    await learn({ cutPrefix: true }, late),
    await learn({ cutPrefix: false }, late),
  ]
  cut.curve.forEach((v, i) => assert.ok(Math.abs(v - (whole.curve[i] ?? NaN)) < 1e-4))
})

test('the last row alone, all rows, and tokens learn the same', async () => {
  const forms: Injection[] = [
    { ...injection, lastRow: true } as Injection,
    { ...injection, lastRow: false } as Injection,
    { ...injection, form: 'tokens' } as Injection,
  ]
  const [first, ...others] = await Promise.all(forms.map((form) => learn({}, form)))
  for (const other of others) {
    other.curve.forEach((v, i) => assert.ok(Math.abs(v - (first?.curve[i] ?? NaN)) < 1e-3))
  }
})

test('layers computed again give the gradients that kept ones give, in every form', async () => {
  const forms: Injection[] = [injection, { kind: 'through', count: 3, from: 'pixel_values' }]
  for (const form of forms) {
    // One step of plain descent: what changes are the gradients themselves.
    const seen = [false, true].map((recompute) =>
      learn({ recompute, steps: 2, optimizer: sgd({ rate: 1 }) }, form),
    )
    const [kept, again] = await Promise.all(seen)
    assert.deepEqual(again?.curve.length, 2)
    for (const [name, { data }] of Object.entries(kept?.prompts ?? {})) {
      const other = again?.prompts[name]?.data as Float32Array
      assert.ok(relativeError(other, data as Float32Array) < 1e-5, `${form.kind}, ${name}`)
    }
  }
  const last: Injection = { kind: 'layers', layers: -1, count: 3, from: 'pixel_values' }
  await assert.rejects(learn({ recompute: true, steps: 1 }, last), { code: 'E_TUNE_RECOMPUTE' })
})

test('prompts in the last block, of which one row is read, agree in every form', async () => {
  const last: Injection = { kind: 'layers', layers: -1, count: 3, from: 'pixel_values' }
  const thin = await learn({}, last)
  const full = await learn({}, { ...last, lastRow: false } as Injection)
  thin.curve.forEach((v, i) => assert.ok(Math.abs(v - (full.curve[i] ?? NaN)) < 1e-4))
})

test('the frozen part is taken from the cache the second time, by model, edit and picture', async () => {
  const late: Injection = { kind: 'layers', layers: -2, count: 3, from: 'pixel_values' }
  const kept = new Map<string, RunTensors>()
  const asked: string[] = []
  const cache = {
    get: async (key: string) => {
      asked.push(key)
      return kept.get(key)
    },
    set: async (key: string, values: RunTensors) => void kept.set(key, values),
  }
  const first = await learn({ cache }, late)
  const second = await learn({ cache }, late)
  assert.deepEqual(second, first)
  assert.equal(kept.size, 1)
  assert.deepEqual(asked, [asked[0], asked[0]])
})

test('pictures side by side learn what each would learn alone', async () => {
  const each: Injection = { ...injection, each: true } as Injection
  const together = await learn({ steps: 5 }, each)
  const picture = fixture.inputs['pixel_values'] as RunTensor
  const size = picture.data.length / 2
  for (let i = 0; i < 2; i++) {
    const pixels: RunTensor = {
      type: 'float32',
      dims: [1, ...picture.dims.slice(1)],
      data: (picture.data as Float32Array).slice(i * size, (i + 1) * size),
    }
    const label: RunTensor = {
      type: 'int64',
      dims: [1],
      data: (target.data as BigInt64Array).slice(i, i + 1),
    }
    const start = Object.fromEntries(
      Object.entries((await learn({ steps: 0 }, each)).prompts).map(([name, { data }]) => {
        const block = data.length / 2
        return [name, (data as Float32Array).slice(i * block, (i + 1) * block)]
      }),
    )
    const alone = await tune(
      fixture.model,
      each,
      { fixed: { pixel_values: pixels, text: extra.text, target: label } },
      { ...loss, inputs: [loss.inputs[0]!, { name: 'target', type: 'int64', dims: [1] }] }, // text comes first
      { batch: 1, steps: 5, optimizer: adam({ rate: 3e-2, epsilon: 1e-12 }), start, session: here },
    )
    for (const [name, { data }] of Object.entries(alone.prompts)) {
      const both = together.prompts[name]?.data as Float32Array
      const block = both.length / 2
      ;[...(data as Float32Array)].forEach((v, k) => {
        assert.ok(Math.abs(v - (both[i * block + k] ?? NaN)) < 2e-3, `picture ${i}, ${name}[${k}]`)
      })
    }
  }
})

test('a picture that is done keeps its prompts while the other goes on', async () => {
  const each: Injection = { ...injection, each: true } as Injection
  const seen: number[][] = []
  const result = await learn(
    {
      steps: 6,
      stop: ({ step, prompts }) => {
        seen.push([...(prompts['prompt_0'] ?? [])])
        return [step >= 2, false]
      },
    },
    each,
  )
  const last = [...(result.prompts['prompt_0']?.data as Float32Array)]
  const half = last.length / 2
  assert.deepEqual(last.slice(0, half), seen[2]?.slice(0, half))
  assert.notDeepEqual(last.slice(half), seen[2]?.slice(half))
})

test('it ends when told to, with the prompts that gave the last loss', async () => {
  const notes: ProgressNote[] = []
  const result = await learn({
    stop: ({ step }) => step === 3,
    progress: (note) => notes.push(note),
  })
  assert.equal(result.ended, 'stopped')
  assert.equal(result.curve.length, 4)
  const again = await learn({
    start: Object.fromEntries(
      Object.entries(result.prompts).map(([k, v]) => [k, v.data as Float32Array]),
    ),
    steps: 1,
  })
  assert.equal(again.curve[0], result.curve[3])
  assert.deepEqual(
    notes.map(({ status }) => status),
    ['start', ...Array<string>(4).fill('progress'), 'done'],
  )
})

test('what changes from step to step is drawn from a generator of its own', async () => {
  const draws: number[] = []
  const run = (): Promise<TuneResult> =>
    tune(
      fixture.model,
      injection,
      {
        fixed: { ...fixture.inputs, text: extra.text },
        changing: ['target'],
        each: ({ random, outputs }) => {
          const pick = random.below(5)
          draws.push(pick, Object.keys(outputs).length)
          return { target: { type: 'int64', dims: [2], data: BigInt64Array.of(BigInt(pick), 0n) } }
        },
      },
      loss,
      { batch: 2, steps: 4, seed: 2, outputs: ['image_embeds'], session: here },
    )
  const [one, two] = [await run(), await run()]
  assert.deepEqual(one.curve, two.curve)
  assert.deepEqual(draws.slice(0, 8), draws.slice(8))
  assert.deepEqual([draws[1], draws[3]], [0, 1])
})

test('a signal stops it with its own reason', async () => {
  const stop = new AbortController()
  const reason = new Error('closed')
  await assert.rejects(
    learn({ signal: stop.signal, stop: () => (stop.abort(reason), false) }),
    reason,
  )
})

test('a loss that is no number stops it, naming the step', async () => {
  const wild: Optimizer = {
    init: () => null,
    update: (g) => [
      Object.fromEntries(Object.entries(g).map(([k, v]) => [k, v.map(() => NaN)])),
      null,
    ],
  }
  await assert.rejects(learn({ optimizer: wild }), {
    code: 'E_TUNE_NOT_FINITE',
    message: /^At step 1 the loss is NaN\.$/,
  })
})

test('numbers of layers that the model has not are refused, with what was found', async () => {
  await assert.rejects(
    learn({}, { ...injection, layers: 9 } as Injection),
    /Expected 1 to 4 layers for layers but got 9/,
  )
  await assert.rejects(learn({}, { ...injection, expect: 12 } as Injection), {
    code: 'E_PROMPT_LAYERS',
    message: 'Expected 12 layers but found 4.',
  })
  await assert.rejects(learn({}, { kind: 'states', count: 2 }), { code: 'E_PROMPT_LAYERS' })
  await assert.rejects(learn({}, { kind: 'vectors', ids: 'pixel_values', placeholders: [1] }), {
    code: 'E_PROMPT_TABLE',
  })
})
