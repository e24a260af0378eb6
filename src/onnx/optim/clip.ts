import { checkNumber } from '../../base/index.ts'
import { floatsLike, mapParams } from './optimizer.ts'
import type { Optimizer, Params } from './optimizer.ts'

export interface ClipOptions {
  /** Number of instances side by side: each array is that many equal blocks, clipped apart. Default 1. */
  readonly instances?: number
}

/** The Euclidean length of all gradients together, one for each instance. */
export function globalNorms(grads: Params, instances = 1): number[] {
  const sums = new Array<number>(instances).fill(0)
  for (const g of Object.values(grads)) {
    const block = g.length / instances
    for (let i = 0; i < g.length; i++) {
      const k = Math.floor(i / block)
      sums[k] = (sums[k] ?? 0) + (g[i] ?? 0) ** 2
    }
  }
  return sums.map(Math.sqrt)
}

/** Shortens gradients whose common length is above `max` to exactly `max`; shorter ones pass unchanged. */
export function clipByGlobalNorm(max: number, options: ClipOptions = {}): Optimizer<null> {
  checkNumber(max, 'max', { min: 0 })
  const instances = checkNumber(options.instances ?? 1, 'instances', { min: 1, integer: true })
  return {
    init: () => null,
    update: (grads) => {
      const factors = globalNorms(grads, instances).map((norm) => (norm > max ? max / norm : 1))
      if (factors.every((f) => f === 1)) return [grads, null]
      const clipped = mapParams(grads, (g) => {
        const block = g.length / instances
        return floatsLike(g, (i) => (g[i] ?? 0) * (factors[Math.floor(i / block)] ?? 1))
      })
      return [clipped, null]
    },
  }
}
