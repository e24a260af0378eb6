import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base64Bytes, pictureAt } from './picture-address.ts'
import type { Pupil } from './pupil.ts'

const kept = 'a'.repeat(64)
const pupil = {
  config: { limits: { bytes: 12 } },
  pictures: {
    file: (hash: string) =>
      Promise.resolve({ bytes: Buffer.from(hash.slice(0, 3)), type: 'image/png' }),
  },
} as unknown as Pupil

const at = async (address: string): Promise<string> => {
  const { bytes } = (await pictureAt(address, 'picture 1', pupil)) as { bytes: Uint8Array }
  return Buffer.from(bytes).toString('latin1')
}

test('a picture comes out of a data address, or from what is kept, under any of its names', async () => {
  assert.equal(await at('data:image/png;base64,aGVsbG8='), 'hello')
  assert.equal(await at('data:;base64,aGVsbG8'), 'hello')
  for (const before of ['pupil://blob/', '/v1/blobs/', 'http://127.0.0.1:4173/v1/blobs/'])
    assert.equal(await at(before + kept), 'aaa')
})

const REFUSED = [
  ['https://example.com/cat.png', 'E_PICTURE_ADDRESS'],
  ['http://169.254.169.254/latest/meta-data', 'E_PICTURE_ADDRESS'],
  ['file:///etc/passwd', 'E_PICTURE_ADDRESS'],
  ['/etc/passwd', 'E_PICTURE_ADDRESS'],
  ['pupil://blob/../../../etc/passwd', 'E_PICTURE_ADDRESS'],
  ['/v1/blobs/..%2f..%2fetc', 'E_PICTURE_ADDRESS'],
  ['data:image/png,rawbytes', 'E_BASE64'],
  ['data:image/png;base64,', 'E_BASE64'],
  ['data:image/png;base64,aGV sbG8=', 'E_BASE64'],
  ['data:image/png;base64,aGVs"b8=', 'E_BASE64'],
  [`data:image/png;base64,${'A'.repeat(40)}`, 'E_PICTURE_TOO_LARGE'],
] as const

for (const [address, code] of REFUSED) {
  test(`${address.slice(0, 40)} is refused with ${code}`, async () => {
    await assert.rejects(at(address), { code })
  })
}

test('a huge text is refused before it is decoded, and a long address is not repeated whole', async () => {
  const huge = 'A'.repeat(50e6)
  assert.throws(() => base64Bytes(huge, 'x', 1e6), { code: 'E_PICTURE_TOO_LARGE' })
  await assert.rejects(
    at(`https://example.com/${huge}`),
    (error: Error) => error.message.length < 300,
  )
})

test('pictures elsewhere are fetched only by what is given for it, and only over http', async () => {
  const seen: string[] = []
  const fetchPicture = (address: string) => {
    seen.push(address)
    return Promise.resolve(Buffer.from('fetched'))
  }
  const { bytes } = (await pictureAt('https://example.com/a.png', 'x', pupil, fetchPicture)) as {
    bytes: Uint8Array
  }
  assert.equal(Buffer.from(bytes).toString(), 'fetched')
  await assert.rejects(pictureAt('file:///etc/passwd', 'x', pupil, fetchPicture), {
    code: 'E_PICTURE_ADDRESS',
  })
  assert.deepEqual(seen, ['https://example.com/a.png'])
})
