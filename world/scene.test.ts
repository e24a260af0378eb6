import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePng } from '../src/image/index.ts'
import { sha256 } from '../src/base/index.ts'
import { miniSprites } from './mini/mini-sprites.ts'
import { paintScene } from './scene.ts'
import { spriteHash } from './sprites/build-sprites.ts'
import { readSprites, writeSprites } from './sprites/sprite-file.ts'
import { streamOf } from './stream.ts'
import { sceneTruth } from './truth.ts'

const sprites = await miniSprites()

// Golden: written down once, so that every machine and every later version must paint the same.
const MINI = 'c21b608b4ade491cec598616f2737d7918915753246fbded7c0304f89d7e3368'
const SCENES: readonly (readonly [seed: number, size: number, hash: string])[] = [
  [7, 256, '627f73dbc49560bdc8904a269a832c550880a6789c3e0ac2d27ecd8bb5fbd2ee'],
  [8, 256, '0802f1588d805a3d736bf214e64ecdb21a6595636b47d0aa86c0fc8f868dd38d'],
  [1000003, 256, 'aa2449abf0b995e6337af8f8bc18905039f9e48b3ffa3c44053ceaba6fbfd9ec'],
  [7, 101, '8200115df1fd6558d9074e4eb0c783abe2ed30b965f3e38db4e5ff16c8104e6a'],
]

test('the mini set is the committed one', () => {
  assert.equal(sprites.length, 40)
  assert.equal(spriteHash(sprites), MINI)
})

test('the same seed paints the same bytes on every machine (W14)', () => {
  for (const [seed, size, hash] of SCENES) {
    const raw = paintScene(seed, {
      sprites,
      size,
      tintable: new Set(['chair', 'balloon', 'umbrella']),
    })
    const graph = sceneTruth(raw, { sprites: MINI, synset: (id) => id })
    const whole = sha256(Buffer.concat([raw.rgb, raw.top, Buffer.from(JSON.stringify(graph))]))
    assert.equal(whole, hash, `scene ${seed} at ${size}`)
  }
})

test('a scene painted twice is equal, and a draw in another stream changes nothing (W14)', () => {
  const once = paintScene(7, { sprites })
  streamOf(7, 'words').range(0, 9)
  assert.deepEqual(paintScene(7, { sprites }), once)
  assert.notDeepEqual(paintScene(8, { sprites }).rgb, once.rgb)
})

test('wanted concepts stand in the scene, unwanted ones never', () => {
  const without = new Set(['owl', 'eagle', 'dog'])
  for (let seed = 0; seed < 20; seed++) {
    const { placed } = paintScene(seed, { sprites, objects: 4, wanted: ['bell'], without })
    const concepts = placed.map(({ sprite }) => sprite.concept)
    assert.equal(concepts[0], 'bell')
    assert.ok(!concepts.some((one) => without.has(one)))
  }
})

test('grounds are flat or a gradient in at most a third of the scenes, and cluttered', () => {
  const kinds = Array.from({ length: 300 }, (_, seed) => {
    const { ground, clutter } = paintScene(seed, { sprites, size: 64, objects: 1 })
    assert.ok(clutter >= 0 && clutter <= 12)
    return ground
  })
  const share = (kind: string): number => kinds.filter((one) => one === kind).length / kinds.length
  assert.ok(share('flat') <= 0.23 && share('gradient') <= 0.23 && share('texture') >= 0.55)
})

test('sprites survive their file, and another file is told', () => {
  assert.deepEqual(readSprites(writeSprites(sprites.slice(0, 3))), sprites.slice(0, 3))
  assert.throws(() => readSprites(Buffer.from('hello\n')), { code: 'E_SPRITES' })
})

test('a scene becomes a PNG by our own encoder', () => {
  const { rgb, width, height } = paintScene(7, { sprites })
  assert.deepEqual([...encodePng(rgb, width, height).subarray(1, 4)], [0x50, 0x4e, 0x47])
})
