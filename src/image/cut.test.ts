import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../base/index.ts'
import { box } from './box.ts'
import { cutOut } from './cut.ts'
import { growMask } from './distance.ts'
import { eraseInside, maskShare } from './erase.ts'
import { createImage, solidImage } from './image.ts'
import { loadOpenCv } from './opencv.ts'
import {
  inMask,
  maskArea,
  maskFromBitmap,
  maskFromBox,
  maskIou,
  maskToBitmap,
  subtractMask,
} from './rle.ts'
import type { Image, MaskRle } from './types.ts'

/** An orange disc with a blue one beside it on green grass with noise, and the discs' true masks. */
function scene(width: number, height: number): { image: Image; orange: MaskRle; blue: MaskRle } {
  const random = seededRandom(3)
  const radius = height / 4
  const discs = [
    { x: width * 0.3, y: height / 2, colour: [225, 120, 30] },
    { x: width * 0.7, y: height / 2, colour: [40, 70, 200] },
  ]
  const data = new Uint8Array(width * height * 3)
  const bits = discs.map(() => new Uint8Array(width * height))
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      const hit = discs.findIndex((d) => Math.hypot(x + 0.5 - d.x, y + 0.5 - d.y) < radius)
      const colour = discs[hit]?.colour ?? [60, 130, 50]
      if (hit >= 0) (bits[hit] as Uint8Array)[p] = 1
      const light = random.next() * 40 - 20
      data.set(
        colour.map((v) => Math.min(255, Math.max(0, v + light))),
        p * 3,
      )
    }
  }
  const [orange, blue] = bits.map((one) => maskFromBitmap(one, height, width))
  assert.ok(orange && blue)
  return { image: createImage(data, width, height), orange, blue }
}

const small = scene(200, 120)
const aroundOrange = box(24, 24, 96, 96)

test('a thing is cut out of its box along its true edge', async () => {
  const mask = await cutOut(small.image, { box: aroundOrange })
  assert.ok(mask)
  assert.deepEqual(mask.size, [120, 200])
  assert.ok(maskIou(mask, small.orange) > 0.95, `IoU ${maskIou(mask, small.orange)}`)
})

test('in a large picture too, at its full size', async () => {
  const { image, blue } = scene(1400, 900)
  const mask = await cutOut(image, { box: box(730, 200, 1230, 700) })
  assert.ok(mask)
  assert.deepEqual(mask.size, [900, 1400])
  assert.ok(maskIou(mask, blue) > 0.97, `IoU ${maskIou(mask, blue)}`)
})

test('the same input gives the same mask', async () => {
  const [a, b] = [
    await cutOut(small.image, { box: aroundOrange }),
    await cutOut(small.image, { box: aroundOrange }),
  ]
  assert.deepEqual(a, b)
})

test('a minus click takes away, a plus click adds', async () => {
  const both = box(20, 20, 180, 100)
  const plain = await cutOut(small.image, { box: both })
  assert.ok(plain && inMask(plain, 140, 60))
  const less = await cutOut(small.image, {
    box: both,
    mask: plain,
    minus: [[140, 60]],
    plus: [[60, 60]],
  })
  assert.ok(less && !inMask(less, 140, 60))
  assert.ok(maskIou(less, small.orange) > 0.9, `IoU ${maskIou(less, small.orange)}`)
  const more = await cutOut(small.image, { box: aroundOrange, plus: [[140, 60]] })
  assert.ok(more && inMask(more, 140, 60) && inMask(more, 60, 60))
})

test('nothing that stands out, and boxes without room, give nothing', async () => {
  const flat = solidImage({ width: 60, height: 60 }, [90, 90, 90])
  const mask = await cutOut(flat, { box: box(10, 10, 40, 40) })
  assert.ok(mask === undefined || maskArea(mask) > 0)
  const dot = solidImage({ width: 1, height: 1 }, [5, 5, 5])
  assert.equal(await cutOut(dot, { box: box(0, 0, 1, 1) }), undefined)
  await assert.rejects(cutOut(flat, { box: box(70, 70, 90, 90) }), { code: 'T_INPUT' })
})

test('the whole picture as box and boxes over the border do not crash', async () => {
  for (const at of [box(0, 0, 200, 120), box(-30, -30, 90, 90), box(150, 60, 400, 300)]) {
    const mask = await cutOut(small.image, { box: at })
    if (mask !== undefined) assert.deepEqual(mask.size, [120, 200])
  }
})

test('a signal stops it between rounds', async () => {
  const stop = new AbortController()
  const work = cutOut(small.image, { box: aroundOrange }, { signal: stop.signal, iterations: 50 })
  const reason = new Error('enough')
  setImmediate(() => stop.abort(reason))
  await assert.rejects(work, reason)
})

test('a spot on plain ground vanishes; outside the grown hole nothing changes', async () => {
  const ground = solidImage({ width: 120, height: 90 }, [180, 150, 100])
  const data = Uint8Array.from(ground.data)
  const spot = maskFromBox(box(50, 40, 60, 48), 90, 120)
  maskToBitmap(spot).forEach((bit, i) => {
    if (bit === 1) data.set([20, 20, 20], i * 3)
  })
  const image = createImage(data, 120, 90)
  const erased = await eraseInside(image, spot)
  // Telea's gradients leave a hair of noise.
  const worst = ground.data.reduce(
    (most, v, i) => Math.max(most, Math.abs(v - (erased.data[i] ?? 0))),
    0,
  )
  assert.ok(worst <= 4, `off by ${worst}`)
  assert.equal(erased.frame, image.frame)

  const noisy = small.image
  const hole = maskFromBox(box(90, 50, 104, 60), 120, 200)
  const filled = await eraseInside(noisy, hole)
  const outside = maskToBitmap(
    subtractMask(maskFromBox(box(0, 0, 200, 120), 120, 200), growMask(hole, 3)),
  )
  outside.forEach((bit, i) => {
    if (bit === 1) assert.equal(filled.data[i * 3], noisy.data[i * 3])
  })
  assert.notDeepEqual(filled.data, noisy.data)
})

test('an empty mask erases nothing; shares are told', async () => {
  const none = maskFromBox(box(0, 0, 0, 0), 120, 200)
  assert.equal(await eraseInside(small.image, none), small.image)
  assert.equal(maskShare(maskFromBox(box(0, 0, 20, 120), 120, 200)), 0.1)
})

test('OpenCV leaves no listeners on the process and no memory behind', async () => {
  const { cv } = await loadOpenCv()
  // The test runner has listeners of its own; those of OpenCV's runtime would call its abort.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    const texts = process.listeners(event as 'exit').map(String)
    assert.deepEqual(
      texts.filter((text) => !text.includes('rootTest')),
      [],
    )
  }
  const heap = (): number => (cv as unknown as { HEAP8: Int8Array }).HEAP8.length
  await cutOut(small.image, { box: aroundOrange })
  const before = heap()
  for (let i = 0; i < 5; i++) await cutOut(small.image, { box: aroundOrange })
  assert.equal(heap(), before)
})
