import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import { relativeError } from '../grad/check-gradient.ts'
import { gradient } from '../grad/gradient.ts'
import { contrastive, languageModel } from '../grad/losses/classify.ts'
import { meanSquare } from '../grad/losses/denoise.ts'
import { boxGiou, boxL1, corners, focal, rowsAt } from '../grad/losses/detect.ts'
import { maskLoss } from '../grad/losses/mask.ts'
import { sumOf, times } from '../grad/losses/reduce.ts'
import { withGraph } from '../graph.ts'
import { prepare } from '../lower/prepare.ts'
import { openSession } from '../open-session.ts'
import { adam } from '../optim/adam.ts'
import type { RunTensor, RunTensors } from '../session.ts'
import { inferShapes } from '../shapes.ts'
import type { Fixture } from './fixture.ts'
import { readFixture } from './fixture.ts'
import type { Injection } from './inject.ts'
import { inject } from './inject.ts'
import { openPrompted } from './prompted.ts'
import { tune } from './tune.ts'

const here = { thread: 'here', threads: 1 } as const

interface Case {
  readonly name: string
  readonly batch: number
  readonly injections: readonly Injection[]
  /** What the loss reads beside the model, as recorded. */
  readonly extra: (fixture: Fixture) => RunTensors
  readonly loss: (b: Builder, fixture: Fixture) => string
  readonly rate?: number
}

const layers = (count: number, size: number, rest: object = {}): Injection[] =>
  (['key-value', 'tokens'] as const).map((form) => ({
    kind: 'layers',
    layers: count,
    count: size,
    form,
    from: 'pixel_values',
    ...rest,
  }))

const overText =
  (output: string) =>
  (b: Builder, fixture: Fixture): string =>
    contrastive(b, output, 'text', 'target', { scale: fixture.number('scale') })

const textAndTarget = (fixture: Fixture): RunTensors => ({
  text: fixture.tensor('text'),
  target: fixture.tensor('target'),
})

const detection = (b: Builder): string => {
  const found = rowsAt(b, 'pred_boxes', 'query')
  // PyTorch's sums are over four matches: means over them for boxes, the sum over four for logits.
  return sumOf(b, [
    [focal(b, 'logits', 'onehot', { alpha: 0.3, divisor: b.scalar(4) }), 1],
    [boxL1(b, found, 'boxes'), 1],
    [boxGiou(b, corners(b, found), corners(b, 'boxes')), 1],
  ])
}

const detectionExtra = (fixture: Fixture): RunTensors => ({
  query: fixture.tensor('query'),
  boxes: fixture.tensor('boxes'),
  onehot: fixture.tensor('onehot'),
})

const floats = (tensor: RunTensor): RunTensor => ({
  type: 'float32',
  dims: tensor.dims,
  data: Float32Array.from(tensor.data as Iterable<number>, Number),
})

