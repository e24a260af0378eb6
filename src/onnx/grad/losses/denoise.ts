import { expected } from '../../../base/index.ts'
import type { Builder } from '../../builder.ts'
import { weightedMean } from './reduce.ts'

/** The mean square of prediction − target. */
export function meanSquare(
  b: Builder,
  prediction: string,
  target: string,
  weights?: string,
): string {
  const gap = b.op('Sub', [prediction, target])
  return weightedMean(b, b.op('Mul', [gap, gap]), weights)
}

/** What a denoiser is asked for: the noise ε, or v = √ᾱ·ε − √(1−ᾱ)·x₀. */
export type DenoisingTarget = 'epsilon' | 'v'

/** A noised sample and what the network should say of it; both are fed. */
export interface Noised {
  /** x_t = √ᾱ·x₀ + √(1−ᾱ)·ε */
  readonly sample: Float32Array
  readonly target: Float32Array
}

/**
 * A sample with noise of a given strength.
 *
 * @param clean  x₀, flat
 * @param noise  ε, as long as x₀, standard normal, drawn by the caller
 * @param alphaBar  ᾱ of the time step, 0 to 1
 * @source Ho et al., Denoising diffusion probabilistic models, eq. 4; Salimans and Ho for v
 */
export function noised(
  clean: ArrayLike<number>,
  noise: ArrayLike<number>,
  alphaBar: number,
  target: DenoisingTarget = 'epsilon',
): Noised {
  if (noise.length !== clean.length)
    throw expected(`${clean.length} numbers`, 'noise', noise.length)
  const [keep, add] = [Math.sqrt(alphaBar), Math.sqrt(1 - alphaBar)]
  const at = (list: ArrayLike<number>, i: number): number => list[i] ?? 0
  const each = (f: (x: number, e: number) => number): Float32Array =>
    Float32Array.from({ length: clean.length }, (_, i) => f(at(clean, i), at(noise, i)))
  return {
    sample: each((x, e) => keep * x + add * e),
    target: target === 'epsilon' ? each((_, e) => e) : each((x, e) => keep * e - add * x),
  }
}

/** ᾱ of each of `steps` time steps for betas that grow as the square of a straight line (Stable Diffusion). */
export function scaledLinearAlphas(steps = 1000, from = 0.00085, to = 0.012): Float64Array {
  const alphas = new Float64Array(steps)
  let product = 1
  for (let t = 0; t < steps; t++) {
    const root = Math.sqrt(from) + ((Math.sqrt(to) - Math.sqrt(from)) * t) / Math.max(1, steps - 1)
    product *= 1 - root * root
    alphas[t] = product
  }
  return alphas
}
