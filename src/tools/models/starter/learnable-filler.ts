import { merge, tensorNumbers, withGraph } from '../../../onnx/index.ts'
import type { Injection, Model, RunTensors } from '../../../onnx/index.ts'
import type { LearnableFiller } from '../../learnable.ts'
import { withoutArticle } from '../../names.ts'
import type { StarterModels } from './models.ts'
import type { StarterParts } from './parts.ts'
import { FILL_SIDE, signedTensor, squareAround, squareBytes, squareMask } from './square.ts'
import { maskFromBox } from '../../../image/index.ts'
import { END, PAD, START, TEXT_LENGTH } from './subwords.ts'
import type { Subwords } from './subwords.ts'
import { withArticle } from './texts.ts'

/** The id of the byte 0, which stands in no text: the place of a learnt vector. */
const PLACEHOLDER = 3

/** A new word's vector behind the token table. @source Gal et al. 2022; clova §4.3 (REPLACE) */
export const FILLER_INJECTION: Injection = {
  ...{ kind: 'vectors', ids: 'ids', placeholders: [PLACEHOLDER] },
}

/** The inpainter behind the text tower, as one graph: the text's vector is its condition. */
export async function fillerGraph(models: StarterModels): Promise<Model> {
  const [text, paint] = await Promise.all([models.graph('text'), models.graph('inpaint')])
  return withGraph(paint, merge(text.graph, paint.graph, { joins: { condition: 'text' } }))
}

/** Ids of "a photo of an owl", or with the placeholder in the name's place. */
export function textOf(subwords: Subwords, concept: string | null, named?: string): RunTensors {
  const words =
    concept === null
      ? [...subwords.merged('a photo of a'), PLACEHOLDER]
      : subwords.merged(`a photo of ${named ?? concept}`)
  const ids = [START, ...words.slice(0, TEXT_LENGTH - 2), END]
  const padded = [...ids, ...Array.from({ length: TEXT_LENGTH - ids.length }, () => PAD)]
  const data = BigInt64Array.from(padded.map(BigInt))
  return { ids: { type: 'int64', dims: [1, TEXT_LENGTH], data } }
}

/** What tuning edits: a vector in the text tower. */
export async function learnableFiller({ models, names }: StarterParts): Promise<LearnableFiller> {
  const subwords = await models.subwords()
  return {
    ...{ kind: 'filler', name: 'starter/inpaint', tools: ['REPLACE'] },
    hash: await models.hash('inpaint', 'text'),
    ...{ injection: FILLER_INJECTION, model: () => fillerGraph(models) },
    ...{ noisy: 'noisy', time: 'time', predicted: 'predicted' },
    text: (concept) =>
      textOf(subwords, concept, concept === null ? undefined : withArticle(concept, names)),
    startVector: async (concept) => {
      const head = withoutArticle(concept).split(' ').at(-1) ?? concept
      const table = await tokenTable(models)
      const rows = subwords.merged(head).map((id) => table.row(id))
      return meanOf(rows, table.width)
    },
    patch: async (image, box) => {
      const square = squareAround(box)
      const clean = signedTensor(await squareBytes(image, square))
      const hole = await squareMask(maskFromBox(box, image.height, image.width), square)
      const area = FILL_SIDE * FILL_SIDE
      const known = (clean.data as Float32Array).map(
        (value, i) => value * (1 - (hole[i % area] as number)),
      )
      return {
        clean,
        feeds: {
          picture: { ...clean, data: known },
          mask: { type: 'float32', dims: [1, 1, FILL_SIDE, FILL_SIDE], data: hole },
        },
        // One vector serves a concept wherever it is painted, so all inputs are alike.
        feature: Float32Array.of(1),
      }
    },
    alphaBar: (time) => Math.cos((time * Math.PI) / 2) ** 2,
  }
}

interface Table {
  readonly width: number
  row(id: number): Float32Array
}

/** The vectors of the subwords, as the text tower holds them. */
async function tokenTable(models: StarterModels): Promise<Table> {
  const { graph } = await models.graph('text')
  const gather = graph.nodes.find(({ op, outputs }) => op === 'Gather' && outputs[0] === 'embedded')
  const source = gather?.inputs[0] ?? ''
  // Weights may lie there in half the bytes, widened at the head of the graph.
  const widened = graph.nodes.find(({ op, outputs }) => op === 'Cast' && outputs[0] === source)
  const kept = widened?.inputs[0] ?? source
  const tensor = graph.initializers.find(({ name }) => name === kept)
  const numbers = tensor === undefined ? [] : tensorNumbers(tensor)
  const width = tensor?.dims[1] ?? 0
  return {
    width,
    row: (id) => Float32Array.from(numbers.slice(id * width, (id + 1) * width)),
  }
}

function meanOf(rows: readonly Float32Array[], width: number): Float32Array {
  const mean = new Float32Array(width)
  for (const row of rows)
    row.forEach((value, i) => (mean[i] = (mean[i] ?? 0) + value / rows.length))
  return mean
}
