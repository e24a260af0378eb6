import { join } from 'node:path'
import { createImage, cropImage, resizeBytes } from '../../image/index.ts'
import type { Box, Image } from '../../image/index.ts'
import { openSession, readModel } from '../../onnx/index.ts'
import type { RunTensor, Session } from '../../onnx/index.ts'
import { seededRandom } from '../../base/index.ts'
import type { LearnableEncoder } from '../../tools/index.ts'

const FILE = join(import.meta.dirname, '../../../test/fixtures/onnx/clip-vision.onnx')
const HERE = { thread: 'here', threads: 1 } as const

/** An encoder of two layers with random weights, for tests: 32 × 32 pixels to 12 numbers. */
export function tinyEncoder(texts: Readonly<Record<string, readonly number[]>>): LearnableEncoder {
  const model = readModel(FILE)
  let plain: Promise<Session> | undefined
  const crop = async (image: Image, box: Box): Promise<RunTensor> => {
    const cut = cropImage(image, box)
    const side = { width: 32, height: 32 }
    const bytes = await resizeBytes(cut.data, cut, 3, side, { kernel: 'linear' })
    const plane = 32 * 32
    const data = Float32Array.from(
      { length: 3 * plane },
      (_, i) => (bytes[(i % plane) * 3 + Math.floor(i / plane)] ?? 0) / 127.5 - 1,
    )
    return { type: 'float32', dims: [1, 3, 32, 32], data }
  }
  return {
    ...{ kind: 'encoder', name: 'tiny/encoder', tools: ['SELECT', 'CLASSIFY'], hash: 'tiny' },
    ...{ pixels: 'pixel_values', image: 'image_embeds', scale: 20, crop },
    injection: { kind: 'layers', layers: 2, count: 8, from: 'pixel_values' },
    model: async () => model,
    texts: async (names) => ({
      ...{ type: 'float32', dims: [names.length, 12] },
      data: Float32Array.from(names.flatMap((name) => unit(texts[name] ?? []))),
    }),
    feature: async (image, box) => {
      plain ??= openSession(model, HERE)
      const results = await (await plain).run({ pixel_values: await crop(image, box) })
      return Float32Array.from(unit([...(results['image_embeds']?.data as Float32Array)]))
    },
  }
}

/** A picture of blocks: `colour` says which, the number makes each another picture. */
export function blocks(colour: readonly [number, number, number], number: number): Image {
  const random = seededRandom(`blocks/${number}`)
  const side = 48
  const light = Array.from({ length: 36 }, () => random.next())
  const data = new Uint8Array(side * side * 3)
  for (let i = 0; i < side * side; i++) {
    const cell = Math.floor((i % side) / 8) + 6 * Math.floor(i / side / 8)
    for (let k = 0; k < 3; k++) data[3 * i + k] = Math.round((colour[k] ?? 0) * (light[cell] ?? 0))
  }
  return createImage(data, side, side)
}

export function unit(values: readonly number[]): readonly number[] {
  const length = Math.hypot(...values)
  return values.map((value) => (length === 0 ? 0 : value / length))
}
