import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { liftOpset } from './edit/opset.ts'
import type { Dim, Model } from './graph.ts'
import { withGraph } from './graph.ts'
import { openSession } from './open-session.ts'
import { readModel } from './read-model.ts'
import type { RunTensor, RunTensors } from './session.ts'
import { SessionHost } from './session-host.ts'
import { inferShapes, specialise } from './shapes.ts'
import { checkModel, shapeProblemsOf } from './verify.ts'
import { writeModel } from './write-model.ts'

/** Small exports with the real structure of CLIP, OWL-ViT, BLIP, Florence, Stable Diffusion and others. */
const folder = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'onnx')
const files = readdirSync(folder).filter((name) => /\.onnx(\.gz)?$/.test(name))

const host = new SessionHost()
after(() => host.close())
const options = { thread: host }

function bytesOf(file: string): Uint8Array {
  const bytes = readFileSync(join(folder, file))
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

/** Sizes for the free ones: one picture or text, everything else as small as the models take it. */
function sizesOf(model: Model): Readonly<Record<string, readonly number[]>> {
  const size = (dim: Dim): number =>
    typeof dim === 'number' ? dim : /batch|steps/i.test(dim ?? '') ? 1 : 8
  return Object.fromEntries(
    model.graph.inputs.map(({ name, shape }) => [name, (shape ?? []).map(size)]),
  )
}

function feedsOf(model: Model): RunTensors {
  return Object.fromEntries(
    model.graph.inputs.map(({ name, type = 'float32', shape = [] }): [string, RunTensor] => {
      const dims = shape as readonly number[]
      const count = dims.reduce((a, b) => a * b, 1)
      return type === 'int64'
        ? [name, { type, dims, data: BigInt64Array.from({ length: count }, () => 1n) }]
        : [
            name,
            {
              type: 'float32',
              dims,
              data: Float32Array.from({ length: count }, (_, i) => Math.sin(i)),
            },
          ]
    }),
  )
}

test('there are fixtures', () => assert.ok(files.length > 10))

for (const file of files) {
  describe(file, () => {
    const bytes = bytesOf(file)

    test('is sound, and comes back byte for byte', () => {
      assert.equal(Buffer.compare(writeModel(checkModel(readModel(bytes))), bytes), 0)
    })

    test('keeps its results when it is lifted and specialised, with the shapes that it declares', async () => {
      const model = readModel(bytes)
      const lifted = withGraph(model, liftOpset(model.graph, 17))
      const { model: special, shapes } = await specialise(lifted, sizesOf(lifted), options)
      assert.deepEqual(shapeProblemsOf(special.graph, shapes), [])
      assert.equal((await inferShapes(special, options)).size, shapes.size)
      const feeds = feedsOf(special)
      await using before = await openSession(model, { ...options, level: 'disabled' })
      await using behind = await openSession(special, { ...options, level: 'disabled' })
      const [expected, found] = [await before.run(feeds), await behind.run(feeds)]
      for (const [name, { dims, data }] of Object.entries(expected)) {
        assert.deepEqual(found[name]?.dims, dims)
        for (let i = 0; i < data.length; i++) {
          const a: number = Number(data[i])
          const b: number = Number(found[name]?.data[i])
          if (!(Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a))) && !Object.is(a, b)) {
            assert.fail(`${name}[${i}] is ${b} instead of ${a}`)
          }
        }
      }
    })
  })
}
