import { chain, floatsLike, mapParams, zerosLike } from './optimizer.ts'
import type { Optimizer, Params } from './optimizer.ts'
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
      const mean = mapParams(grads, (g, name) =>
        floatsLike(g, (i) => beta1 * (state.mean[name]?.[i] ?? 0) + (1 - beta1) * (g[i] ?? 0)),
      )
      const square = mapParams(grads, (g, name) =>
        floatsLike(
          g,
          (i) => beta2 * (state.square[name]?.[i] ?? 0) + (1 - beta2) * (g[i] ?? 0) ** 2,
        ),
      )
      const c1 = 1 - beta1 ** step
      const c2 = 1 - beta2 ** step
      const updates = mapParams(grads, (g, name) =>
        floatsLike(
          g,
          (i) => (mean[name]?.[i] ?? 0) / c1 / (Math.sqrt((square[name]?.[i] ?? 0) / c2) + epsilon),
        ),
      )
      return [updates, { step, mean, square }]
    },
  }
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
