import { chain, emptyLike, floatsLike, mapParams, zerosLike } from './optimizer.ts'
import type { Floats, Optimizer, Params } from './optimizer.ts'
import { descend } from './schedule.ts'
import type { Rate } from './schedule.ts'

export interface AdamOptions {
  readonly rate: Rate
  /** Default 0.9. */
  readonly beta1?: number
  /** Default 0.999. */
  readonly beta2?: number
  /** Default 1e-8; added outside the root. */
  readonly epsilon?: number
}

export interface AdamState {
  readonly step: number
  readonly mean: Params
  readonly square: Params
}

/**
 * Gradients divided by the root of their running mean square, both with bias correction.
 *
 * @source Kingma and Ba, Adam, algorithm 1
 */
export function scaleByAdam(options: Omit<AdamOptions, 'rate'> = {}): Optimizer<AdamState> {
  const { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8 } = options
  return {
    init: (params) => ({ step: 0, mean: zerosLike(params), square: zerosLike(params) }),
    update: (grads, state) => {
      const step = state.step + 1
      const rates: Rates = { beta1, beta2, epsilon, c1: 1 - beta1 ** step, c2: 1 - beta2 ** step }
      const parts = Object.entries(grads).map(([name, g]) => {
        const zeros = (): Floats => emptyLike(g)
        const moments = moved(g, state.mean[name] ?? zeros(), state.square[name] ?? zeros(), rates)
        return [name, moments] as const
      })
      const each = (k: keyof Moments): Params =>
        Object.fromEntries(parts.map(([name, moments]) => [name, moments[k]]))
      return [each('update'), { step, mean: each('mean'), square: each('square') }]
    },
  }
}

interface Rates {
  readonly beta1: number
  readonly beta2: number
  readonly epsilon: number
  /** Corrections 1 − β^t. */
  readonly c1: number
  readonly c2: number
}

interface Moments {
  readonly mean: Floats
  readonly square: Floats
  readonly update: Floats
}

/** One pass over a value: prompts have hundreds of thousands of numbers, and this blocks the event loop. */
function moved(g: Floats, mean: Floats, square: Floats, rates: Rates): Moments {
  const { beta1, beta2, epsilon, c1, c2 } = rates
  const [m, v, u] = [emptyLike(g), emptyLike(g), emptyLike(g)]
  for (let i = 0; i < g.length; i++) {
    // All five have the length of g.
    const gi = g[i]!
    const mi = beta1 * mean[i]! + (1 - beta1) * gi
    const vi = beta2 * square[i]! + (1 - beta2) * gi * gi
    m[i] = mi
    v[i] = vi
    u[i] = mi / c1 / (Math.sqrt(vi / c2) + epsilon)
  }
  return { mean: m, square: v, update: u }
}

/** Adam with bias correction. */
export function adam(options: AdamOptions): Optimizer {
  return chain(scaleByAdam(options) as Optimizer, descend(options.rate) as Optimizer) as Optimizer
}

/** Adds `decay` times each value to its update; `only` chooses the values by name. */
export function addDecay(
  decay: number,
  only: (name: string) => boolean = () => true,
): Optimizer<null> {
  return {
    init: () => null,
    update: (grads, _, params) => [
      mapParams(grads, (g, name) =>
        only(name) ? floatsLike(g, (i) => (g[i] ?? 0) + decay * (params[name]?.[i] ?? 0)) : g,
      ),
      null,
    ],
  }
}

/**
 * Adam with the decay apart from the gradient's moments; `decay` defaults to 0.01.
 *
 * @source Loshchilov and Hutter, Decoupled weight decay regularization, algorithm 2
 */
export function adamw(
  options: AdamOptions & { readonly decay?: number; readonly decayed?: (name: string) => boolean },
): Optimizer {
  return chain(
    scaleByAdam(options) as Optimizer,
    addDecay(options.decay ?? 0.01, options.decayed) as Optimizer,
    descend(options.rate) as Optimizer,
  ) as Optimizer
}
