import type { Abortable } from '../base/index.ts'
import type { Box, Image } from '../image/index.ts'
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
  /** Input [n, 3, S, S]. */
  readonly pixels: string
  /** Outputs: [n, m, 4] boxes 0..1 of the padded square, and [n, m, q] before the sigmoid. */
  readonly boxes: string
  readonly logits: string
  /** Whether boxes are x1, y1, x2, y2, or centre and size. */
  readonly boxForm: 'corners' | 'centre'
  picture(image: Image, options?: Abortable): Promise<PaddedPicture>
  /** What the model is fed to look for q names, such as `queries` [q, width]. */
  asked(names: readonly string[], options?: Abortable): Promise<RunTensors>
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
  /** Output [1, k, vocabulary]. */
  readonly logits: string
  readonly start: number
  readonly end: number
  /** Most ids of an answer. */
  readonly length: number
  /**
   * What the decoder reads of a picture and a question, such as `memory` [1, m, width], and the feature of
   * both: picture ‖ question, each of length one.
   */
  encode(
    image: Image,
    question: string,
    options?: Abortable,
  ): Promise<{ readonly feeds: RunTensors; readonly feature: Float32Array }>
  /** What it reads of an answer so far, such as `answer` [1, k] of int64. */
  said(ids: readonly number[]): RunTensors
  /** Ids without start and end. */
  ids(answer: string): readonly number[]
  words(ids: readonly number[]): string
}

/** REPLACE: a denoiser behind a text encoder, as one graph; the prompt is a placeholder's vector. */
export interface LearnableFiller extends Promptable {
  readonly kind: 'filler'
  /** Inputs [1, 3, S, S], and [1] in 0..1. */
  readonly noisy: string
  readonly time: string
  /** Output [1, 3, S, S]: the clean picture in −1..1. */
  readonly predicted: string
  /** Ids of the text, as the graph takes them: the concept's own words, or the placeholder for null. */
  text(concept: string | null): RunTensors
  /** The vector that the concept's head noun has in the table: where learning starts. */
  startVector(concept: string, options?: Abortable): Promise<Float32Array>
  /**
   * The square around a box: clean [1, 3, S, S] in −1..1, and what the graph takes of it beside `noisy`: the
   * picture with the box as a hole, and the hole.
   */
  patch(
    image: Image,
    box: Box,
    options?: Abortable,
  ): Promise<{
    readonly clean: RunTensor
    readonly feeds: RunTensors
    readonly feature: Float32Array
  }>
  /** Strength of the signal at a time 0..1: ᾱ. */
  alphaBar(time: number): number
}

export type Learnable =
  LearnableEncoder | LearnableDetector | LearnableSegmenter | LearnableAnswerer | LearnableFiller
