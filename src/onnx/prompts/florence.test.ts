import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import { relativeError } from '../grad/check-gradient.ts'
import { gradient } from '../grad/gradient.ts'
import { languageModel } from '../grad/losses/classify.ts'
import type { Model } from '../graph.ts'
import { withGraph } from '../graph.ts'
import { prepare } from '../lower/prepare.ts'
import { openSession } from '../open-session.ts'
import { adam } from '../optim/adam.ts'
import type { RunTensor, RunTensors } from '../session.ts'
import { inferShapes } from '../shapes.ts'
import { fixtureModel, readGolden } from './fixture.ts'
import type { Injection } from './inject.ts'
import { inject } from './inject.ts'
import { openPrompted } from './prompted.ts'
import { tune } from './tune.ts'

const here = { thread: 'here', threads: 1 } as const
const golden = readGolden('florence2')
const states: Injection = { kind: 'states', count: 4 }

const decoderFeeds: RunTensors = {
  input_ids: golden.tensor('ids'),
  encoder_hidden_states: golden.tensor('states'),
  encoder_attention_mask: golden.tensor('mask'),
}
const lossFeeds: RunTensors = { labels: golden.tensor('ids'), weights: golden.tensor('weights') }
const loss = (b: Builder): string => languageModel(b, 'logits', 'labels', { weights: 'weights' })
const lossInputs = Object.entries(lossFeeds).map(([name, { type, dims }]) => ({ name, type, dims }))
const dimsOf = (feeds: RunTensors): Record<string, readonly number[]> =>
  Object.fromEntries(Object.entries(feeds).map(([name, { dims }]) => [name, dims]))

/** A model with what is said of it, differentiated by one of its inputs and run. */
async function differentiated(
  model: Model,
  feeds: RunTensors,
  wrt: string,
  build: (b: Builder) => string,
  extra: RunTensors,
  output: string,
): Promise<{ loss: number; gradient: RunTensor; output: RunTensor }> {
  const b = builder(model.graph, { prefix: 'loss' })
  for (const [name, { type, dims }] of Object.entries(extra)) b.input(name, type, dims)
  const end = build(b)
  const full = withGraph(model, b.graph())
  const shapes = await inferShapes(full, here)
  const made = gradient(full.graph, { loss: end, wrt: [wrt], shapes, outputs: [output] })
  await using session = await openSession(withGraph(full, made.graph), here)
  const known = new Set(session.inputs.map(({ name }) => name))
  const given = Object.entries({ ...feeds, ...extra }).filter(([name]) => known.has(name))
  const results = await session.run(Object.fromEntries(given))
  return {
    loss: Number(results[end]?.data[0]),
    gradient: results[made.gradients[wrt] ?? ''] as RunTensor,
    output: results[output] as RunTensor,
  }
}

/** What the output and a gradient from behind have in common: its gradient is the chain rule. */
const common =
  (output: string) =>
  (b: Builder): string =>
    b.op('ReduceSum', [b.op('Mul', [output, 'upstream'])], { keepdims: 0 })

function near(got: RunTensor, path: string, what: string): void {
  const error = relativeError(got.data as Float32Array, golden.tensor(path).data as Float32Array)
  assert.ok(error < 1e-4, `${what} is off by ${error}`)
}

