import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodePicture } from './codec.ts'
import { box } from './box.ts'
import { drawObjects, drawTags } from './draw.ts'
import { addFont, fontsFor } from './fonts.ts'
import { createImage, cropImage, pixelAt, solidImage } from './image.ts'
import { loadCanvas } from './native.ts'
import { createObject } from './objects.ts'
import { inkOn, penOf, relativeLuminance } from './palette.ts'
import { maskFromBox } from './rle.ts'
import { objectThumbnail, thumbnail, thumbnailPixels } from './thumbnail.ts'
import type { Box, Image, ObjectRecord } from './types.ts'

const photo = createImage(
  Uint8Array.from({ length: 400 * 300 * 3 }, (_, i) => (i * 7919) % 251),
  400,
  300,
)

function object(at: Box, category = 'dog', image: Image = photo): ObjectRecord {
  const made = createObject({ id: `${category}${at.join()}`, box: at, category, score: 0.8 }, image)
  assert.ok(made)
  return made
}

function changed(a: Image, b: Image, x: number, y: number): boolean {
  return String(pixelAt(a, x, y)) !== String(pixelAt(b, x, y))
}

/** Contrast of two luminances by WCAG. */
function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

test('TAG draws a green box of 4 pixels inside the box, and carries its objects', async () => {
  const dog = object(box(100, 100, 200, 180))
  const made = await drawTags(photo, [dog])
  for (let d = 0; d < 4; d++) {
    const [r, g, b] = pixelAt(made, 150, 179 - d)
    assert.ok(g > 100 && r < 60 && b < 60, `${d}: ${r} ${g} ${b}`)
  }
  assert.equal(changed(photo, made, 150, 140), false)
  assert.deepEqual(made.tags, [dog])
  assert.equal(made.frame, photo.frame)
  assert.equal(made.parent, photo.hash)
  assert.equal(await drawTags(photo, []), photo)
})

test('a picture that is tagged again carries both; an object tagged anew is carried once', async () => {
  const dog = object(box(20, 100, 80, 180))
  const cat = object(box(150, 60, 250, 180), 'cat')
  const first = await drawTags(photo, [dog])
  const second = await drawTags(first, [cat])
  assert.deepEqual(second.tags, [dog, cat])
  assert.equal((await drawTags(second, [])).tags, second.tags)
  const named = { ...dog, class: 'poodle' }
  assert.deepEqual((await drawTags(second, [named])).tags, [cat, named])
})

test('what no mark touches stays bit-identical', async () => {
  const made = await drawObjects(photo, [object(box(300, 200, 380, 280))])
  for (let y = 0; y < 150; y++) {
    for (let x = 0; x < 250; x++) assert.equal(changed(photo, made, x, y), false)
  }
  assert.equal(changed(photo, made, 301, 240), true)
})

test('a box at the border is seen, a box of one pixel too', async () => {
  const made = await drawObjects(
    photo,
    [object(box(0, 0, 400, 300)), object(box(200, 150, 201, 151))],
    {
      labels: 'none',
    },
  )
  assert.equal(changed(photo, made, 0, 150), true)
  assert.equal(changed(photo, made, 399, 150), true)
  let touched = 0
  for (let y = 140; y < 162; y++)
    for (let x = 190; x < 212; x++) if (changed(photo, made, x, y)) touched++
  assert.ok(touched > 12)
})

test('lines stand out from any ground', async () => {
  for (const grey of [0, 64, 128, 192, 255]) {
    const ground = solidImage({ width: 200, height: 120 }, [grey, grey, grey])
    for (let kind = 0; kind < 8; kind++) {
      const others = Array.from({ length: kind }, (_, i) =>
        object(box(0, 0, 3, 3), `k${i}`, ground),
      )
      const shown = object(box(60, 40, 160, 100), 'shown', ground)
      const made = await drawObjects(ground, [...others, shown], { labels: 'none' })
      const lights = Array.from({ length: 12 }, (_, i) => {
        const [r, g, b] = pixelAt(made, 110, 90 + i)
        return relativeLuminance(`#${((1 << 24) | (r << 16) | (g << 8) | b).toString(16).slice(1)}`)
      })
      const under = relativeLuminance(`#${grey.toString(16).padStart(2, '0').repeat(3)}`)
      const best = Math.max(...lights.map((light) => contrast(light, under)))
      assert.ok(best >= 3, `kind ${kind} on ${grey}: ${best.toFixed(2)}`)
    }
  }
})

test('the ink of every label reads on its colour', () => {
  for (let kind = 0; kind < 8; kind++) {
    const { colour } = penOf(kind)
    const ink = relativeLuminance(inkOn(colour))
    assert.ok(contrast(ink, relativeLuminance(colour)) >= 4.5, colour)
  }
})

test('no two of the first 32 kinds share colour and dash', () => {
  const pens = Array.from({ length: 32 }, (_, n) => JSON.stringify(penOf(n)))
  assert.equal(new Set(pens).size, 32)
})

