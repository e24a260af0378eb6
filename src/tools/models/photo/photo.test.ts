import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import type { ProgressNote } from '../../../base/index.ts'
import {
  createImage,
  cropImage,
  decodePicture,
  maskArea,
  pixelBox,
  resizeImage,
  solidImage,
} from '../../../image/index.ts'
import type { Image, ObjectRecord } from '../../../image/index.ts'
import type { ToolResult, Value } from '../../../program/index.ts'
import type { FaceFinding, KnownPerson } from '../../backends.ts'
import { testContext } from '../../scripted.ts'
import { createToolbox } from '../../toolbox.ts'
import { cosine } from './features.ts'
import { euclidean } from './identity.ts'
import { photoBackends } from './photo-backends.ts'

const cacheDir = await mkdtemp(join(tmpdir(), 'pupil-photo-'))
const notes: ProgressNote[] = []
let people: readonly KnownPerson[] | null = null
const photo = photoBackends({
  cacheDir,
  progress: (note) => notes.push(note),
  people: async () => people,
})
const toolbox = createToolbox({ backends: photo.backends })
after(async () => {
  await photo.close()
  await rm(cacheDir, { recursive: true })
})

async function load(name: string, maxSide = 960): Promise<Image> {
  const path = new URL(`../../../../test/fixtures/photos/${name}.jpg`, import.meta.url)
  return (await decodePicture(await readFile(path), { maxSide })).image
}

const astronaut = await load('astronaut')
const cat = await load('chelsea')
const coffee = await load('coffee')
const camera = await load('camera')
const crew = await load('crew')
const jockey = await load('jockey')
const teddy = await load('teddy')
const bakery = await load('bakery')

function call(
  tool: string,
  args: Readonly<Record<string, Value>>,
  family = 'open',
): Promise<ToolResult> {
  return toolbox.call(tool, args, testContext({ family }))
}

const objectsOf = (result: ToolResult): readonly ObjectRecord[] =>
  result.value as readonly ObjectRecord[]

async function ask(image: Image, question: string): Promise<unknown> {
  return (await call('VQA', { image, question })).value
}

/** Text in the shipped font, black on white, at known places. */
function drawText(
  width: number,
  height: number,
  lines: readonly {
    readonly text: string
    readonly x: number
    readonly y: number
    readonly size: number
  }[],
): Image {
  const require = createRequire(import.meta.url)
  GlobalFonts.registerFromPath(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'), 'Test')
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, width, height)
  pen.fillStyle = 'black'
  pen.textBaseline = 'top'
  for (const { text, x, y, size } of lines) {
    pen.font = `${size}px Test`
    pen.fillText(text, x, y)
  }
  const rgba = pen.getImageData(0, 0, width, height).data
  const rgb = new Uint8Array(width * height * 3)
  for (let p = 0; p < width * height; p++) rgb.set(rgba.subarray(p * 4, p * 4 + 3), p * 3)
  return createImage(rgb, width, height)
}

/** The box around dark pixels within a part of a picture. */
function inkBox(image: Image, [x1, y1, x2, y2]: readonly [number, number, number, number]) {
  const box = [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number]
  for (let y = Math.max(0, Math.floor(y1)); y < Math.min(image.height, y2); y++) {
    for (let x = Math.max(0, Math.floor(x1)); x < Math.min(image.width, x2); x++) {
      if ((image.data[(y * image.width + x) * 3] ?? 255) > 128) continue
      box[0] = Math.min(box[0], x)
      box[1] = Math.min(box[1], y)
      box[2] = Math.max(box[2], x + 1)
      box[3] = Math.max(box[3], y + 1)
    }
  }
  return box
}

/** The picture turned about its middle by some degrees, grey where nothing is. */
function turned(image: Image, degrees: number): Image {
  const canvas = createCanvas(image.width, image.height)
  const pen = canvas.getContext('2d')
  const source = createCanvas(image.width, image.height)
  const data = source.getContext('2d').createImageData(image.width, image.height)
  for (let p = 0; p < image.width * image.height; p++) {
    data.data.set(image.data.subarray(p * 3, p * 3 + 3), p * 4)
    data.data[p * 4 + 3] = 255
  }
  source.getContext('2d').putImageData(data, 0, 0)
  pen.fillStyle = 'grey'
  pen.fillRect(0, 0, image.width, image.height)
  pen.translate(image.width / 2, image.height / 2)
  pen.rotate((degrees * Math.PI) / 180)
  pen.drawImage(source, -image.width / 2, -image.height / 2)
  const rgba = pen.getImageData(0, 0, image.width, image.height).data
  const rgb = new Uint8Array(image.width * image.height * 3)
  for (let p = 0; p < image.width * image.height; p++)
    rgb.set(rgba.subarray(p * 4, p * 4 + 3), p * 3)
  return createImage(rgb, image.width, image.height)
}

