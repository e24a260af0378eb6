import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import type { Sharp } from 'sharp'
import { decodePicture, fitWithin } from './codec.ts'
import { encodePicture } from './encode.ts'
import { createImage, pixelAt, solidImage } from './image.ts'
import { loadSharp } from './native.ts'
import { pngChunk, PNG_SIGNATURE } from './png.ts'
import type { Image } from './types.ts'

const sharp = await loadSharp()

/** Four quarters: red, green over blue, white. */
function quarters(width: number, height: number): Image {
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      data.set(quarterColour(x < width / 2, y < height / 2), (y * width + x) * 3)
    }
  }
  return createImage(data, width, height)
}

function quarterColour(left: boolean, top: boolean): readonly number[] {
  if (top) return left ? [255, 0, 0] : [0, 255, 0]
  return left ? [0, 0, 255] : [255, 255, 255]
}

function raw(image: Image): Sharp {
  return sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } })
}

function near(image: Image, x: number, y: number, colour: readonly number[], by = 12): void {
  const got = pixelAt(image, x, y)
  assert.ok(
    got.every((value, i) => Math.abs(value - (colour[i] ?? 0)) <= by),
    `pixel ${x},${y} is ${got.join(' ')}, wanted ${colour.join(' ')}`,
  )
}

async function fault(bytes: Uint8Array, code: string, options = {}): Promise<void> {
  await assert.rejects(decodePicture(bytes, options), (error: Error & { code?: string }) => {
    assert.equal(error.name, 'UserFault')
    assert.equal(error.code, code)
    assert.ok((error as { cure?: string }).cure, 'has a cure')
    return true
  })
}

/** A PNG header that claims a size and holds nothing else. */
function hugeHeader(width: number, height: number): Uint8Array {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    pngChunk('IEND', new Uint8Array(0)),
  ])
}

for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const) {
  test(`reads ${format} by its content`, async () => {
    const bytes = await raw(quarters(64, 48)).toFormat(format, { quality: 95 }).toBuffer()
    const { image, type, original, notices } = await decodePicture(bytes)
    assert.equal(type, format)
    assert.deepEqual([image.width, image.height], [64, 48])
    assert.deepEqual(original, { width: 64, height: 48 })
    assert.deepEqual(notices, [])
    near(image, 10, 10, [255, 0, 0])
    near(image, 50, 10, [0, 255, 0])
    near(image, 10, 40, [0, 0, 255])
    near(image, 50, 40, [255, 255, 255])
  })

  test(`a truncated ${format} is told as damaged`, async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const picture = sharp({
      create: { width: 160, height: 120, channels: 3, background: '#888', noise },
    })
    const bytes = await picture.toFormat(format).toBuffer()
    await fault(bytes.subarray(0, Math.floor(bytes.length * 0.6)), 'E_PICTURE_BROKEN')
  })
}

for (let orientation = 1; orientation <= 8; orientation++) {
  test(`EXIF orientation ${orientation} is turned upright before anything else`, async () => {
    const upright = quarters(64, 48)
    const stored = await storedAs(upright, orientation)
    const { image, original } = await decodePicture(stored, { maxSide: 32 })
    assert.deepEqual(original, { width: 64, height: 48 })
    assert.deepEqual([image.width, image.height], [32, 24])
    near(image, 5, 5, [255, 0, 0], 20)
    near(image, 26, 5, [0, 255, 0], 20)
    near(image, 5, 19, [0, 0, 255], 20)
    near(image, 26, 19, [255, 255, 255], 20)
  })
}

/** A file whose pixels lie so that the orientation tag turns them back to `upright`. */
async function storedAs(upright: Image, orientation: number): Promise<Uint8Array> {
  // Inverse turns: 6 is shown by a quarter turn clockwise, so it is stored a quarter counterclockwise.
  const turns: Record<number, (picture: Sharp) => Sharp> = {
    1: (p) => p,
    2: (p) => p.flop(),
    3: (p) => p.rotate(180),
    4: (p) => p.flip(),
    5: (p) => p.rotate(90).flop(),
    6: (p) => p.rotate(270),
    7: (p) => p.rotate(270).flop(),
    8: (p) => p.rotate(90),
  }
  const turn = turns[orientation] ?? ((p: Sharp) => p)
  // In two passes, since libvips reorders flips and turns within one.
  const turned = orientation === 5 || orientation === 7 ? raw(upright) : turn(raw(upright))
  const { data, info } = await (
    orientation === 5 ? turned.rotate(90) : orientation === 7 ? turned.rotate(270) : turned
  )
    .raw()
    .toBuffer({ resolveWithObject: true })
  let again = sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
  if (orientation === 5 || orientation === 7) again = again.flop()
  return again.jpeg({ quality: 98 }).withMetadata({ orientation }).toBuffer()
}

test('alpha is flattened on white', async () => {
  const rgba = Buffer.alloc(8 * 8 * 4)
  for (let i = 0; i < 64; i++) rgba.set(i % 8 < 4 ? [255, 0, 0, 0] : [0, 0, 255, 128], i * 4)
  const png = await sharp(rgba, { raw: { width: 8, height: 8, channels: 4 } })
    .png()
    .toBuffer()
  const { image } = await decodePicture(png)
  near(image, 1, 1, [255, 255, 255], 1)
  near(image, 6, 1, [127, 127, 255], 2)
})

test('16-bit pictures keep their tones', async () => {
  const samples = new Uint16Array(16 * 3)
  for (let i = 0; i < 16; i++) samples.set([i * 4369, 65535, 0], i * 3)
  const png = await sharp(samples, { raw: { width: 16, height: 1, channels: 3 } })
    .toColourspace('rgb16')
    .png()
    .toBuffer()
  assert.equal((await sharp(png).metadata()).depth, 'ushort')
  const { image } = await decodePicture(png)
  for (let i = 0; i < 16; i++) near(image, i, 0, [i * 17, 255, 0], 1)
})

