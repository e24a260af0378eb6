import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSession } from '../../../onnx/index.ts'
import { buildFaceNet } from './face-net.ts'
import type { FaceWeight } from './face-net.ts'

/** Channels into and out of a layer, from its name. */
function channels(name: string): readonly [number, number] {
  const [block = '', layer] = name.split('/')
  const out = Number(/\d+/.exec(block)?.[0])
  if (block === 'conv32_down') return [3, 32]
  if (!block.includes('_down') || layer === 'conv2' || out === 32) return [out, out]
  return [block === 'conv256_down_out' ? 256 : out / 2, out]
}

/**
 * Weights with which only the shortcuts speak: the first layer gives 1 in channel 0, every other
 * convolution gives 0, so the last plane must be 1 in channel 0, with its zero padding nowhere.
 */
function shortcutsOnly(name: string): FaceWeight {
  if (name === 'fc') {
    const data = new Float32Array(256 * 128)
    for (let j = 0; j < 128; j++) data[j] = j - 20
    return { dims: [256, 128], data }
  }
  const [into, out] = channels(name)
  if (name.endsWith('filters')) {
    const side = name.startsWith('conv32_down') ? 7 : 3
    return { dims: [side, side, into, out], data: new Float32Array(side * side * into * out) }
  }
  const data = new Float32Array(out)
  if (name.endsWith('scale/weights')) data.fill(2)
  if (name === 'conv32_down/conv/bias') data[0] = 0.25
  if (name === 'conv32_down/scale/biases') data[0] = 0.5
  return { dims: [out], data }
}

test('shortcuts carry the first layer through all blocks, whatever planes and channels are padded', async () => {
  await using session = await openSession(buildFaceNet(shortcutsOnly), { thread: 'here' })
  const data = new Float32Array(3 * 150 * 150).fill(77)
  const { descriptor } = await session.run({
    face: { type: 'float32', dims: [1, 3, 150, 150], data },
  })
  assert.deepEqual(descriptor?.dims, [1, 128])
  // (0.25 · 2 + 0.5) = 1 in channel 0 everywhere, so the answer is the first row of the matrix.
  const values = [...(descriptor?.data as Float32Array)]
  values.forEach((value, j) => assert.ok(Math.abs(value - (j - 20)) < 1e-4, `${j}: ${value}`))
})
