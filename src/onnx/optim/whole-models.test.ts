import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builder } from '../builder.ts'
import { meanSquare } from '../grad/losses/denoise.ts'
import { withGraph } from '../graph.ts'
import { prepare } from '../lower/prepare.ts'
import { openSession } from '../open-session.ts'
import type { RunTensors } from '../session.ts'
import { fixtureModel, readGolden } from '../prompts/fixture.ts'
import { train } from './train.ts'

const here = { thread: 'here', threads: 1 } as const

/** Exported models into which no prompt goes: their own weights are trained. */
const models: readonly { name: string; feeds: RunTensors; output: string }[] = [
  {
    name: 'sd-vae-encoder',
    feeds: { sample: readGolden('sd-vae-encoder').inputs['sample']! }, // recorded
    output: 'latent_parameters',
  },
  {
    name: 'sd-vae-decoder',
    feeds: { latent_sample: readGolden('sd-vae-decoder').inputs['latent_sample']! }, // recorded
    output: 'sample',
  },
  {
    name: 'florence2-vision',
    feeds: { pixel_values: readGolden('florence2').tensor('pixels') },
    output: 'image_features',
  },
]

for (const { name, feeds, output } of models) {
  test(`the weights of ${name} learn in 100 steps, and the file's own are left as they were`, async () => {
    const model = fixtureModel(name)
    await using untouched = await openSession(model, here)
    const plain = await untouched.run(feeds)
    const before = plain[output]
    assert.ok(before !== undefined)
    // Something near what the model gives, but not in its reach by chance.
    const data = Float32Array.from(
      before.data as Float32Array,
      (v, i) => 0.8 * v + 0.3 * Math.sin(i),
    )
    const target = { type: 'float32', dims: before.dims, data } as const
    const sizes = Object.fromEntries(Object.entries(feeds).map(([key, { dims }]) => [key, dims]))
    const prepared = await prepare(model, sizes, here)
    const b = builder(prepared.model.graph, { prefix: 'loss' })
    b.input('target', 'float32', target.dims)
    const loss = meanSquare(b, output, 'target')
    const whole = withGraph(prepared.model, b.graph())
    const weights = model.graph.initializers
      .filter(({ type, dims }) => type === 'float32' && dims.length > 1)
      .map(({ name: weight }) => weight)
    const kept = new Set(whole.graph.initializers.map((tensor) => tensor.name))
    const { curve, model: trained } = await train(whole, {
      loss,
      weights: weights.filter((weight) => kept.has(weight)),
      optimizer: { kind: 'adam' },
      rate: 3e-3,
      steps: 100,
      batch: () => ({ ...feeds, target }),
      session: here,
    })
    const [first = 0, last = Infinity] = [curve[0], curve.at(-1)]
    assert.equal(curve.length, 100)
    assert.ok(last < 0.7 * first, `from ${first} to ${last}`)
    await using learnt = await openSession(trained, here)
    const after = (await learnt.run({ ...feeds, target }))[output]?.data as Float32Array
    const square = after.reduce((sum, v, i) => sum + (v - (data[i] ?? 0)) ** 2, 0) / data.length
    assert.ok(square < 0.7 * first, `the trained model is off by ${square}, at first ${first}`)
    assert.deepEqual(await untouched.run(feeds), plain)
  })
}
