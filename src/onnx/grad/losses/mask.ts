import type { Builder } from '../../builder.ts'
import { binaryCrossEntropy, focal } from './detect.ts'
import type { FocalOptions } from './detect.ts'
import { sumOf, times, weightedMean } from './reduce.ts'

/**
 * 1 − (2Σpg + 1)/(Σp + Σg + 1) of each mask, averaged.
 *
 * @param logits  [N, ...] of float32; everything behind the first axis is one mask
 * @param target  the same shape, 0 or 1
 * @param weights  [N]
 */
export function dice(b: Builder, logits: string, target: string, weights?: string): string {
  const p = b.reshape(b.op('Sigmoid', [logits]), [0, -1])
  const g = b.reshape(target, [0, -1])
  const sum = (x: string): string => b.reduce('ReduceSum', x, [1], false)
  const one = b.scalar(1)
  const above = b.op('Add', [times(b, sum(b.op('Mul', [p, g])), 2), one])
  const below = b.op('Add', [b.op('Add', [sum(p), sum(g)]), one])
  return weightedMean(b, b.op('Sub', [one, b.op('Div', [above, below])]), weights)
}

export interface MaskLossOptions extends Omit<FocalOptions, 'weights' | 'divisor'> {
  /** Each pixel's loss; default `focal`. */
  readonly pixels?: 'focal' | 'bce'
  /** Default 1 and 1. */
  readonly pixelWeight?: number
  readonly diceWeight?: number
}

/**
 * Focal or binary cross-entropy of each pixel plus dice of each mask.
 *
 * @source Cheng et al., MaskFormer §3.3
 */
export function maskLoss(
  b: Builder,
  logits: string,
  target: string,
  options: MaskLossOptions = {},
): string {
  const { pixels = 'focal', pixelWeight = 1, diceWeight = 1, ...rest } = options
  const each =
    pixels === 'focal' ? focal(b, logits, target, rest) : binaryCrossEntropy(b, logits, target)
  return sumOf(b, [
    [each, pixelWeight],
    [dice(b, logits, target), diceWeight],
  ])
}