describe('models', () => {
  test('are converted once, told, and kept under the hash of their sources', async () => {
    await call('LOC', { image: astronaut, object: 'person' })
    const told = notes.filter((note) => note.task === 'convert centernet')
    assert.deepEqual(
      told.map((note) => note.status),
      ['start', 'done'],
    )
    const files = await readdir(join(cacheDir, 'photo'))
    assert.ok(files.some((file) => /^centernet-[0-9a-f]{16}\.onnx$/.test(file)))
    await using again = photoBackends({ cacheDir, progress: () => assert.fail('converted again') })
    await again.models.session('centernet')
    assert.match(again.models.stamp('centernet').hash ?? '', /^[0-9a-f]{64}$/)
  })
})

describe('finding', () => {
  test('people, cats and cups are found and counted on photographs', async () => {
    for (const [image, object] of [
      [astronaut, 'person'],
      [cat, 'cats'],
      [coffee, 'mug'],
      [camera, 'man'],
    ] as const) {
      const found = await call('LOC', { image, object })
      assert.equal((await call('COUNT', { box: found.value })).value, 1, object)
    }
  })

  test('what is known and not there is an empty list; an unknown word is an error with what would know it', async () => {
    assert.deepEqual((await call('LOC', { image: astronaut, object: 'dog' })).value, [])
    await assert.rejects(call('LOC', { image: astronaut, object: 'tulip' }), {
      code: 'T_UNAVAILABLE',
      cure: /open-vocabulary detector/,
    })
  })

  test('a faint person is counted when a face says so', async () => {
    const found = objectsOf(await call('LOC', { image: crew, object: 'people' }))
    assert.equal(found.length, 3)
  })

  test('descriptions narrow: colour, clothes, place', async () => {
    const found = async (image: Image, object: string): Promise<number> =>
      objectsOf(await call('LOC', { image, object })).length
    assert.equal(await found(astronaut, 'person in orange'), 1)
    assert.equal(await found(astronaut, 'person in green'), 0)
    assert.equal(await found(camera, 'person on the left'), 1)
    assert.equal(await found(camera, 'person on the right'), 0)
    assert.equal(await found(cat, 'the brown cat'), 1)
  })

  test('faces are found on people, and not on a cat or a cup', async () => {
    const [face, ...rest] = objectsOf(await call('FACEDET', { image: astronaut }))
    assert.deepEqual(rest, [])
    assert.ok(face !== undefined && face.box[0] < 190 && face.box[2] > 260 && face.box[3] < 230)
    assert.equal(maskArea(face.mask!), (face.box[2] - face.box[0]) * (face.box[3] - face.box[1]))
    assert.deepEqual((await call('FACEDET', { image: cat })).value, [])
    assert.deepEqual((await call('FACEDET', { image: coffee })).value, [])
  })

  test('a small portrait keeps its face in place', async () => {
    const crop = cropImage(astronaut, [130, 20, 330, 220])
    const [face] = (await photo.backends.faces?.faces(crop)) ?? []
    assert.ok(face !== undefined && face.score > 0.5)
    const [eye] = face.points
    const [whole] = (await photo.backends.faces?.faces(astronaut)) ?? []
    assert.ok(Math.abs((eye?.[0] ?? 0) + 130 - (whole?.points[0]?.[0] ?? 0)) < 6)
    assert.ok(Math.abs((eye?.[1] ?? 0) + 20 - (whole?.points[0]?.[1] ?? 0)) < 6)
  })

  test('SEG cuts the object out of its box', async () => {
    const [cup] = objectsOf(await call('SEG', { image: coffee }))
    assert.equal(cup?.category, 'cup')
    const [x1, y1, x2, y2] = cup.box
    const fill = maskArea(cup.mask!) / ((x2 - x1) * (y2 - y1))
    assert.ok(fill > 0.3 && fill < 0.95, `fills ${fill} of its box`)
    const chosen = objectsOf(await call('SELECT', { image: coffee, object: [cup], query: 'mugs' }))
    assert.equal(chosen.length, 1)
  })

  test('CLASSIFY tells objects by what their crops show', async () => {
    const box = pixelBox([40, 5, 400, 295], cat) ?? cat.frame
    const object = [[...(box as readonly number[])]]
    const [found] = objectsOf(
      await call('CLASSIFY', { image: cat, object, categories: 'dog, cat' }),
    )
    assert.equal(found?.class, 'cat')
  })
})