test('16-bit pictures with alpha are flattened on white too', async () => {
  const samples = new Uint16Array(4 * 4 * 4)
  for (let i = 0; i < 16; i++) samples.set(i % 4 < 2 ? [65535, 0, 0, 65535] : [0, 0, 0, 0], i * 4)
  const png = await sharp(samples, { raw: { width: 4, height: 4, channels: 4 } })
    .toColourspace('rgb16')
    .png()
    .toBuffer()
  const { image } = await decodePicture(png)
  near(image, 0, 0, [255, 0, 0], 1)
  near(image, 3, 0, [255, 255, 255], 1)
})

test('grey pictures of 8 and 16 bits become three equal channels', async () => {
  const ramp = Uint8Array.from({ length: 256 }, (_, i) => i)
  const source = sharp(ramp, { raw: { width: 256, height: 1, channels: 1 } })
  const grey = await source.clone().toColourspace('b-w').png().toBuffer()
  const { image } = await decodePicture(grey)
  for (const x of [0, 100, 255]) near(image, x, 0, [x, x, x], 1)
  const grey16 = await source.clone().toColourspace('grey16').png().toBuffer()
  const deep = await decodePicture(grey16)
  for (const x of [0, 100, 255]) near(deep.image, x, 0, [x, x, x], 2)
})

test('CMYK JPEGs come out in their colours', async () => {
  const bytes = await raw(quarters(64, 48)).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()
  assert.equal((await sharp(bytes).metadata()).space, 'cmyk')
  const { image } = await decodePicture(bytes)
  const [r, g, b] = pixelAt(image, 10, 10)
  assert.ok(r > 180 && g < 90 && b < 90, `red quarter is ${r} ${g} ${b}`)
  const white = pixelAt(image, 50, 40)
  assert.ok(white.every((value) => value > 240))
})

test('of an animation the first frame is used, and this is told', async () => {
  const frames = Buffer.concat([
    solidImage({ width: 20, height: 10 }, [255, 0, 0]).data,
    solidImage({ width: 20, height: 10 }, [0, 0, 255]).data,
  ])
  const gif = await sharp(frames, { raw: { width: 20, height: 20, channels: 3, pageHeight: 10 } })
    .gif()
    .toBuffer()
  const { image, pages, notices } = await decodePicture(gif, { name: 'party.gif' })
  assert.equal(pages, 2)
  assert.deepEqual([image.width, image.height], [20, 10])
  near(image, 5, 5, [255, 0, 0])
  assert.equal(notices[0]?.code, 'N_FIRST_FRAME')
  assert.match(notices[0]?.message ?? '', /party\.gif holds 2 pictures/)
})

test('a reduced picture keeps its scale to the original and is never enlarged', async () => {
  const bytes = await encodePicture(quarters(200, 100), 'png')
  const { image } = await decodePicture(bytes, { maxSide: 50 })
  assert.deepEqual([image.width, image.height], [50, 25])
  assert.deepEqual(image.frame.scale, [4, 4])
  const same = await decodePicture(bytes, { maxSide: 1000 })
  assert.deepEqual([same.image.width, same.image.frame.scale], [200, [1, 1]])
  assert.equal(same.image.frame.original, image.frame.original)
})

test('0 bytes, text and unknown kinds of file are told apart', async () => {
  await fault(new Uint8Array(0), 'E_PICTURE_EMPTY')
  await fault(Buffer.from('this is not a picture'), 'E_PICTURE_TYPE')
  await fault(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'E_PICTURE_TYPE')
  await fault(Buffer.from('%PDF-1.7\n%abc\n1 0 obj'), 'E_PICTURE_TYPE')
})

test('the message names the picture and the way out', async () => {
  await assert.rejects(decodePicture(Buffer.from('hello'), { name: 'notes.jpg' }), {
    message: 'notes.jpg is not a picture that can be read.',
    cure: 'Give a JPEG, PNG, WebP, AVIF, GIF or TIFF file.',
  })
})

test('30,000 x 30,000 pixels are refused from the header alone', async () => {
  await fault(hugeHeader(30_000, 30_000), 'E_PICTURE_TOO_LARGE')
  await assert.rejects(decodePicture(hugeHeader(30_000, 30_000)), {
    message: 'The picture has 30000 x 30000 pixels; at most 120 million are read.',
  })
})

test('a file over the byte limit is refused unread', async () => {
  await fault(new Uint8Array(2001), 'E_PICTURE_TOO_LARGE', { maxBytes: 2000 })
})

test('random bytes after any magic number never crash', async () => {
  const heads = [[0xff, 0xd8, 0xff, 0xe0], [...PNG_SIGNATURE], [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]]
  for (const head of heads) {
    for (let seed = 1; seed < 8; seed++) {
      const body = Uint8Array.from({ length: 300 }, (_, i) => (i * seed * 73 + seed) % 256)
      await assert.rejects(decodePicture(Buffer.concat([Buffer.from(head), body])), {
        name: 'UserFault',
      })
    }
  }
})

test('an aborted signal stops it with its own reason', async () => {
  const reason = new Error('enough')
  const signal = AbortSignal.abort(reason)
  await assert.rejects(decodePicture(new Uint8Array(9), { signal }), reason)
})

test('fitWithin keeps at least one pixel', () => {
  assert.deepEqual(fitWithin({ width: 1000, height: 1 }, 10), { width: 10, height: 1 })
  assert.deepEqual(fitWithin({ width: 30, height: 20 }), { width: 30, height: 20 })
})
