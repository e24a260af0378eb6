import type { Abortable } from '../../../base/index.ts'
import type { Image } from '../../../image/index.ts'
import type { Injection, RunTensor, RunTensors } from '../../../onnx/index.ts'
import type { Answerer, Captioner } from '../../backends.ts'
import type { LearnableAnswerer } from '../../learnable.ts'
import { mixPrompts } from '../../learnt-prompts.ts'
import { measuredAnswer } from './measured.ts'
import { DRAWINGS_ONLY } from './parts.ts'
import type { StarterParts } from './parts.ts'
import { paddedPicture, rowsOf } from './picture-input.ts'
import { END, PAD, START } from './subwords.ts'
import type { Subwords } from './subwords.ts'

/** Further states that the answer decoder reads. @source clova §4.3 (VQA) */
const INJECTION: Injection = { kind: 'states', count: 16 }
const QUESTION_LENGTH = 32
/** Ids of an answer, its end among them. */
const ANSWER_LENGTH = 10
/** With prompts the decoder always reads so many. */
const PADDED_LENGTH = ANSWER_LENGTH + 1
const WIDTH = 192

/** What the question encoder makes of a picture and a question. */
interface Encoded {
  /** [1, 32, 192]. */
  readonly memory: RunTensor
  /** Picture ‖ question, each of length one. */
  readonly feature: Float32Array
}

/**
 * VQA on drawings. Where prompts were learnt that are near, the model answers with them; what can be found and
 * measured is measured; of all else the model reads the question over the picture and writes the answer.
 */
export function starterAnswerer(parts: StarterParts): Answerer {
  const { models, learnt } = parts
  return {
    name: 'starter/vqa',
    models: () => [models.stamp('vqa'), models.stamp('detector'), models.stamp('encoder')],
    can: [
      'answers one-step questions about drawings: what it is, colour, size, how many, is there',
      'knows the names that LOC knows',
    ],
    cannot: [DRAWINGS_ONLY, 'questions of several steps: programs take them apart'],
    answer: async (image, question, options = {}) => {
      const { memory, feature } = await encode(parts, image, question, options)
      const near = await learnt.near({
        ...{ tool: 'VQA', concept: null, model: await models.hash('vqa') },
        ...{ feature, most: 20, halves: 0.6 },
      })
      const mixed = mixPrompts(near)
      const measured =
        mixed === undefined && parts.measure
          ? await measuredAnswer(parts, image, question, options)
          : undefined
      if (measured !== undefined) return measured
      const written = await write(parts, memory, mixed?.prompts, options)
      if (written.text === '') return { outcome: 'unknown', how: 'The model wrote nothing.' }
      return {
        ...{ outcome: 'answered', answer: written.text, score: written.score },
        ...(mixed === undefined ? {} : { uses: mixed.uses }),
      }
    },
  }
}

/** CAPTION: what the answerer writes without a question. */
export function starterCaptioner(parts: StarterParts): Captioner {
  return {
    name: 'starter/vqa',
    models: () => [parts.models.stamp('vqa')],
    can: ['says in a few words what a drawing shows'],
    cannot: [DRAWINGS_ONLY, 'what happens in a picture: a vision-language model'],
    caption: async (image, options = {}) => {
      const { memory } = await encode(parts, image, '', options)
      const { text, score } = await write(parts, memory, undefined, options)
      const seen = text === '' ? 'nothing that the model knows' : text
      return { text: `A picture with ${seen}.`, score, notices: [] }
    },
  }
}

/** What tuning edits: the decoder alone. */
export async function learnableAnswerer(parts: StarterParts): Promise<LearnableAnswerer> {
  const { models } = parts
  const subwords = await models.subwords()
  return {
    ...{ kind: 'answerer', name: 'starter/vqa', tools: ['VQA'], hash: await models.hash('vqa') },
    ...{ injection: INJECTION, model: () => models.graph('vqa', 'decode.onnx') },
    ...{ logits: 'logits', start: START, end: END, length: ANSWER_LENGTH },
    encode: async (image, question, options = {}) => {
      const { memory, feature } = await encode(parts, image, question, options)
      return { feeds: { memory }, feature }
    },
    said: (ids) => ({ answer: idsTensor(ids) }),
    ids: (answer) => subwords.merged(answer).slice(0, ANSWER_LENGTH - 1),
    words: (ids) => subwords.words(ids),
  }
}

async function encode(
  { models }: StarterParts,
  image: Image,
  question: string,
  options: Abortable,
): Promise<Encoded> {
  const [{ pixels }, subwords, session] = await Promise.all([
    paddedPicture(image, options),
    models.subwords(),
    models.session('vqa', 'encode.onnx'),
  ])
  const ids = questionIds(subwords, question)
  const out = await session.run({ pixels, question: idsTensor(ids) }, options)
  const pooled = out['pooled']?.data as Float32Array // an output of the model
  const feature = Float32Array.from([
    ...unit(pooled.subarray(0, WIDTH)),
    ...unit(pooled.subarray(WIDTH)),
  ])
  return { memory: out['memory'] as RunTensor, feature } // as above
}

/** Subwords and the end, padded; the end alone asks for a caption. */
function questionIds(subwords: Subwords, question: string): readonly number[] {
  const ids = [...subwords.merged(question).slice(0, QUESTION_LENGTH - 1), END]
  return [...ids, ...Array.from({ length: QUESTION_LENGTH - ids.length }, () => PAD)]
}

/** The likeliest word at each step, until the end; the score is that of the least sure step. */
async function write(
  { models }: StarterParts,
  memory: RunTensor,
  prompts: RunTensors | undefined,
  options: Abortable,
): Promise<{ readonly text: string; readonly score: number }> {
  const [subwords, model] = await Promise.all([
    models.subwords(),
    models.prompted({
      ...{ name: 'vqa', model: () => models.graph('vqa', 'decode.onnx'), injection: INJECTION },
      sizes: { memory: memory.dims, answer: [1, PADDED_LENGTH] },
    }),
  ])
  const said: number[] = [START]
  let score = 1
  while (said.length <= ANSWER_LENGTH) {
    // What follows is not read: the decoder looks back only.
    const rest = prompts === undefined ? 0 : PADDED_LENGTH - said.length
    const answer = idsTensor([...said, ...Array.from({ length: rest }, () => PAD)])
    const { logits } = await model.run({ memory, answer }, prompts, options)
    if (logits === undefined) break
    const row = rowsOf({ ...logits, dims: logits.dims.slice(1) })[said.length - 1]
    const { best, sure } = likeliest(row ?? new Float32Array())
    score = Math.min(score, sure)
    if (best === END || best === PAD) break
    said.push(best)
  }
  return { text: subwords.words(said), score }
}

function likeliest(logits: Float32Array): { readonly best: number; readonly sure: number } {
  let best = 0
  for (let i = 1; i < logits.length; i++) if ((logits[i] ?? 0) > (logits[best] ?? 0)) best = i
  const top = logits[best] ?? 0
  return { best, sure: 1 / logits.reduce((sum, value) => sum + Math.exp(value - top), 0) }
}

function idsTensor(ids: readonly number[]): RunTensor {
  return { type: 'int64', dims: [1, ids.length], data: BigInt64Array.from(ids.map(BigInt)) }
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
