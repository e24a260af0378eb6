import type { Builder } from '../../builder.ts'
import { times, total, weightedMean } from './reduce.ts'

export interface FocalOptions {
  /** Weight of what is there; 1 − α that of what is not. Default 0.25. */
  readonly alpha?: number
  /** Default 2. */
  readonly gamma?: number
  /** Weights that broadcast to the logits. */
  readonly weights?: string
  /** What the sum is divided by, such as the number of objects: a value. Default the mean. */
  readonly divisor?: string
}

/**
 * −α_t (1 − p_t)^γ log p_t of each logit, by log σ(z) = −softplus(−z).
 *
 * @param target  the shape of the logits, 0 or 1 in float32
 * @source Lin et al., Focal loss for dense object detection, eq. 5
 */
export function focal(
  b: Builder,
  logits: string,
  target: string,
  options: FocalOptions = {},
): string {
  const { alpha = 0.25, gamma = 2 } = options
  const sign = b.op('Sub', [b.op('Mul', [target, b.scalar(2)]), b.scalar(1)])
  const z = b.op('Mul', [logits, sign])
  const surprise = b.op('Softplus', [b.op('Neg', [z])])
  const missed = b.op('Pow', [b.op('Sigmoid', [b.op('Neg', [z])]), b.scalar(gamma)])
  // α for ones, 1 − α for zeros, as a line through both.
  const share = b.op('Add', [b.op('Mul', [target, b.scalar(2 * alpha - 1)]), b.scalar(1 - alpha)])
  const each = b.op('Mul', [share, b.op('Mul', [missed, surprise])])
  return averaged(b, each, options)
}

/** Binary cross-entropy of each logit. */
export function binaryCrossEntropy(
  b: Builder,
  logits: string,
  target: string,
  options: Pick<FocalOptions, 'weights' | 'divisor'> = {},
): string {
  const sign = b.op('Sub', [b.scalar(1), b.op('Mul', [target, b.scalar(2)])])
  return averaged(b, b.op('Softplus', [b.op('Mul', [logits, sign])]), options)
}

function averaged(
  b: Builder,
  each: string,
  options: { readonly weights?: string; readonly divisor?: string },
): string {
  if (options.divisor === undefined) return weightedMean(b, each, options.weights)
  const weighted = options.weights === undefined ? each : b.op('Mul', [each, options.weights])
  return b.op('Div', [total(b, weighted), options.divisor])
}

/** Boxes [..., centre x, centre y, width, height] as corners [..., x1, y1, x2, y2]. */
export function corners(b: Builder, boxes: string): string {
  const [centre = '', size = ''] = b.split(boxes, -1, [2, 2])
  const half = times(b, size, 0.5)
  return b.concat([b.op('Sub', [centre, half]), b.op('Add', [centre, half])], -1)
}

/** Σ|a − b| over the four numbers of each box, averaged over boxes. */
export function boxL1(b: Builder, boxes: string, target: string, weights?: string): string {
  const gap = b.op('Abs', [b.op('Sub', [boxes, target])])
  return weightedMean(b, b.reduce('ReduceSum', gap, [-1], false), weights)
}

/**
 * 1 − (I/U − (H − U)/H) of each pair of boxes, averaged: I what both cover, U what either covers, H
 * their hull.
 *
 * @param boxes  [..., 4] corners with x1 < x2 and y1 < y2, like `target`
 * @source Rezatofighi et al., Generalized intersection over union
 */
export function boxGiou(b: Builder, boxes: string, target: string, weights?: string): string {
  const [low = '', high = ''] = b.split(boxes, -1, [2, 2])
  const [low2 = '', high2 = ''] = b.split(target, -1, [2, 2])
  const area = (from: string, to: string): string => {
    const sides = b.op('Sub', [to, from])
    const [w = '', h = ''] = b.split(sides, -1, [1, 1])
    return b.squeeze(b.op('Mul', [w, h]), [-1])
  }
  const inner = [b.op('Max', [low, low2]), b.op('Min', [high, high2])] as const
  const open = b.op('Relu', [b.op('Sub', [inner[1], inner[0]])])
  const [w = '', h = ''] = b.split(open, -1, [1, 1])
  const both = b.squeeze(b.op('Mul', [w, h]), [-1])
  const either = b.op('Sub', [b.op('Add', [area(low, high), area(low2, high2)]), both])
  const hull = area(b.op('Min', [low, low2]), b.op('Max', [high, high2]))
  const waste = b.op('Div', [b.op('Sub', [hull, either]), hull])
  const giou = b.op('Sub', [b.op('Div', [both, either]), waste])
  return weightedMean(b, b.op('Sub', [b.scalar(1), giou]), weights)
}

/**
 * Rows of each picture by fed indices.
 *
 * @param values  [B, Q, ...]
 * @param index  [B, M] of int64, each below Q
 * @returns [B, M, ...]
 */
export function rowsAt(b: Builder, values: string, index: string): string {
  return b.op('GatherND', [values, b.unsqueeze(index, [-1])], { batch_dims: 1 })
}
