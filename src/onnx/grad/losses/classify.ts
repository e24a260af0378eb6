import type { Builder } from '../../builder.ts'
import { sumOf, weightedMean } from './reduce.ts'

export interface CrossEntropyOptions {
  /** Weights [...] of the rows; default all 1. */
  readonly weights?: string
}

/**
 * −log softmax at the target, averaged over rows.
 *
 * @param logits  [..., C] of float32
 * @param target  [...] of int64, 0 to C − 1
 */
export function crossEntropy(
  b: Builder,
  logits: string,
  target: string,
  options: CrossEntropyOptions = {},
): string {
  const log = b.op('LogSoftmax', [logits], { axis: -1 })
  const chosen = b.op('GatherElements', [log, b.unsqueeze(target, [-1])], { axis: -1 })
  return weightedMean(b, b.op('Neg', [b.squeeze(chosen, [-1])]), options.weights)
}

/** Rows divided by their Euclidean length. */
export function normalised(b: Builder, x: string): string {
  return b.op('Div', [x, b.reduce('ReduceL2', x, [-1])])
}

/**
 * τ·f·tᵀ: how well pictures [N, D] fit names [C, D], both of length one.
 *
 * @param scale  τ, a number or the name of a value of no axes
 */
export function similarities(
  b: Builder,
  features: string,
  text: string,
  scale: number | string,
): string {
  const z = b.op('MatMul', [features, b.transpose(text, [1, 0])])
  return b.op('Mul', [z, typeof scale === 'number' ? b.scalar(scale) : scale])
}

export interface ContrastiveOptions extends CrossEntropyOptions {
  /** Default 100, what CLIP has learnt. */
  readonly scale?: number | string
  /** For each name the picture that it belongs to, [C] of int64: the loss is then taken both ways. */
  readonly pictures?: string
  /** Weights [C] of the names when taken both ways. */
  readonly nameWeights?: string
}

/**
 * Cross-entropy of pictures over text embeddings, and of names over pictures where asked.
 *
 * @param features  [N, D] of pictures, of any length
 * @param text  [C, D] of length one, fed
 * @param target  [N] of int64: the name of each picture
 * @source CLOVA §4.3 (contrastive over positives and negatives)
 */
export function contrastive(
  b: Builder,
  features: string,
  text: string,
  target: string,
  options: ContrastiveOptions = {},
): string {
  const z = similarities(b, normalised(b, features), text, options.scale ?? 100)
  const forth = crossEntropy(b, z, target, options)
  if (options.pictures === undefined) return forth
  const back = crossEntropy(b, b.transpose(z, [1, 0]), options.pictures, {
    ...(options.nameWeights === undefined ? {} : { weights: options.nameWeights }),
  })
  return sumOf(b, [
    [forth, 0.5],
    [back, 0.5],
  ])
}

/**
 * Cross-entropy of each token given those before it.
 *
 * @param logits  [B, T, V]
 * @param labels  [B, T] of int64, the tokens themselves: the shift by one happens here
 * @param options.weights  [B, T]; 0 for padding and for tokens that are given, not learnt
 */
export function languageModel(
  b: Builder,
  logits: string,
  labels: string,
  options: CrossEntropyOptions = {},
): string {
  const far = 2 ** 31 - 1
  const next = (x: string): string => b.slice(x, [1], [far], [1])
  return crossEntropy(b, b.slice(logits, [0], [-1], [1]), next(labels), {
    ...(options.weights === undefined ? {} : { weights: next(options.weights) }),
  })
}
