import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createImage, inMask, maskFromBitmap, pixelAt, solidImage } from '../image/index.ts'
import type { Image, MaskRle, ObjectRecord } from '../image/index.ts'
import type { ToolResult, Value } from '../program/index.ts'
import { makeObject } from './args.ts'
import type { Backends, Filler } from './backends.ts'
import { NO_BACKENDS } from './backends.ts'
import { createToolbox } from './toolbox.ts'
import { testContext } from './scripted.ts'

const context = testContext()
const WIDTH = 60
const HEIGHT = 40

/** Every pixel of another colour, none grey. */
function colourful(): Image {
  const data = new Uint8Array(WIDTH * HEIGHT * 3)
  for (let p = 0; p < WIDTH * HEIGHT; p++) {
    data.set([40 + (p % 200), (p * 7) % 256, 255 - ((p * 3) % 250)], p * 3)
  }
  return createImage(data, WIDTH, HEIGHT)
}

function disc(cx: number, cy: number, r: number): MaskRle {
  const bits = new Uint8Array(WIDTH * HEIGHT)
  for (let p = 0; p < bits.length; p++) {
    const [x, y] = [p % WIDTH, Math.floor(p / WIDTH)]
    bits[p] = (x - cx) ** 2 + (y - cy) ** 2 <= r * r ? 1 : 0
  }
  return maskFromBitmap(bits, HEIGHT, WIDTH)
}

const image = colourful()
const mask = disc(20, 20, 8)
const thing: ObjectRecord = makeObject(
  { box: [12, 12, 29, 29], category: 'cup', score: 0.8, mask },
  image,
  context,
)

async function call(
  tool: string,
  args: Readonly<Record<string, Value>>,
  backends: Partial<Backends> = {},
): Promise<ToolResult & { readonly picture: Image; readonly codes: readonly string[] }> {
  const toolbox = createToolbox({ backends: { ...NO_BACKENDS, ...backends } })
  const result = await toolbox.call(tool, { image, object: [thing], ...args }, context)
  return {
    ...result,
    picture: result.value as Image,
    codes: (result.notices ?? []).map((notice) => notice.code),
  }
}

function differences(a: Image, b: Image, where: (x: number, y: number) => boolean): number {
  let count = 0
  for (let p = 0; p < a.width * a.height; p++) {
    const [x, y] = [p % a.width, Math.floor(p / a.width)]
    if (!where(x, y)) continue
    if (pixelAt(a, x, y).some((value, c) => value !== pixelAt(b, x, y)[c])) count++
  }
  return count
}

const inside = (x: number, y: number): boolean => inMask(mask, x, y)
const outside = (x: number, y: number): boolean => !inMask(mask, x, y)

test('G14: COLORPOP leaves the inside bit-identical and the outside grey', async () => {
  const { picture } = await call('COLORPOP', {})
  assert.equal(differences(image, picture, inside), 0)
  for (let p = 0; p < WIDTH * HEIGHT; p++) {
    const [x, y] = [p % WIDTH, Math.floor(p / WIDTH)]
    const [r, g, b] = pixelAt(picture, x, y)
    if (outside(x, y)) assert.ok(r === g && g === b)
  }
})

test('BGBLUR leaves the inside bit-identical and changes what is far outside', async () => {
  const { picture } = await call('BGBLUR', {})
  assert.equal(differences(image, picture, inside), 0)
  const far = (x: number): boolean => x > 50
  assert.ok(differences(image, picture, far) > 200)
})

test('an edit of nothing gives the same picture and says so', async () => {
  for (const tool of ['COLORPOP', 'BGBLUR', 'TAG']) {
    const { picture, codes } = await call(tool, { object: [] })
    assert.equal(picture, image, tool)
    assert.deepEqual(codes, ['N_EMPTY_SELECTION'], tool)
  }
  assert.equal((await call('EMOJI', { object: [], emoji: ':)' })).picture, image)
  assert.equal((await call('REPLACE', { object: [], prompt: 'a rose' })).picture, image)
})

test('an object without a mask counts as its box, which is told', async () => {
  const boxed = { ...thing, mask: null }
  const { picture, codes } = await call('COLORPOP', { object: [boxed] })
  assert.deepEqual(codes, ['N_BOX_AS_MASK'])
  assert.equal(
    differences(image, picture, (x, y) => x >= 12 && x < 29 && y >= 12 && y < 29),
    0,
  )
})