test('the loss on words reaches the pixels through decoder, encoder and DaViT, run one after another', async () => {
  const decoder = (await prepare(fixtureModel('florence2-decoder'), dimsOf(decoderFeeds), here))
    .model
  const said = await differentiated(
    decoder,
    decoderFeeds,
    'encoder_hidden_states',
    loss,
    lossFeeds,
    'logits',
  )
  assert.ok(Math.abs(said.loss - golden.number('plain_loss')) < 1e-4, `the loss is ${said.loss}`)
  near(said.gradient, 'gradients.states', 'the gradient of the states')

  const read = { inputs_embeds: golden.tensor('embeds'), attention_mask: golden.tensor('mask') }
  const encoder = (await prepare(fixtureModel('florence2-encoder'), dimsOf(read), here)).model
  const encoded = await differentiated(
    encoder,
    read,
    'inputs_embeds',
    common('last_hidden_state'),
    { upstream: said.gradient },
    'last_hidden_state',
  )
  near(encoded.output, 'states', 'the states')
  near(encoded.gradient, 'gradients.embeds', 'the gradient of the embeddings')

  // The rows of the picture lie in front of the words.
  const rows = golden.tensor('rows')
  const [batch = 1, count = 1, width = 1] = rows.dims
  const whole = encoded.gradient.dims[1] ?? 1
  const upstream = new Float32Array(batch * count * width)
  for (let n = 0; n < batch; n++) {
    const from = n * whole * width
    const own = (encoded.gradient.data as Float32Array).subarray(from, from + count * width)
    upstream.set(own, n * count * width)
  }
  const pixels = { pixel_values: golden.tensor('pixels') }
  const vision = (await prepare(fixtureModel('florence2-vision'), dimsOf(pixels), here)).model
  const seen = await differentiated(
    vision,
    pixels,
    'pixel_values',
    common('image_features'),
    { upstream: { type: 'float32', dims: rows.dims, data: upstream } },
    'image_features',
  )
  near(seen.output, 'rows', 'the rows of the picture')
  near(seen.gradient, 'gradients.pixels', 'the gradient of the pixels')
})

test('states beside what the decoder of Florence-2 reads have the gradient that PyTorch recorded', async () => {
  const prepared = await prepare(fixtureModel('florence2-decoder'), dimsOf(decoderFeeds), here)
  const { model } = await inject(prepared, states, 2, here)
  const prompts = golden.tensor('prompts')
  const prompt = { ...prompts, dims: [1, ...prompts.dims] }
  const feeds = { ...decoderFeeds, prompt }
  const got = await differentiated(model, feeds, 'prompt', loss, lossFeeds, 'logits')
  assert.ok(Math.abs(got.loss - golden.number('loss')) < 1e-4, `the loss is ${got.loss}`)
  near(got.output, 'logits', 'the logits')
  near(got.gradient, 'gradients.prompts', 'the gradient of the prompts')
})

test('Florence-2 learns an answer in 100 steps; without prompts it gives the plain bits', async () => {
  const model = fixtureModel('florence2-decoder')
  const result = await tune(
    model,
    states,
    { fixed: { ...decoderFeeds, ...lossFeeds } },
    { inputs: lossInputs, build: loss },
    { batch: 2, steps: 100, optimizer: adam({ rate: 3e-2 }), session: here, seed: 1 },
  )
  const [first = 0, last = Infinity] = [result.curve[0], result.curve.at(-1)]
  assert.equal(result.curve.length, 100)
  assert.ok(last < 0.9 * first, `from ${first} to ${last}`)
  await using prompted = await openPrompted(model, states, {
    batch: 2,
    sizes: dimsOf(decoderFeeds),
    session: here,
  })
  await using untouched = await openSession(model, here)
  const plain = await untouched.run(decoderFeeds)
  const zero = {
    prompt: { type: 'float32', dims: [1, 4, 16], data: new Float32Array(64) },
  } as const
  assert.deepEqual(await prompted.run(decoderFeeds), plain)
  assert.deepEqual(await prompted.run(decoderFeeds, zero), plain)
  assert.notDeepEqual(await prompted.run(decoderFeeds, result.prompts), plain)
})

test('the table of words gives what PyTorch put behind the picture', async () => {
  const words = golden.tensor('words')
  await using session = await openSession(fixtureModel('florence2-embed'), here)
  const { inputs_embeds } = await session.run({ input_ids: words })
  const embeds = golden.tensor('embeds')
  const [batch = 1, all = 1, width = 1] = embeds.dims
  const [, count = 1] = words.dims
  const behind = Array.from({ length: batch }, (_, n) => [
    ...(embeds.data as Float32Array).subarray(
      ((n + 1) * all - count) * width,
      (n + 1) * all * width,
    ),
  ]).flat()
  assert.ok(relativeError(inputs_embeds?.data as Float32Array, behind) < 1e-6)
})