const cases: readonly Case[] = [
  {
    name: 'clip-vision',
    batch: 2,
    injections: layers(3, 4, { expect: 4 }),
    extra: textAndTarget,
    loss: overText('image_embeds'),
  },
  {
    name: 'siglip-vision',
    batch: 2,
    injections: layers(2, 4),
    extra: textAndTarget,
    loss: overText('pooler_output'),
  },
  {
    name: 'clip-text',
    batch: 2,
    injections: [{ kind: 'vectors', ids: 'input_ids', placeholders: [9] }],
    extra: textAndTarget,
    loss: overText('text_embeds'),
  },
  ...['owlvit', 'owlv2'].map((name): Case => ({
    name,
    batch: 2,
    injections: [{ kind: 'through', count: 4, from: 'pixel_values' }],
    extra: detectionExtra,
    loss: detection,
  })),
  {
    name: 'blip-answer',
    batch: 2,
    injections: [{ kind: 'states', count: 4 }],
    extra: (fixture) => ({
      labels: fixture.inputs['input_ids'] as RunTensor,
      weights: floats(fixture.inputs['attention_mask'] as RunTensor),
    }),
    loss: (b) => languageModel(b, 'logits', 'labels', { weights: 'weights' }),
  },
  {
    name: 'florence-decoder',
    batch: 2,
    injections: [{ kind: 'states', count: 4 }],
    extra: (fixture) => ({
      labels: fixture.inputs['input_ids'] as RunTensor,
      weights: fixture.tensor('weights'),
    }),
    loss: (b) => languageModel(b, 'logits', 'labels', { weights: 'weights' }),
  },
  {
    name: 'qwen-decoder',
    batch: 2,
    injections: [{ kind: 'layers', layers: 2, count: 3 }],
    extra: (fixture) => ({ labels: fixture.tensor('labels'), weights: fixture.tensor('weights') }),
    loss: (b) => languageModel(b, 'logits', 'labels', { weights: 'weights' }),
  },
  {
    name: 'maskformer',
    batch: 1,
    injections: [{ kind: 'rows', count: 4 }],
    extra: (fixture) => ({ mask: fixture.tensor('target') }),
    loss: (b, fixture) => {
      const query = b.constant([fixture.number('query')], [], 'int64')
      return maskLoss(b, b.op('Gather', ['masks_queries_logits', query], { axis: 1 }), 'mask')
    },
  },
]

/** The recorded prompts as the injection's inputs take them. */
function recorded(
  fixture: Fixture,
  names: readonly string[],
  vector: boolean,
): Record<string, RunTensor> {
  const all = fixture.tensor(vector ? 'vector' : 'prompts')
  const data = all.data as Float32Array
  const block = data.length / names.length
  const width = all.dims.at(-1) ?? 1
  return Object.fromEntries(
    names.map((name, i) => [
      name,
      {
        type: 'float32',
        dims: [1, block / width, width],
        data: data.slice(i * block, (i + 1) * block),
      },
    ]),
  )
}

function sizesOf(fixture: Fixture): Record<string, readonly number[]> {
  return Object.fromEntries(Object.entries(fixture.inputs).map(([name, { dims }]) => [name, dims]))
}

