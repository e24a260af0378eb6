import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { embed, learn } from '../../../examples/onnx-prompt.ts'
import type { RunTensor } from '../session.ts'
import { readFixture } from './fixture.ts'

const root = join(import.meta.dirname, '../../..')
const path = join(root, 'test/fixtures/onnx/clip-vision.onnx')

test('the worked example learns, and without prompts gives the plain embeddings', async () => {
  const fixture = readFixture('clip-vision')
  const pictures = fixture.inputs['pixel_values'] as RunTensor
  const names = fixture.tensor('text')
  const labels = fixture.tensor('target')
  const result = await learn(path, { pictures, names, labels })
  assert.ok((result.curve.at(-1) ?? 9) < 0.5 * (result.curve[0] ?? 0))

  const [plain, prompted] = [
    await embed(path, pictures),
    await embed(path, pictures, result.prompts),
  ]
  const recorded = fixture.tensor('plain').data as Float32Array
  ;[...(plain.data as Float32Array)].forEach((v, i) =>
    assert.ok(Math.abs(v - (recorded[i] ?? NaN)) < 1e-4),
  )
  assert.notDeepEqual(prompted.data, plain.data)
})

test('the documentation shows the example as it is', () => {
  const example = readFileSync(join(root, 'examples/onnx-prompt.ts'), 'utf8')
  const shown = readFileSync(join(root, 'docs/onnx-learning.md'), 'utf8')
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(shown) ?? []
  assert.ok(
    code.length > 500 && example.includes(code),
    'copy the functions from examples/onnx-prompt.ts',
  )
})
