import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { runIn, withRun } from './png-run.ts'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** One grey pixel. */
const png = Buffer.concat([
  Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
  chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
  chunk('IDAT', deflateSync(Buffer.from([0, 128]))),
  chunk('IEND', Buffer.alloc(0)),
])
const carried = { run: 'run_1a', instruction: 'Wie viele Äpfel? 🍎' }

test('a picture gives back the run that was written into it', () => {
  assert.deepEqual(runIn(withRun(png, carried)), carried)
})

test('only one chunk is added, with the check sum of zlib', () => {
  const made = Buffer.from(withRun(png, carried))
  const text = Buffer.from(`pupil-run\0\0\0\0\0${JSON.stringify(carried)}`)
  const added = chunk('iTXt', text)
  assert.ok(made.includes(added))
  assert.deepEqual(
    Buffer.from(made.toString('latin1').replace(added.toString('latin1'), ''), 'latin1'),
    png,
  )
})

test('other files carry no run', () => {
  const strange = withRun(png, { run: '../../etc', instruction: '' })
  for (const file of [
    png,
    strange,
    Buffer.from('no picture'),
    new Uint8Array(0),
    png.subarray(0, 40),
  ]) {
    assert.equal(runIn(file), undefined)
  }
})
