import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openSession } from '../../onnx/index.ts'
import { commandLine, documentOf } from '../../../test/e2e/command-line.ts'

const pupil = commandLine('onnx')
after(() => pupil.remove())
const model = fileURLToPath(
  new URL('../../../test/fixtures/onnx/clip-vision.onnx', import.meta.url),
)
const SIZE = ['--size', 'pixel_values=1x3x32x32']

test('onnx show says what a model is, and prints its nodes when asked', async () => {
  const plain = await pupil(['onnx', 'show', model])
  assert.equal(plain.code, 0)
  assert.match(plain.out, /^input +pixel_values: float32\[batch_size, 3, 32, 32\]$/m)
  assert.match(plain.out, /^weights +12512 in 72 tensors/m)
  assert.doesNotMatch(plain.out, / = MatMul\(/)
  assert.match((await pupil(['onnx', 'show', model, '--text'])).out, / = MatMul\(/)
  const document = documentOf<{ nodes: number; inputs: { name: string }[] }>(
    await pupil(['onnx', 'show', model, '--json']),
  )
  assert.deepEqual([document.nodes, document.inputs[0]?.name], [525, 'pixel_values'])
})

test('onnx check finds nothing in a sound model', async () => {
  const said = await pupil(['onnx', 'check', model, '--json'])
  assert.deepEqual([said.code, documentOf(said)], [0, { problems: [] }])
})

test('onnx ops says which operators gradients pass', async () => {
  const said = await pupil(['onnx', 'ops', model, '--json'])
  const { operators } = documentOf<{ operators: { op: string; gradient: string }[] }>(said)
  const gradient = (op: string) => operators.find((one) => one.op === op)?.gradient
  assert.deepEqual(
    [gradient('MatMul'), gradient('Shape'), gradient('Constant')],
    [...['rule', 'flat', 'lowered']],
  )
})

test('onnx grad writes a graph that gives the loss and its gradient', async () => {
  const cwd = pupil.folder()
  const argv = ['onnx', 'grad', model, '--loss', 'image_embeds', '--wrt', 'pixel_values', ...SIZE]
  const said = await pupil([...argv, '-o', 'grad.onnx', '--json'], { cwd })
  assert.equal(said.code, 0)
  const made = documentOf<{
    loss: string
    meanOf: string
    gradients: { wrt: string; output: string; dims: number[] }[]
  }>(said)
  assert.equal(made.meanOf, 'image_embeds')
  assert.deepEqual(made.gradients[0]?.dims, [1, 3, 32, 32])
  const session = await openSession(join(cwd, 'grad.onnx'), { thread: 'here' })
  const run = async (data: Float32Array) =>
    session.run({ pixel_values: { type: 'float32', dims: [1, 3, 32, 32], data } })
  const data = Float32Array.from({ length: 3072 }, (_, i) => Math.sin(i))
  const first = await run(data)
  const slope = first[made.gradients[0]?.output ?? '']?.data as Float32Array
  // A step along the gradient changes the loss by the gradient's square times its length.
  const step = 1e-2 / Math.hypot(...slope)
  const moved = await run(data.map((x, i) => x + step * (slope[i] ?? 0)))
  const [before, after] = [first, moved].map((one) => Number(one[made.loss]?.data[0]))
  const expected = step * slope.reduce((sum, g) => sum + g * g, 0)
  assert.ok(
    Math.abs((after ?? 0) - (before ?? 0) - expected) < 0.05 * expected,
    `${after} ${before} ${expected}`,
  )
  await session.close()
})

test('what cannot be differentiated is said, with the way out', async () => {
  const grad = (...more: string[]) => pupil(['onnx', 'grad', model, ...more])
  const unsized = await grad('--loss', 'image_embeds', '--wrt', 'pixel_values')
  assert.equal(unsized.code, 1)
  assert.match(unsized.err, /"pixel_values" has free sizes\. .* --size pixel_values=1x3x32x32/)
  const unknown = await grad('--loss', 'image_embed', '--wrt', 'pixel_values', ...SIZE)
  assert.match(unknown.err, /no value "image_embed"\. Did you mean image_embeds\?/)
  const bare = await grad('--loss', 'image_embeds')
  assert.deepEqual([bare.code, /at least one --wrt/.test(bare.err)], [2, true])
  const size = await grad('--loss', 'a', '--wrt', 'b', '--size', 'pixels=large')
  assert.deepEqual([size.code, /Write it like --size/.test(size.err)], [2, true])
})

test('files that are damaged, empty, folders or not there end with 1 and say so', async () => {
  const cwd = pupil.folder()
  writeFileSync(join(cwd, 'short.onnx'), readFileSync(model).subarray(0, 20_000))
  writeFileSync(join(cwd, 'empty.onnx'), '')
  writeFileSync(join(cwd, 'words.onnx'), 'These are words, no model.')
  const cases: readonly (readonly [string, RegExp])[] = [
    ['short.onnx', /no ONNX model, or it is damaged: at byte \d+ of 20000/],
    ['empty.onnx', /empty\.onnx is empty \(0 bytes\)/],
    ['words.onnx', /no ONNX model, or it is damaged/],
    ['gone.onnx', /There is no model at .*gone\.onnx/],
    ['.', /is a folder/],
  ]
  for (const [file, says] of cases) {
    for (const verb of ['show', 'check', 'ops']) {
      const said = await pupil(['onnx', verb, file], { cwd })
      assert.deepEqual([said.code, said.out], [1, ''], `${verb} ${file}`)
      assert.match(said.err, says)
    }
  }
  const before = readdirSync(cwd).length
  const argv = ['onnx', 'grad', model, '--loss', 'image_embeds', '--wrt', 'pixel_values', ...SIZE]
  const device = await pupil([...argv, '-o', '.'], { cwd })
  assert.deepEqual([device.code, /it is no file/.test(device.err)], [1, true])
  assert.equal(readdirSync(cwd).length, before)
})