describe('answering', () => {
  const cases: readonly (readonly [image: Image, question: string, answer: string])[] = [
    [astronaut, 'How many people are there?', '1'],
    [astronaut, 'Is there a dog in the picture?', 'no'],
    [astronaut, 'What colour is the suit?', 'orange'],
    [astronaut, 'Is the person wearing orange?', 'yes'],
    [cat, 'What animal is this?', 'cat'],
    [cat, 'Is it a cat or a dog?', 'cat'],
    [camera, 'Is the picture black and white?', 'yes'],
    [camera, 'Is the man on the left or on the right?', 'left'],
    [coffee, 'Where is the cup?', 'middle'],
    [coffee, 'Are there more people than cups?', 'no'],
    [crew, 'How many people are in the picture?', '3'],
    [crew, 'How many faces can you see?', '3'],
    [crew, 'Are there more than two people?', 'yes'],
    [crew, 'Is there a person on the right?', 'yes'],
    [jockey, 'Is the person on the horse?', 'yes'],
    [jockey, 'What animal is in the picture?', 'horse'],
    [jockey, 'What colour is the horse?', 'brown'],
    [teddy, 'Is the teddy bear to the right of the child?', 'yes'],
    [teddy, 'Is the teddy bear left or right of the child?', 'right'],
    [teddy, 'What is to the left of the teddy bear?', 'person'],
    [teddy, 'What kind of toy is this?', 'teddy bear'],
    [bakery, 'What does the sign say?', 'bacon& rosemary gasse'],
  ]
  for (const [image, question, answer] of cases) {
    test(`"${question}" gives ${answer}`, async () =>
      assert.equal(await ask(image, question), answer))
  }

  test('works on crops, where "it" is what the crop shows', async () => {
    const crop = cropImage(coffee, [60, 0, 520, 400])
    assert.equal(await ask(crop, 'How many cups are there?'), '1')
    assert.match(
      String(await ask(cropImage(astronaut, [40, 250, 120, 400]), 'What colour is it?')),
      /orange|red/,
    )
  })

  test('of several things on a side, the one farthest to it is selected', async () => {
    const faces = objectsOf(await call('FACEDET', { image: crew }))
    const middle = (one?: ObjectRecord): number => ((one?.box[0] ?? 0) + (one?.box[2] ?? 0)) / 2
    const leftmost = faces.toSorted((a, b) => middle(a) - middle(b))[0]
    const args = { image: crew, object: faces, query: 'face on the left' }
    const chosen = objectsOf(await call('SELECT', args))
    assert.deepEqual(
      chosen.map((one) => one.box),
      [leftmost?.box],
    )
  })

  test('a thing that fills its crop is seen, and one that is elsewhere is not', async () => {
    const [cup] = objectsOf(await call('LOC', { image: coffee, object: 'cup' }))
    const crop = cropImage(coffee, cup?.box ?? [0, 0, 1, 1])
    assert.equal(await ask(crop, 'How many cups are there?'), '1')
    assert.match(String(await ask(crop, 'What colour is the cup?')), /red|brown|orange|white/)
    assert.equal(await ask(crop, 'How many people are there?'), '0')
  })

  test('small print is read with the pixels of the file, on the picture and on its parts', async () => {
    const small = await load('bakery', 400)
    assert.match(String(await ask(small, 'What does the sign say?')), /bacon.*rosemary/)
    const right = cropImage(small, [200, 0, 400, small.height])
    const [line] = objectsOf(await call('OCR', { image: right }))
    assert.match(line?.label ?? '', /BACON/)
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = line?.box ?? []
    assert.ok(x1 > 80 && x2 < 150 && y1 > 140 && y2 < 175, String(line?.box))
  })

  test('answers carry a score and how they were found', async () => {
    const result = await call('VQA', { image: astronaut, question: 'How many people are there?' })
    assert.match(result.raw ?? '', /found 1 x people \(0\.\d\d\)/)
    assert.ok((result.score ?? 0) > 0.5 && (result.score ?? 0) < 1)
  })

  test('what cannot be measured is refused, naming what would answer it', async () => {
    for (const question of [
      'What is the man doing?',
      'Is the woman happy?',
      'Is there a kettle?',
      'What is behind the person?',
    ]) {
      await assert.rejects(
        ask(astronaut, question),
        { code: 'T_UNAVAILABLE', cure: /vision-language model/ },
        question,
      )
    }
  })

  test('CAPTION lists what was detected, marked as such', async () => {
    const result = await call('CAPTION', { image: coffee })
    assert.equal(result.value, 'A picture with a cup in the middle.')
    assert.deepEqual(
      result.notices?.map((notice) => notice.code),
      ['N_CAPTION_LISTED'],
    )
  })
})

