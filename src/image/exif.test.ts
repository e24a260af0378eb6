import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readExif } from './exif.ts'
import { loadSharp } from './native.ts'

const sharp = await loadSharp()
const plain = sharp({ create: { width: 8, height: 8, channels: 3, background: '#456' } })
const tagged = await plain
  .clone()
  .withExif({
    IFD0: { Make: 'Acme', Model: 'Eye 2' },
    IFD2: { DateTimeOriginal: '2024:05:03 10:20:30' },
    IFD3: {
      GPSLatitudeRef: 'N',
      GPSLatitude: '51/1 30/1 0/1',
      GPSLongitudeRef: 'W',
      GPSLongitude: '0/1 7/1 0/1',
    },
  })
  .jpeg()
  .toBuffer()

test('camera and time are read, the place is not', async () => {
  assert.deepEqual(await readExif(tagged), {
    make: 'Acme',
    model: 'Eye 2',
    takenAt: '2024-05-03T10:20:30',
    width: 8,
    height: 8,
  })
})

test('the place is read only when asked for', async () => {
  const { place } = await readExif(tagged, { gps: true })
  assert.ok(place)
  assert.ok(Math.abs(place.latitude - 51.5) < 1e-6 && Math.abs(place.longitude + 7 / 60) < 1e-6)
})

test('a file without notes, and no picture at all, give none', async () => {
  assert.deepEqual(await readExif(await plain.clone().png().toBuffer()), {})
  assert.deepEqual(await readExif(Buffer.from('hello')), {})
})