for (const one of cases) {
  describe(`a prompt in ${one.name}`, () => {
    for (const injection of one.injections) {
      const title = 'form' in injection ? `${injection.kind} as ${injection.form}` : injection.kind

      test(`has the gradient that PyTorch recorded (${title})`, async () => {
        const fixture = readFixture(one.name)
        const prepared = await prepare(fixture.model, sizesOf(fixture), here)
        const prompted = await inject(prepared, injection, one.batch, here)
        const extra = one.extra(fixture)
        const b = builder(prompted.model.graph, { prefix: 'loss' })
        for (const [name, { type, dims }] of Object.entries(extra)) b.input(name, type, dims)
        const loss = one.loss(b, fixture)
        const full = withGraph(prompted.model, b.graph())
        const names = prompted.prompts.map(({ name }) => name)
        const made = gradient(full.graph, {
          loss,
          wrt: names,
          shapes: await inferShapes(full, here),
        })
        await using session = await openSession(withGraph(full, made.graph), here)
        const feeds = {
          ...fixture.inputs,
          ...extra,
          ...recorded(fixture, names, injection.kind === 'vectors'),
        }
        const known = new Set(session.inputs.map(({ name }) => name))
        const results = await session.run(
          Object.fromEntries(Object.entries(feeds).filter(([name]) => known.has(name))),
        )
        const value = Number(results[loss]?.data[0])
        assert.ok(Math.abs(value - fixture.number('loss')) < 1e-4, `the loss is ${value}`)
        const got = names.flatMap((name) => [
          ...(results[made.gradients[name] ?? '']?.data as Float32Array),
        ])
        const error = relativeError(got, fixture.tensor('gradients').data as Float32Array)
        assert.ok(error < 1e-4, `the gradient is off by ${error}`)
      })

      test(`learns in 100 steps and leaves the plain model as it was (${title})`, async () => {
        const fixture = readFixture(one.name)
        const extra = one.extra(fixture)
        const result = await tune(
          fixture.model,
          injection,
          { fixed: { ...fixture.inputs, ...extra } },
          {
            inputs: Object.entries(extra).map(([name, { type, dims }]) => ({ name, type, dims })),
            build: (b) => one.loss(b, fixture),
          },
          { batch: one.batch, steps: 100, optimizer: adam({ rate: 3e-2 }), session: here, seed: 1 },
        )
        const [first = 0, last = Infinity] = [result.curve[0], result.curve.at(-1)]
        assert.equal(result.curve.length, 100)
        assert.ok(last < first - 0.02 * Math.abs(first), `from ${first} to ${last}`)

        await using prompted = await openPrompted(fixture.model, injection, {
          batch: one.batch,
          sizes: sizesOf(fixture),
          session: here,
        })
        assert.equal(prompted.key, result.key)
        await using untouched = await openSession(fixture.model, here)
        const used = new Set(untouched.inputs.map(({ name }) => name))
        const feeds = Object.fromEntries(
          Object.entries(fixture.inputs).filter(([name]) => used.has(name)),
        )
        const plain = await untouched.run(feeds)
        const zero = Object.fromEntries(
          Object.entries(result.prompts).map(([name, { type, dims, data }]) => [
            name,
            { type, dims, data: new Float32Array(data.length) },
          ]),
        )
        assert.deepEqual(await prompted.run(feeds), plain)
        assert.deepEqual(await prompted.run(feeds, zero), plain)
        const changed = await prompted.run(feeds, result.prompts)
        assert.deepEqual(Object.keys(changed).sort(), Object.keys(plain).sort())
        assert.notDeepEqual(changed, plain)
      })
    }
  })
}

test('the denoising loss reaches a text vector through UNet and text encoder, run one after another', async () => {
  const unet = readFixture('sd-unet')
  const ids = unet.tensor('ids')
  const noise = unet.tensor('noise')
  const text = readFixture('sd-unet')
  const preparedUnet = await prepare(unet.model, sizesOf(unet), here)
  const b = builder(preparedUnet.model.graph, { prefix: 'loss' })
  b.input('noise', 'float32', noise.dims)
  const loss = meanSquare(b, 'out_sample', 'noise')
  const full = withGraph(preparedUnet.model, b.graph())
  const weights = ['conv_in.weight', 'conv_in.bias', 'conv_norm_out.weight']
  const shapes = await inferShapes(full, here)
  const known = new Set(full.graph.initializers.map(({ name }) => name))
  const trained = weights.map((name) => `unet.${name}`).filter((name) => known.has(name))
  const wrt = ['encoder_hidden_states', ...trained]
  const made = gradient(full.graph, { loss, wrt, shapes })
  await using session = await openSession(withGraph(full, made.graph), here)
  const results = await session.run({ ...text.inputs, noise })
  assert.ok(Math.abs(Number(results[loss]?.data[0]) - unet.number('loss')) < 1e-4)
  for (const name of wrt) {
    const want = unet.tensor(`gradients.${name.replace('unet.', '')}`).data as Float32Array
    const error = relativeError(results[made.gradients[name] ?? '']?.data as Float32Array, want)
    assert.ok(error < 1e-4, `the gradient of ${name} is off by ${error}`)
  }
  assert.ok(trained.length >= 2, `weights found: ${trained.join(', ')}`)

  // The text encoder's step: the loss is what its states and the UNet's gradient have in common.
  const { fixtureModel } = await import('./fixture.ts')
  const encoder = await prepare(fixtureModel('sd-text-encoder'), { input_ids: ids.dims }, here)
  const edited = await inject(
    encoder,
    { kind: 'vectors', ids: 'input_ids', placeholders: [9] },
    2,
    here,
  )
  const w = builder(edited.model.graph, { prefix: 'loss' })
  const up = results[made.gradients['encoder_hidden_states'] ?? ''] as RunTensor
  w.input('upstream', 'float32', up.dims)
  const common = times(
    w,
    w.op('ReduceSum', [w.op('Mul', ['last_hidden_state', 'upstream'])], { keepdims: 0 }),
    1,
  )
  const whole = withGraph(edited.model, w.graph())
  const back = gradient(whole.graph, {
    loss: common,
    wrt: ['prompt'],
    shapes: await inferShapes(whole, here),
  })
  await using second = await openSession(withGraph(whole, back.graph), here)
  const vector = unet.tensor('vector')
  const grads = await second.run({
    input_ids: ids,
    upstream: up,
    prompt: { type: 'float32', dims: [1, 1, 16], data: vector.data },
  })
  const error = relativeError(
    grads[back.gradients['prompt'] ?? '']?.data as Float32Array,
    unet.tensor('gradients.vector').data as Float32Array,
  )
  assert.ok(error < 1e-4, `the gradient of the vector is off by ${error}`)
})

