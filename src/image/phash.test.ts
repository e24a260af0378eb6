import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../base/index.ts'
import { decodePicture } from './codec.ts'
import { encodePicture } from './encode.ts'
import { createImage } from './image.ts'
import { fingerprintDistance, nearDuplicate, pictureFingerprint } from './phash.ts'
import { resizeImage } from './resize.ts'
import type { Image } from './types.ts'

/** Soft patches of light, another arrangement for each seed. */
function scene(seed: number): Image {
  const random = seededRandom(seed)
  const spots = Array.from({ length: 12 }, () => [
    random.next() * 160,
    random.next() * 120,
    10 + random.next() * 30,
    random.next() * 255,
  ])
  const data = new Uint8Array(160 * 120 * 3)
  for (let y = 0, i = 0; y < 120; y++) {
    for (let x = 0; x < 160; x++, i += 3) {
      let value = 60
      for (const [sx = 0, sy = 0, r = 1, v = 0] of spots) {
        if (Math.hypot(x - sx, y - sy) < r) value = v
      }
      data.fill(Math.round(value), i, i + 3)
    }
  }
  return createImage(data, 160, 120)
}

test('a copy that was reduced and saved as a poor JPEG is the same picture', async () => {
  const image = scene(1)
  const small = await resizeImage(image, { width: 100, height: 75 })
  const { image: copy } = await decodePicture(await encodePicture(small, 'jpeg', { quality: 60 }))
  assert.ok(await nearDuplicate(image, copy))
  assert.ok(await nearDuplicate(image, image))
})

test('other pictures are other pictures', async () => {
  const prints = await Promise.all([1, 2, 3, 4, 5].map((seed) => pictureFingerprint(scene(seed))))
  prints.forEach((a, i) => {
    assert.match(a, /^[01]{64}$/)
    for (const b of prints.slice(i + 1)) assert.ok(fingerprintDistance(a, b) > 10)
  })
  assert.equal(await nearDuplicate(scene(1), scene(2)), false)
})
