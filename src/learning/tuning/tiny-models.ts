import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { hash32, seededRandom } from '../../base/index.ts'
import { createImage, resizeBytes } from '../../image/index.ts'
import type { Image } from '../../image/index.ts'
import { builder, graphOf, modelOf, readModel, valueInfo } from '../../onnx/index.ts'
import type { Model, RunTensor } from '../../onnx/index.ts'
import type { LearnableDetector, LearnableFiller, LearnableSegmenter } from '../../tools/index.ts'
import { floats, longs } from './fits-model.ts'

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/onnx')

/** The picture squashed to a square, −1 to 1, planes first. */
async function squashed(image: Image, side: number): Promise<RunTensor> {
  const size = { width: side, height: side }
  const bytes = await resizeBytes(image.data, image, 3, size, { kernel: 'linear' })
  const plane = side * side
  const at = (i: number): number => bytes[(i % plane) * 3 + Math.floor(i / plane)] ?? 0
  return floats(
    [1, 3, side, side],
    Array.from({ length: 3 * plane }, (_, i) => at(i) / 127.5 - 1),
  )
}

/** Mean colour, of length one: enough to tell pictures of the tests apart. */
async function colourOf(image: Image): Promise<Float32Array> {
  const sums = [0, 0, 0]
  image.data.forEach((value, i) => (sums[i % 3] = (sums[i % 3] ?? 0) + value))
  const length = Math.hypot(...sums)
  return Float32Array.from(sums, (sum) => sum / length)
}

/** A detector with random weights: 32 × 32 pixels, 16 places, names by four ids. */
export function tinyDetector(): LearnableDetector {
  const model = readModel(join(FOLDER, 'owlvit.onnx'))
  return {
    ...{ kind: 'detector', name: 'tiny/detector', tools: ['LOC'], hash: 'tiny' },
    ...{ pixels: 'pixel_values', boxes: 'pred_boxes', logits: 'logits', boxForm: 'centre' },
    injection: { kind: 'through', count: 12, from: 'pixel_values' },
    model: async () => model,
    picture: async (image) => ({ pixels: await squashed(image, 32), side: image.width }),
    asked: async (names) => ({
      input_ids: longs(
        [names.length, 4],
        names.flatMap((name) => [1, 3 + (hash32(name) % 40), 3 + (hash32(name) % 37), 2]),
      ),
      attention_mask: longs([names.length, 4], new Array<number>(4 * names.length).fill(1)),
    }),
    feature: colourOf,
  }
}

/** A segmenter with random weights: 64 × 64 pixels, six masks of 16 × 16. */
export function tinySegmenter(): LearnableSegmenter {
  const model = readModel(gunzipSync(readFileSync(join(FOLDER, 'maskformer.onnx.gz'))))
  return {
    ...{ kind: 'segmenter', name: 'tiny/segmenter', tools: ['SEG'], hash: 'tiny', count: 6 },
    ...{ pixels: 'pixel_values', masks: 'masks_queries_logits', classes: 'class_queries_logits' },
    injection: { kind: 'rows', count: 8 },
    model: async () => model,
    picture: async (image) => ({ pixels: await squashed(image, 64), side: image.width }),
    feature: colourOf,
  }
}

const SIDE = 4
const WIDTH = 8

/** A denoiser that adds what a text says to every pixel: pictures of a colour are a vector to be learnt. */
export function tinyFiller(): LearnableFiller {
  const model = denoiser()
  const size = 3 * SIDE * SIDE
  return {
    ...{ kind: 'filler', name: 'tiny/filler', tools: ['REPLACE'], hash: 'tiny' },
    ...{ noisy: 'noisy', time: 'time', predicted: 'predicted' },
    injection: { kind: 'vectors', ids: 'ids', placeholders: [0] },
    model: async () => model,
    text: (concept) => ({ ids: longs([1, 2], concept === null ? [0, 1] : [2, 1]) }),
    startVector: async () => new Float32Array(WIDTH),
    patch: async (image) => ({
      clean: await squashed(image, SIDE),
      feeds: { hole: floats([1, 3, SIDE, SIDE], new Float32Array(size)) },
      feature: await colourOf(image),
    }),
    alphaBar: (time) => Math.cos((Math.PI / 2) * time) ** 2,
  }
}

/** predicted = 0.3·noisy + hole + W·(mean of the text's vectors) + 0·time, a plane a colour. */
function denoiser(): Model {
  const random = seededRandom('denoiser')
  const draw = (count: number): number[] => Array.from({ length: count }, () => random.normal())
  const b = builder(
    graphOf({
      name: 'denoiser',
      ...{ nodes: [], initializers: [], outputs: [] },
      inputs: [
        valueInfo('ids', 'int64', [1, 2]),
        valueInfo('noisy', 'float32', [1, 3, SIDE, SIDE]),
        valueInfo('hole', 'float32', [1, 3, SIDE, SIDE]),
        valueInfo('time', 'float32', [1]),
      ],
    }),
  )
  const table = b.constant(draw(4 * WIDTH), [4, WIDTH])
  const words = b.op('Gather', [table, 'ids'], { axis: 0 })
  const text = b.reduce('ReduceMean', words, [1], false)
  const weights = b.constant(draw(WIDTH * 3), [WIDTH, 3])
  const colour = b.reshape(b.op('MatMul', [text, weights]), [1, 3, 1, 1])
  const still = b.op('Mul', ['time', b.scalar(0)])
  const base = b.op('Add', [b.op('Mul', ['noisy', b.scalar(0.3)]), 'hole'])
  const sum = b.op('Add', [b.op('Add', [base, colour]), still])
  const predicted = b.op('Identity', [sum])
  const graph = b.graph()
  const last = graph.nodes.map((node) =>
    node.outputs[0] === predicted ? { ...node, outputs: ['predicted'] } : node,
  )
  return modelOf({
    ...graph,
    nodes: last,
    outputs: [valueInfo('predicted', 'float32', [1, 3, SIDE, SIDE])],
  })
}

/** A square of a colour on grey, with fine structure that makes each picture its own. */
export function square(
  colour: readonly [number, number, number],
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  number: number,
): Image {
  const side = 32
  const random = seededRandom(`square/${number}`)
  const data = new Uint8Array(side * side * 3)
  for (let i = 0; i < side * side; i++) {
    const [x, y] = [i % side, Math.floor(i / side)]
    const isInside = x >= x1 && x < x2 && y >= y1 && y < y2
    const light = 0.9 + 0.1 * random.next()
    for (let k = 0; k < 3; k++)
      data[3 * i + k] = Math.round((isInside ? (colour[k] ?? 0) : 90) * light)
  }
  return createImage(data, side, side)
}
