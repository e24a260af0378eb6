import { UserFault } from '../base/index.ts'
import type { Clock } from '../base/index.ts'
import { overBudget } from './budget.ts'
import { requestPictures } from './messages.ts'
import type { Budget, LanguageModel, ModelReply, ModelRequest } from './model.ts'
import { costOf, priceOf } from './prices.ts'
import type { Price, Prices } from './prices.ts'
import { within } from './within.ts'

/** Waiting longer than this is not timed: timers hold no more than 2^31 ms. */
const FOREVER = 2 ** 31 - 1

/** Milliseconds until a budget's time is used up, as far as timers reach. */
export function timeLeft({ limits, spent }: Budget): number {
  const { seconds = Infinity } = limits
  return Math.min(FOREVER, Math.max(0, (seconds - spent().seconds) * 1000))
}

/**
 * A model that spends from a budget and is not asked when it is used up.
 *
 * Calls and pictures are charged before, tokens and money noted after; a call under way ends when
 * the seconds do. Put it inside the cache, so that a known reply costs nothing.
 *
 * @throws UserFault `E_BUDGET` naming the limit; `E_MODEL_PRICE` when money is limited but the price
 *   of this model is not known
 */
export function withBudget(
  model: LanguageModel,
  budget: Budget,
  options: { readonly clock: Clock; readonly prices?: Prices },
): LanguageModel {
  const { clock, prices = {} } = options
  const price = priceOf(model.id, prices)
  const late = (): UserFault => overBudget('seconds', budget.limits)

  const begin = (request: ModelRequest): void =>
    chargeCall(model.id, requestPictures(request).length, budget, price)
  const end = (reply: ModelReply): ModelReply => {
    const { usage } = reply
    const cost = price === undefined ? usage.cost : costOf(usage, price)
    budget.record({ tokens: usage.inputTokens + usage.outputTokens, money: cost ?? 0 })
    return cost === undefined ? reply : Object.freeze({ ...reply, usage: { ...usage, cost } })
  }
  return {
    id: model.id,
    capabilities: model.capabilities,
    async generate(request, { signal } = {}) {
      begin(request)
      const ask = (signal: AbortSignal): Promise<ModelReply> => model.generate(request, { signal })
      return end(await within(timeLeft(budget), ask, { clock, late, signal }))
    },
    async *stream(request, { signal } = {}) {
      begin(request)
      const stop = new AbortController()
      const either = AbortSignal.any(signal === undefined ? [stop.signal] : [stop.signal, signal])
      const parts = model.stream(request, { signal: either })[Symbol.asyncIterator]()
      const next = () => within(timeLeft(budget), () => parts.next(), { clock, late, signal })
      try {
        for (let part = await next(); part.done !== true; part = await next()) {
          const { value } = part
          yield value.type === 'finish' ? { type: 'finish', reply: end(value.reply) } : value
        }
      } finally {
        stop.abort()
      }
    },
  }
}

/** Asks a budget before a call, and charges it. */
export function chargeCall(
  model: string,
  pictures: number,
  budget: Budget,
  price: Price | undefined,
): void {
  const limit = budget.exhausted()
  if (limit !== undefined) throw overBudget(limit, budget.limits)
  if (budget.limits.money !== undefined && price === undefined) throw noPrice(model)
  budget.charge({ calls: 1, pictures })
}

/** The error of limited money and an unknown price. */
function noPrice(model: string): UserFault {
  return new UserFault(
    'E_MODEL_PRICE',
    `Money is limited, but the price of ${model} is not known.`,
    {
      fields: { model },
      cure: `Add it to "prices" per million tokens, { "${model}": { "input": …, "output": … } }; 0 for a model of your own.`,
    },
  )
}
