import { chain, floatsLike, mapParams, zerosLike } from './optimizer.ts'
import type { Optimizer, Params } from './optimizer.ts'
import { descend } from './schedule.ts'
import type { Rate } from './schedule.ts'

export interface SgdOptions {
  readonly rate: Rate
  /** Share of the last velocity that is kept; default 0. */
  readonly momentum?: number
  /** Look ahead by one step of momentum; default false. */
  readonly nesterov?: boolean
}

/** Velocity v ← μv + g, given as it is or, with `nesterov`, as g + μv. */
export function momentum(mu: number, nesterov = false): Optimizer<Params> {
  return {
    init: zerosLike,
    update: (grads, velocity) => {
      const next = mapParams(grads, (g, name) =>
        floatsLike(g, (i) => mu * (velocity[name]?.[i] ?? 0) + (g[i] ?? 0)),
      )
      const updates = nesterov
        ? mapParams(grads, (g, name) =>
            floatsLike(g, (i) => (g[i] ?? 0) + mu * (next[name]?.[i] ?? 0)),
          )
        : next
      return [updates, next]
    },
  }
}

/** Gradient descent, with momentum where asked. */
export function sgd(options: SgdOptions): Optimizer {
  const mu = options.momentum ?? 0
  const descent = descend(options.rate) as Optimizer
  return mu === 0
    ? descent
    : (chain(momentum(mu, options.nesterov ?? false) as Optimizer, descent) as Optimizer)
}
