import { checkNumber } from '../../base/index.ts'
import { mapParams, scaled } from './optimizer.ts'
import type { Optimizer } from './optimizer.ts'

/** A rate as a function of the number of steps already made: 0 at the first. */
export type Schedule = (step: number) => number

/** A number, or a rate that changes with the step. */
export type Rate = number | Schedule

/** The rate at `step`. */
export function rateAt(rate: Rate, step: number): number {
  return typeof rate === 'number' ? rate : rate(step)
}

/** Straight from `from` to `to` over `steps`, then `to`. */
export function linear(from: number, to: number, steps: number): Schedule {
  checkNumber(steps, 'steps', { min: 1, integer: true })
  return (step) => from + (to - from) * Math.min(1, step / steps)
}

/** Half a cosine from `from` down to `to` over `steps`, then `to`. */
export function cosine(from: number, steps: number, to = 0): Schedule {
  checkNumber(steps, 'steps', { min: 1, integer: true })
  return (step) => to + ((from - to) * (1 + Math.cos(Math.PI * Math.min(1, step / steps)))) / 2
}

/** `rate` times `factor` once for every `every` steps made. */
export function stepDecay(rate: number, every: number, factor = 0.1): Schedule {
  checkNumber(every, 'every', { min: 1, integer: true })
  return (step) => rate * factor ** Math.floor(step / every)
}

/** Rises from `then(0) / steps` to `then(0)` in the first `steps`, then follows `then` from its start. */
export function warmup(steps: number, then: Rate): Schedule {
  checkNumber(steps, 'steps', { min: 0, integer: true })
  return (step) =>
    step < steps ? (rateAt(then, 0) * (step + 1)) / steps : rateAt(then, step - steps)
}

/** Every update times −rate: the last part of a chain, which turns gradients into descent. */
export function descend(rate: Rate): Optimizer<{ readonly step: number }> {
  return {
    init: () => ({ step: 0 }),
    update: (grads, { step }) => {
      const r = rateAt(rate, step)
      const updates = mapParams(grads, (g) => scaled(g, -r))
      return [updates, { step: step + 1 }]
    },
  }
}
