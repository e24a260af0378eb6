import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  createImage,
  decodePicture,
  decodeRgba,
  encodePicture,
  isImage,
  maskArea,
  maskBox,
  maskFromString,
  pixelAt,
  solidImage,
} from '../image/index.ts'
import type { Image } from '../image/index.ts'
import { fakePictureServer } from '../testing/index.ts'
import type { FakeEditAnswer } from '../testing/index.ts'
import type { UserConfig } from './config.ts'
import { openPupil } from './open-pupil.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-generator-'))
after(() => rmSync(root, { recursive: true, force: true }))
let homes = 0

function open(config: UserConfig, env: Record<string, string> = {}) {
  const home = join(root, String(homes++))
  return openPupil({ cwd: root, config, env: { PUPIL_HOME: home, ...env } })
}

/** Every pixel of it is different, so that a shift of one is seen. */
function ramp(width: number, height: number): Image {
  const data = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++) {
    data.set([(i % width) % 256, Math.floor(i / width) % 256, 40], i * 3)
  }
  return createImage(data, width, height)
}

const PICTURE = ramp(400, 300)
const FILE = await encodePicture(PICTURE, 'png')
const BOX = [100, 120, 180, 200] as const
const program = (prompt: string, box: readonly number[] = BOX): string =>
  `A=REPLACE(image=IMAGE,object=[[${box.join(',')}]],prompt='${prompt}')\nFINAL_RESULT=RESULT(var=A)`

async function red(side: number, height = side): Promise<string> {
  const bytes = await encodePicture(solidImage({ width: side, height }, [200, 10, 10]), 'png')
  return Buffer.from(bytes).toString('base64')
}
const RED = await red(1024)
const made = (b64_json: string): FakeEditAnswer => ({ body: { data: [{ b64_json }] } })

const at = (address: string, more: UserConfig = {}): UserConfig => ({
  models: { generator: 'openai-compatible/painter' },
  providers: { 'openai-compatible': { baseURL: `${address}/v1` } },
  ...more,
})

async function edited(config: UserConfig, text: string, env?: Record<string, string>) {
  const pupil = await open(config, env)
  const run = await pupil.run([FILE], text)
  await pupil.close()
  return run
}

function imageOf({ outcome }: Awaited<ReturnType<typeof edited>>): Image {
  assert.ok(outcome.status === 'done', JSON.stringify(outcome))
  assert.ok(isImage(outcome.value))
  return outcome.value
}

function errorOf({ outcome }: Awaited<ReturnType<typeof edited>>) {
  assert.ok(outcome.status === 'error', JSON.stringify(outcome))
  return outcome.error
}

function noticesOf({ steps }: Awaited<ReturnType<typeof edited>>): string {
  const notices = steps.flatMap((step) => (step.kind === 'call' ? step.notices : []))
  return notices.map(({ code, message }) => `${code} ${message}`).join('\n')
}

/** Red inside, as it was outside. */
function insideOnly(image: Image, [x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[] = BOX): void {
  const wrong: string[] = []
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      const inside = x >= x1 && x < x2 && y >= y1 && y < y2
      const wanted = inside ? [200, 10, 10] : pixelAt(PICTURE, x, y)
      if (String(pixelAt(image, x, y)) !== String(wanted)) wrong.push(`${x}, ${y}`)
    }
  }
  assert.deepEqual(wrong, [])
}

test('a prompt is painted by an OpenAI-compatible server and changes the mask only', async () => {
  await using server = await fakePictureServer(() => made(RED))
  const run = await edited(at(server.address), program('a red balloon'))
  insideOnly(imageOf(run))
  assert.match(noticesOf(run), /N_FILLED .* painted by openai-compatible\/painter/)
  assert.equal(run.cost.calls, 1)
  assert.equal(run.cost.pictures, 1)
  const [edit] = server.edits
  assert.equal(edit?.path, '/v1/images/edits')
  const { model, prompt, size, n, seed, num_inference_steps, guidance_scale } = edit?.fields ?? {}
  assert.deepEqual(
    { model, prompt, size, n, num_inference_steps, guidance_scale },
    {
      ...{ model: 'painter', prompt: 'a red balloon', size: '1024x1024', n: '1' },
      ...{ num_inference_steps: '50', guidance_scale: '7.5' },
    },
  )
  assert.match(seed ?? '', /^\d+$/)
})

test('the model sees the hole in the middle of a square of the picture, transparent in the mask', async () => {
  await using server = await fakePictureServer(() => made(RED))
  await edited(at(server.address), program('a red balloon'))
  const { image: sent, mask } = server.edits[0]?.files ?? {}
  const { image } = await decodePicture(sent ?? new Uint8Array())
  assert.deepEqual([image.width, image.height], [1024, 1024])
  // The square is 256 pixels of the picture, from (12, 32): the hole's middle is (140, 160).
  const [r, g] = pixelAt(image, 512, 512)
  assert.ok(Math.abs(r - 140) <= 1 && Math.abs(g - 160) <= 1, `${r}, ${g}`)
  const hole = await decodeRgba(mask ?? new Uint8Array())
  const alpha = (x: number, y: number) => hole.data[(y * 1024 + x) * 4 + 3]
  assert.deepEqual([hole.width, hole.height], [1024, 1024])
  assert.deepEqual(
    [alpha(512, 512), alpha(360, 512), alpha(345, 512), alpha(512, 670), alpha(512, 680)],
    [0, 0, 255, 0, 255],
  )
})

test('a hole at the border and larger than the picture is high gets a square with its border continued', async () => {
  await using server = await fakePictureServer(() => made(RED))
  const wide = [10, 100, 390, 300]
  insideOnly(imageOf(await edited(at(server.address), program('a lake', wide))), wide)
  insideOnly(imageOf(await edited(at(server.address), program('x', [0, 0, 5, 5]))), [0, 0, 5, 5])
})