describe('reading', () => {
  const placed = [
    { text: 'STATION ROAD', x: 40, y: 30, size: 40 },
    { text: 'Platform 7', x: 60, y: 130, size: 32 },
    { text: 'to London', x: 400, y: 132, size: 32 },
  ]

  test('text drawn at known places is read there, in odd sizes', async () => {
    for (const [width, height] of [
      [613, 211],
      [577, 333],
    ] as const) {
      const sign = drawText(width, height, placed)
      const lines = (await photo.backends.reader?.read(sign)) ?? []
      assert.deepEqual(
        lines.map((line) => line.text.replaceAll(' ', '')),
        ['STATIONROAD', 'Platform7', 'toLondon'],
      )
      assert.deepEqual(
        lines.map((line) => line.line),
        [0, 1, 1],
      )
      lines.forEach((line, i) => {
        const { x, y, size, text } = placed[i]!
        const next = i === 1 ? placed[2]!.x - 10 : width
        const ink = inkBox(sign, [x - 2, y - 4, next, y + 1.5 * size])
        const most = (ink[3] - ink[1]) / 2 + 2
        const [dx1, dy1, dx2, dy2] = [0, 1, 2, 3].map((k) => Math.abs(line.box[k]! - ink[k]!))
        assert.ok(Math.max(dx1!, dy1!, dx2!, dy2!) <= most, `${line.box} around ${ink}`)
        assert.ok(line.box[0] <= ink[0] + 2 && line.box[1] <= ink[1] + 2, `covers ${text}`)
        assert.ok(line.box[2] >= ink[2] - 2 && line.box[3] >= ink[3] - 2, `covers ${text}`)
      })
    }
  })

  test('signs are answered about, numbers alone too, and OCR gives objects with the text as label', async () => {
    const sign = drawText(613, 211, placed)
    assert.match(
      String(await ask(sign, 'What does the sign say?')),
      /^station ?road platform ?7 to ?london$/,
    )
    assert.equal(await ask(sign, 'What number is on the sign?'), '7')
    const objects = objectsOf(await call('OCR', { image: sign }))
    assert.deepEqual(new Set(objects.map((one) => one.category)), new Set(['text']))
    assert.match(objects[0]?.label ?? '', /^STATION ?ROAD$/)
  })

  test('photographs without text give none', async () => {
    assert.deepEqual((await call('OCR', { image: cat })).value, [])
    assert.equal(await ask(cat, 'What does the sign say?'), 'unknown')
  })

  test('a plain picture gives nothing at all', async () => {
    const plain = solidImage({ width: 320, height: 200 }, [120, 130, 140])
    assert.deepEqual((await call('OCR', { image: plain })).value, [])
    assert.deepEqual((await call('SEG', { image: plain })).value, [])
    assert.deepEqual((await call('FACEDET', { image: plain })).value, [])
    assert.equal(await ask(plain, 'How many people are there?'), '0')
  })
})

