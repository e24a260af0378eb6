import type { Abortable } from '../base/index.ts'
import type { Box, Image, MaskRle } from '../image/index.ts'
import type { Injection, Model, RunTensor, RunTensors } from '../onnx/index.ts'

/**
 * What learning needs of a model that takes prompts (clova §4). A back end that is differentiable gives one
 * in `Backends.learnables`; for any other, examples work as nearest neighbours only.
 */
interface Promptable {
  /** The back end's name, such as `starter/encoder`. */
  readonly name: string
  /** The tools that it stands behind. */
  readonly tools: readonly string[]
  /** Of the model's files: a prompt is used with the model it was learnt for, and with no other. */
  readonly hash: string
  /** Where prompts enter, how many there are, and where they are taken off. */
  readonly injection: Injection
  /** The graph that tuning edits; read when first asked for. */
  model(options?: Abortable): Promise<Model>
}

/** A picture as a model takes it: scaled to fit a square and padded on the right and below. */
export interface PaddedPicture {
  /** [1, 3, S, S]. */
  readonly pixels: RunTensor
  /** What the square's side is in pixels of the picture: box 0..1 × `side`. */
  readonly side: number
}

/** SELECT, CLASSIFY: crops and names in one space. */
export interface LearnableEncoder extends Promptable {
  readonly kind: 'encoder'
  /** Input [n, 3, S, S] of crops; output [n, width] of features. */
  readonly pixels: string
  readonly image: string
  /** Cosines times this are logits. */
  readonly scale: number
  /** [1, 3, S, S]. */
  crop(image: Image, box: Box, options?: Abortable): Promise<RunTensor>
  /** [names, width], each of length one. */
  texts(names: readonly string[], options?: Abortable): Promise<RunTensor>
  /** The crop's feature without prompts: what similarity is measured with. */
  feature(image: Image, box: Box, options?: Abortable): Promise<Float32Array>
}

/** LOC: an open-vocabulary detector. */
export interface LearnableDetector extends Promptable {
  readonly kind: 'detector'
  /** Inputs: [n, 3, S, S], and [q, width]. */
  readonly pixels: string
  readonly queries: string
  /** Outputs: [n, m, 4] corners 0..1 of the padded square, and [n, m, q] before the sigmoid. */
  readonly boxes: string
  readonly logits: string
  picture(image: Image, options?: Abortable): Promise<PaddedPicture>
  texts(names: readonly string[], options?: Abortable): Promise<RunTensor>
  /** Of the whole picture. */
  feature(image: Image, options?: Abortable): Promise<Float32Array>
}

/** SEG: queries that each give a mask and a name. */
export interface LearnableSegmenter extends Promptable {
  readonly kind: 'segmenter'
  readonly pixels: string
  /** Outputs: [n, q, h, w] before the sigmoid, and [n, q, names + 1] before the softmax, the last: nothing. */
  readonly masks: string
  readonly classes: string
  /** How many masks a picture gets. */
  readonly count: number
  picture(image: Image, options?: Abortable): Promise<PaddedPicture>
  feature(image: Image, options?: Abortable): Promise<Float32Array>
}

/** VQA: a decoder of answers; its model is the decoder alone. */
export interface LearnableAnswerer extends Promptable {
  readonly kind: 'answerer'
  /** Inputs: [n, m, width] of states, and [n, k] ids of the answer so far. */
  readonly states: string
  readonly answer: string
  /** Output [n, k, vocabulary]. */
  readonly logits: string
  readonly start: number
  readonly end: number
  /** Most ids of an answer. */
  readonly length: number
  /** What the decoder reads of a picture and a question, and the feature of both: picture ‖ question. */
  encode(
    image: Image,
    question: string,
    options?: Abortable,
  ): Promise<{ readonly states: RunTensor; readonly feature: Float32Array }>
  /** Ids without start and end. */
  ids(answer: string): readonly number[]
  words(ids: readonly number[]): string
}

/** REPLACE: a denoiser behind a text encoder, as one graph; the prompt is a placeholder's vector. */
export interface LearnableFiller extends Promptable {
  readonly kind: 'filler'
  /** Inputs: token ids [1, 16], and [n, 3, S, S], [n, 3, S, S], [n, 1, S, S], [n]. */
  readonly ids: string
  readonly noisy: string
  readonly picture: string
  readonly mask: string
  readonly time: string
  /** Output [n, 3, S, S]: the clean picture in −1..1. */
  readonly predicted: string
  /** Side S of the square. */
  readonly side: number
  /** The text's ids with the placeholder where the concept stands. */
  textIds(options?: Abortable): Promise<RunTensor>
  /** The vector that the concept's head noun has in the table: where learning starts. */
  startVector(concept: string, options?: Abortable): Promise<Float32Array>
  /** The crop around a mask: clean picture −1..1, picture with the hole at 0, and the hole. */
  patch(
    image: Image,
    mask: MaskRle,
    options?: Abortable,
  ): Promise<{ readonly clean: RunTensor; readonly feeds: RunTensors }>
  /** Strength of the signal at a time 0..1: ᾱ. */
  alphaBar(time: number): number
}

export type Learnable =
  LearnableEncoder | LearnableDetector | LearnableSegmenter | LearnableAnswerer | LearnableFiller