test('what is to go is removed by the model, when there is one', async () => {
  await using server = await fakePictureServer(() => made(RED))
  const image = imageOf(await edited(at(server.address), program('background')))
  assert.deepEqual(pixelAt(image, 140, 160), [200, 10, 10])
  assert.deepEqual(
    pixelAt(image, 97, 160),
    [200, 10, 10],
    'an edge keeps a shade of what was there',
  )
  assert.deepEqual(pixelAt(image, 96, 160), pixelAt(PICTURE, 96, 160))
  assert.match(server.edits[0]?.fields.prompt ?? '', /^nothing: only what is behind/)
})

test('OpenAI is asked with its key and with what its API knows only', async () => {
  await using server = await fakePictureServer(() => ({
    body: { data: [{ b64_json: RED }], usage: { input_tokens: 300, output_tokens: 700 } },
  }))
  const config: UserConfig = {
    models: { generator: 'openai/gpt-image-1' },
    providers: { openai: { baseURL: `${server.address}/v1` } },
    prices: { 'openai/gpt-image-1': { input: 10, output: 40 } },
    budget: { money: 1 },
  }
  const run = await edited(config, program('a rose'), { OPENAI_API_KEY: 'sk-test' })
  insideOnly(imageOf(run))
  const [edit] = server.edits
  assert.equal(edit?.authorization, 'Bearer sk-test')
  assert.deepEqual(Object.keys(edit?.fields ?? {}).toSorted(), ['model', 'n', 'prompt', 'size'])
  assert.equal(run.cost.tokens, 1000)
  assert.equal(run.cost.money, 0.031)
})

test('a LLaVA-Plus worker paints, found by its controller or by its own address', async () => {
  await using server = await fakePictureServer(({ path }) => {
    if (path === '/get_worker_address') return { body: { address: server.address } }
    return { body: { edited_image: RED, error_code: 0 } }
  })
  for (const provider of ['llava-plus', 'llava-plus-worker']) {
    const config: UserConfig = {
      models: { generator: `${provider}/inpainting` },
      providers: { [provider]: { baseURL: server.address } },
    }
    insideOnly(imageOf(await edited(config, program('a rose'))))
  }
  assert.deepEqual(
    server.edits.map(({ path }) => path),
    ['/get_worker_address', '/worker_generate', '/worker_generate'],
  )
  const body = server.edits[1]?.json as Record<string, unknown>
  assert.equal(body.prompt, 'a rose')
  const { size, counts } = body.mask as { size: [number, number]; counts: string }
  const mask = maskFromString(counts, ...size)
  assert.deepEqual(maskBox(mask), [352, 352, 672, 672])
  assert.equal(maskArea(mask), 320 * 320)
})

test('each way of going wrong is told, and nothing is made instead', async () => {
  const answers: readonly (readonly [FakeEditAnswer, string, RegExp])[] = [
    [{ status: 404, body: 'Not Found' }, 'E_MODEL_UNKNOWN', /is not known there/],
    [{ status: 401, body: { error: { message: 'bad key' } } }, 'E_MODEL_KEY', /refused: bad key/],
    [
      { status: 400, body: { error: { message: 'content policy' } } },
      'E_MODEL_REQUEST',
      /refused the request: content policy/,
    ],
    [{ body: 'hello' }, 'T_LLM', /something other than a reply/],
    [{ body: { data: [] } }, 'T_LLM', /with no picture/],
    [made(Buffer.from('no picture').toString('base64')), 'T_LLM', /that is no picture/],
    [made(await red(1536, 1024)), 'T_BACKEND', /1536 x 1024 pixels where 1024 x 1024/],
  ]
  for (const [answer, code, message] of answers) {
    await using server = await fakePictureServer(() => answer)
    const error = errorOf(await edited(at(server.address), program('a rose')))
    assert.equal(error.code, code)
    assert.match(error.message, message)
    assert.equal(server.edits.length, 1, error.message)
  }
})

test('a budget without pictures left, and money without a price, ask nobody', async () => {
  await using server = await fakePictureServer(() => made(RED))
  const none = at(server.address, { budget: { pictures: 0 } })
  assert.equal(errorOf(await edited(none, program('a rose'))).code, 'E_BUDGET')
  const unpriced = at(server.address, { budget: { money: 1 } })
  assert.equal(errorOf(await edited(unpriced, program('a rose'))).code, 'E_MODEL_PRICE')
  assert.equal(server.edits.length, 0)
})

test('the doctor says what the image model can do, lets it try when asked to, and what is missing', async () => {
  await using server = await fakePictureServer(() => made(RED))
  const look = async (config: UserConfig, probe = false) => {
    const pupil = await open(config)
    const { findings } = await pupil.doctor({ probe })
    await pupil.close()
    return findings.find(({ name }) => name === 'image model for REPLACE')
  }
  assert.equal((await look({}))?.state, 'missing')
  const ready = await look(at(server.address))
  assert.deepEqual([ready?.state, server.edits.length], ['good', 0])
  assert.match(ready?.detail ?? '', /puts what a prompt names in the place of things/)
  assert.match((await look(at(server.address), true))?.detail ?? '', /it painted red/)
  const nowhere = await look({ models: { generator: 'openai-compatible/painter' } })
  assert.deepEqual(nowhere?.state, 'bad')
  assert.match(nowhere?.detail ?? '', /needs the address of a server/)
  const unfit = await look({ models: { generator: 'anthropic/claude' } })
  assert.match(unfit?.detail ?? '', /is no provider of models/)
  const lost = await look({ models: { generator: 'llava-plus/inpainting' } })
  assert.match(lost?.detail ?? '', /needs the address of its controller/)
})