describe('identity', () => {
  const identity = photo.backends.identity!
  const faceOf = async (image: Image): Promise<FaceFinding> => {
    const [face] = (await photo.backends.faces?.faces(image)) ?? []
    assert.ok(face !== undefined)
    return face
  }

  test('is off until it is turned on, and says how', async () => {
    people = null
    assert.equal(await identity.enabled(), false)
    const face = await faceOf(astronaut)
    await assert.rejects(identity.embed(astronaut, face), {
      code: 'T_UNAVAILABLE',
      cure: /people enable/,
    })
    await assert.rejects(ask(astronaut, 'Who is this?'), {
      code: 'T_UNAVAILABLE',
      cure: /people enable/,
    })
  })

  test('a face stays itself when it is turned or halved, and another is far away', async () => {
    people = []
    const base = await identity.embed(astronaut, await faceOf(astronaut))
    for (const degrees of [-30, -10, 10, 20, 30]) {
      const image = turned(astronaut, degrees)
      const distance = euclidean(base, await identity.embed(image, await faceOf(image)))
      assert.ok(distance < 0.3, `${degrees} degrees: ${distance}`)
    }
    const half = await resizeImage(astronaut, { width: 256, height: 256 })
    const distance = euclidean(base, await identity.embed(half, await faceOf(half)))
    assert.ok(distance < 0.3, `halved: ${distance}`)
    const other = await identity.embed(camera, await faceOf(camera))
    assert.ok(euclidean(base, other) > 0.62)
  })

  test('people that were shown are named in answers and chosen by name', async () => {
    people = []
    const vector = await identity.embed(astronaut, await faceOf(astronaut))
    people = [{ name: 'Eileen', vectors: [vector], tombstones: [] }]
    assert.equal(await ask(astronaut, 'Who is this?'), 'eileen')
    assert.equal(await ask(astronaut, 'Is this Eileen?'), 'yes')
    assert.equal(await ask(camera, 'Is this Eileen?'), 'no')
    const faces = await call('FACEDET', { image: astronaut })
    const chosen = await call('SELECT', { image: astronaut, object: faces.value, query: 'Eileen' })
    assert.equal(objectsOf(chosen).length, 1)
    const others = await call('FACEDET', { image: camera })
    const nobody = await call('SELECT', { image: camera, object: others.value, query: 'Eileen' })
    assert.deepEqual(
      nobody.notices?.map((notice) => notice.code),
      ['N_EMPTY_SELECTION'],
    )
    people = null
  })
})

describe('features', () => {
  test('crops of one thing are nearer to each other than to another thing', async () => {
    const { features } = photo
    const one = await features.embed(cat, [0, 0, 420, 300])
    const same = await features.embed(cat, [30, 10, 440, 290])
    const other = await features.embed(coffee, [160, 10, 420, 280])
    assert.equal(one.length, features.size)
    assert.ok(Math.abs(cosine(one, one) - 1) < 1e-5)
    assert.ok(cosine(one, same) > cosine(one, other) + 0.05)
  })
})

describe('editing', () => {
  test('every face of three is covered by an emoji, and nothing else is touched', async () => {
    const faces = await call('FACEDET', { image: crew })
    const result = await call('EMOJI', { image: crew, object: faces.value, emoji: 'smiling_face' })
    const covered = result.value as Image
    for (const { box } of objectsOf(faces)) {
      const [x, y] = [Math.round((box[0] + box[2]) / 2), Math.round((box[1] + box[3]) / 2)]
      const [r = 0, g = 0, b = 0] = covered.data.subarray((y * crew.width + x) * 3)
      assert.ok(r > 150 && b < 140 && g > 80, `yellow at ${x}, ${y}: ${r}, ${g}, ${b}`)
    }
    assert.deepEqual(covered.data.subarray(0, 3000), crew.data.subarray(0, 3000))
  })

  test('the background is blurred except the bear, by its name', async () => {
    const parts = await call('SEG', { image: teddy })
    const bear = await call('SELECT', { image: teddy, object: parts.value, query: 'teddy' })
    assert.deepEqual(
      objectsOf(bear).map((one) => one.category),
      ['teddy bear'],
    )
    const blurred = (await call('BGBLUR', { image: teddy, object: bear.value })).value as Image
    assert.notEqual(blurred.hash, teddy.hash)
  })

  test('REPLACE with "background" fills a hole and leaves the rest bit-identical', async () => {
    const object = [[480, 80, 560, 150]]
    const result = await call('REPLACE', { image: coffee, object, prompt: 'background' })
    const filled = result.value as Image
    let changed = 0
    for (let p = 0; p < coffee.width * coffee.height; p++) {
      const [x, y] = [p % coffee.width, Math.floor(p / coffee.width)]
      // Removal grows the mask by 3 pixels.
      const inside = x >= 477 && x < 563 && y >= 77 && y < 153
      const differs = [0, 1, 2].some((c) => coffee.data[p * 3 + c] !== filled.data[p * 3 + c])
      if (!inside) assert.ok(!differs)
      if (differs) changed++
    }
    assert.ok(changed > 1000)
    await assert.rejects(
      call('REPLACE', { image: coffee, object: [[0, 0, 600, 390]], prompt: 'background' }),
      {
        code: 'T_UNAVAILABLE',
      },
    )
    await assert.rejects(call('REPLACE', { image: coffee, object, prompt: 'a rose' }), {
      code: 'T_UNAVAILABLE',
    })
  })
})