test('masks are tinted inside and left alone outside', async () => {
  const dog = {
    ...object(box(100, 100, 200, 200)),
    mask: maskFromBox(box(120, 120, 180, 180), 300, 400),
  }
  const made = await drawObjects(photo, [dog], { boxes: false, labels: 'none' })
  assert.equal(changed(photo, made, 150, 150), true)
  assert.equal(changed(photo, made, 105, 150), false)
})

test('objects of a crop are drawn where they are; those of another picture are refused', async () => {
  const part = cropImage(photo, box(100, 50, 300, 250))
  const inside = object(box(20, 30, 80, 90), 'cat', part)
  const made = await drawObjects(photo, [inside], { labels: 'none' })
  assert.equal(changed(photo, made, 121, 110), true)
  const other = solidImage({ width: 400, height: 300 }, [1, 2, 3])
  await assert.rejects(drawObjects(other, [inside]), { code: 'T_FRAME' })
})

/** How many pixels a text inks, and a text of the same font that surely has no letters of its own. */
async function inked(text: string): Promise<{ pixels: string; blank: string }> {
  const { createCanvas } = await loadCanvas()
  const write = (words: string, families: string): string => {
    const canvas = createCanvas(80, 60)
    const pen = canvas.getContext('2d')
    pen.font = `bold 40px ${families}`
    pen.fillText(words, 5, 45)
    return canvas.data().toString('base64')
  }
  const families = await fontsFor([text])
  // U+0378 is assigned to nothing: it shows what a missing letter looks like.
  return { pixels: write(text, families), blank: write('\u0378', families) }
}

for (const letter of ['A', 'Ω', 'Ж', 'ك', 'ש', '狗', '車', 'ね', 'カ', '국', '한', 'あ']) {
  test(`the shipped fonts have ${letter}`, async () => {
    const { pixels, blank } = await inked(letter)
    assert.notEqual(pixels, blank)
    assert.notEqual(pixels, (await inked(' ')).pixels)
  })
}

test('fonts for Latin text load no other; a file that is no font is refused', async () => {
  assert.equal(await fontsFor(['dog 0.9']), '"Pupil Base", sans-serif')
  await assert.rejects(addFont(Buffer.from('no font')), { code: 'E_FONT' })
})

test('texts that do not fit are cut, whatever they are', async () => {
  const long = 'a very long name that goes on and on, 很长的名字 '.repeat(20)
  const tiny = solidImage({ width: 40, height: 30 }, [200, 200, 200])
  for (const category of [long, '', '\u202e\u0000', '👩‍👩‍👧‍👦'.repeat(30)]) {
    await drawObjects(photo, [object(box(10, 10, 50, 50), category)])
    await drawTags(tiny, [object(box(1, 1, 5, 5), category, tiny)])
  }
})

test('a thumbnail is a WebP of at most the asked side, never enlarged', async () => {
  const url = await thumbnail(photo, { side: 100, objects: [object(box(100, 100, 200, 200))] })
  assert.match(url, /^data:image\/webp;base64,/)
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
  const { image } = await decodePicture(bytes)
  assert.deepEqual([image.width, image.height], [100, 75])
  const small = solidImage({ width: 30, height: 20 }, [9, 9, 9])
  const same = await thumbnailPixels(small, { side: 300 })
  assert.deepEqual([same.width, same.height], [30, 20])
})

test('in a thumbnail the best is red, the others blue', async () => {
  const ground = solidImage({ width: 600, height: 400 }, [230, 230, 230])
  const objects = [
    object(box(60, 60, 240, 340), 'a', ground),
    object(box(360, 60, 540, 340), 'b', ground),
  ]
  const { data, width } = await thumbnailPixels(ground, { side: 300, objects })
  const line = (x1: number, x2: number): number[][] => {
    const found: number[][] = []
    for (let y = 40; y < 160; y++) {
      for (let x = x1; x < x2; x++)
        found.push([...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)])
    }
    return found
  }
  assert.ok(line(26, 40).some(([r = 0, g = 0, b = 0]) => r > 200 && g < 60 && b < 60))
  assert.ok(line(176, 190).some(([r = 0, , b = 0]) => b > 200 && r < 80))
  assert.ok(!line(176, 190).some(([r = 0, g = 0, b = 0]) => r > 200 && g < 60 && b < 60))
})

test('a region is shown bright, the rest dark', async () => {
  const ground = solidImage({ width: 300, height: 200 }, [200, 200, 200])
  const { data, width } = await thumbnailPixels(ground, { region: box(0, 0, 150, 200) })
  assert.equal(data[(100 * width + 149) * 3], 200)
  assert.equal(data[(100 * width + 150) * 3], 70)
})

test('one object close up', async () => {
  const url = await objectThumbnail(photo, object(box(100, 100, 160, 150)), { side: 120 })
  const { image } = await decodePicture(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))
  assert.ok(image.width <= 120 && image.width > 60)
})
