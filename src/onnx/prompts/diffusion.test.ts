import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meanSquare } from '../grad/losses/denoise.ts'
import type { Model } from '../graph.ts'
import { openSession } from '../open-session.ts'
import { adam } from '../optim/adam.ts'
import type { RunTensor, RunTensors } from '../session.ts'
import { fixtureModel, readFixture } from './fixture.ts'
import type { Injection } from './inject.ts'
import { openPrompted } from './prompted.ts'
import { tune } from './tune.ts'

const here = { thread: 'here', threads: 1 } as const

const unet = readFixture('sd-unet')

interface Part {
  readonly name: string
  readonly model: Model
  readonly feeds: RunTensors
  readonly injection: Injection
  /** What the loss compares with the target. */
  readonly output: string
  readonly target: (plain: RunTensor) => RunTensor
}

const parts: readonly Part[] = [
  {
    name: 'the UNet',
    model: unet.model,
    feeds: unet.inputs,
    injection: { kind: 'states', count: 4 },
    output: 'out_sample',
    target: () => unet.tensor('noise'),
  },
  {
    name: 'the text encoder',
    model: fixtureModel('sd-text-encoder'),
    feeds: { input_ids: unet.tensor('ids') },
    injection: { kind: 'vectors', ids: 'input_ids', placeholders: [9] },
    output: 'last_hidden_state',
    target: ({ dims, data }) => ({
      type: 'float32',
      dims,
      data: Float32Array.from(data as Float32Array, (v, i) => v + 0.3 * Math.sin(i)),
    }),
  },
]

for (const { name, model, feeds, injection, output, target: targetFor } of parts) {
  test(`${name} learns in 100 steps; without a prompt it gives the plain model's bits`, async () => {
    await using untouched = await openSession(model, here)
    const plain = await untouched.run(feeds)
    const before = plain[output]
    assert.ok(before !== undefined)
    const target = targetFor(before)
    const result = await tune(
      model,
      injection,
      { fixed: { ...feeds, target } },
      {
        inputs: [{ name: 'target', type: 'float32', dims: target.dims }],
        build: (b) => meanSquare(b, output, 'target'),
      },
      { batch: 2, steps: 100, optimizer: adam({ rate: 3e-2 }), session: here, seed: 1 },
    )
    const [first = 0, last = Infinity] = [result.curve[0], result.curve.at(-1)]
    assert.equal(result.curve.length, 100)
    assert.ok(last < 0.999 * first, `from ${first} to ${last}`)

    await using prompted = await openPrompted(model, injection, {
      batch: 2,
      sizes: Object.fromEntries(Object.entries(feeds).map(([key, { dims }]) => [key, dims])),
      session: here,
    })
    assert.deepEqual(await prompted.run(feeds), plain)
    const zero = Object.fromEntries(
      Object.entries(result.prompts).map(([key, prompt]) => [
        key,
        { ...prompt, data: new Float32Array(prompt.data.length) },
      ]),
    )
    assert.deepEqual(await prompted.run(feeds, zero), plain)
    assert.notDeepEqual(await prompted.run(feeds, result.prompts), plain)
  })
}