for (const [name, input, output] of [
  ['sd-vae-encoder', 'sample', 'latent_parameters'],
  ['sd-vae-decoder', 'latent_sample', 'sample'],
] as const) {
  test(`${name} is differentiated by its input as PyTorch does`, async () => {
    const fixture = readFixture(name)
    const prepared = await prepare(fixture.model, sizesOf(fixture), here)
    const b = builder(prepared.model.graph, { prefix: 'loss' })
    const loss = b.op('ReduceMean', [b.op('Mul', [output, output])], { keepdims: 0 })
    const full = withGraph(prepared.model, b.graph())
    const made = gradient(full.graph, {
      loss,
      wrt: [input],
      shapes: await inferShapes(full, here),
      outputs: [output],
    })
    await using session = await openSession(withGraph(full, made.graph), here)
    const results = await session.run(fixture.inputs)
    const forward = relativeError(
      results[output]?.data as Float32Array,
      fixture.tensor(output).data as Float32Array,
    )
    assert.ok(forward < 1e-4, `the output is off by ${forward}`)
    const error = relativeError(
      results[made.gradients[input] ?? '']?.data as Float32Array,
      fixture.tensor(`gradients.${input}`).data as Float32Array,
    )
    assert.ok(error < 1e-4, `the gradient is off by ${error}`)
  })
}

test('further states of a UNet as keys and values give what longer states give', async () => {
  const fixture = readFixture('sd-unet')
  const states = fixture.inputs['encoder_hidden_states'] as RunTensor
  const [batch = 1, tokens = 1, width = 1] = states.dims
  const more = 3
  const rows = Float32Array.from({ length: more * width }, (_, i) => Math.sin(3 * i))
  const joined = new Float32Array(batch * (tokens + more) * width)
  for (let n = 0; n < batch; n++) {
    const own = (states.data as Float32Array).subarray(n * tokens * width, (n + 1) * tokens * width)
    joined.set(own, n * (tokens + more) * width)
    joined.set(rows, (n * (tokens + more) + tokens) * width)
  }
  await using plain = await openSession(fixture.model, here)
  const want = await plain.run({
    ...fixture.inputs,
    encoder_hidden_states: { ...states, dims: [batch, tokens + more, width], data: joined },
  })
  const prepared = await prepare(fixture.model, sizesOf(fixture), here)
  const prompted = await inject(prepared, { kind: 'states', count: more }, batch, here)
  await using session = await openSession(prompted.model, here)
  const got = await session.run({
    ...fixture.inputs,
    prompt: { type: 'float32', dims: [1, more, width], data: rows },
  })
  const error = relativeError(
    got['out_sample']?.data as Float32Array,
    want['out_sample']?.data as Float32Array,
  )
  assert.ok(error < 1e-5, `the sample is off by ${error}`)
})