test('EMOJI draws a square of the box height over 1.5 in the middle, and nothing elsewhere', async () => {
  const { picture } = await call('EMOJI', { emoji: 'Smiling Face' })
  // Box 17 x 17: side round(17 / 1.5) = 11, from 15 to 26.
  const square = (x: number, y: number): boolean => x >= 15 && x < 26 && y >= 15 && y < 26
  assert.equal(
    differences(image, picture, (x, y) => !square(x, y)),
    0,
  )
  assert.ok(differences(image, picture, square) > 60)
  const [r, g, b] = pixelAt(picture, 20, 22)
  assert.ok(r > 180 && g > 100 && b < 120, `a yellow face, not ${r}, ${g}, ${b}`)
})

test('EMOJI knows smileys and refuses what it cannot draw', async () => {
  for (const emoji of [':)', ';)', ':p', '8)', 'winking_face', 'WINKING FACE']) {
    await call('EMOJI', { emoji })
  }
  await assert.rejects(call('EMOJI', { emoji: 'dragon king' }), { code: 'C_VALUE' })
  await assert.rejects(call('EMOJI', { emoji: 'winkin_face' }), {
    cure: /^Did you mean winking_face/,
  })
})

test('TAG draws on the picture, which carries the objects', async () => {
  const { picture } = await call('TAG', { object: [{ ...thing, class: 'mug', classScore: 31 }] })
  assert.deepEqual(
    picture.tags?.map((one) => [one.class, one.box]),
    [['mug', thing.box]],
  )
  assert.ok(differences(image, picture, (x, y) => x === 12 && y > 13 && y < 28) > 10)
})

test('TAG after TAG keeps what was tagged before', async () => {
  const { picture } = await call('TAG', { object: [thing] })
  const other = makeObject({ box: [40, 4, 55, 20], category: 'jug', score: 0.7 }, image, context)
  const again = await call('TAG', { image: picture, object: [other] })
  assert.deepEqual(
    again.picture.tags?.map((one) => one.category),
    ['cup', 'jug'],
  )
})

const painter = (fills: Filler['fills']): Filler & { readonly asked: string[] } => {
  const asked: string[] = []
  return {
    name: 'scripted/filler',
    models: () => [{ name: 'scripted' }],
    can: [],
    cannot: [],
    fills,
    asked,
    fill: async (picture, _mask, { prompt, steps, guidance }) => {
      asked.push(`${prompt} ${steps} ${guidance}`)
      return solidImage(picture, [1, 1, 1], { frame: picture.frame })
    },
  }
}

test('REPLACE changes only what lies inside the masks, all objects, with the prompt as written', async () => {
  const filler = painter('both')
  const second = { ...thing, id: 'x', box: [41, 11, 50, 20] as const, mask: disc(45, 15, 4) }
  const result = await call(
    'REPLACE',
    { object: [second, thing], prompt: 'a Red rose' },
    { fillers: [filler] },
  )
  const either = (x: number, y: number): boolean => inside(x, y) || inMask(second.mask, x, y)
  assert.equal(
    differences(image, result.picture, (x, y) => !either(x, y)),
    0,
  )
  assert.equal(differences(solidImage(image, [1, 1, 1]), result.picture, either), 0)
  assert.deepEqual(filler.asked, ['a Red rose 50 7.5', 'a Red rose 50 7.5'])
  assert.deepEqual(result.concepts, ['red rose'])
})

test('REPLACE removes with a removing back end, and says that the place is made up', async () => {
  const filler = painter('removal')
  const { codes } = await call('REPLACE', { prompt: 'background' }, { fillers: [filler] })
  assert.deepEqual(codes, ['N_FILLED'])
  await assert.rejects(call('REPLACE', { prompt: 'a daisy' }, { fillers: [filler] }), {
    code: 'T_UNAVAILABLE',
    message: /cannot make "a daisy" here/,
  })
})

test('REPLACE lays a given picture into the mask without any back end', async () => {
  const picture = solidImage({ width: 10, height: 30 }, [200, 10, 10])
  const result = await call('REPLACE', { prompt: 'this picture', picture })
  assert.equal(differences(image, result.picture, outside), 0)
  assert.equal(differences(solidImage(image, [200, 10, 10]), result.picture, inside), 0)
})
