import type { Usage } from './model.ts'

/** Price of one model, per million tokens, in one currency of the user's choice. */
export interface Price {
  readonly input: number
  readonly output: number
}

/**
 * Prices by model id, given by the configuration; we know none ourselves.
 *
 * A key may end in `*`: `ollama/*` with 0 and 0 says that what runs at home costs nothing. The
 * longest key that fits wins.
 */
export type Prices = Readonly<Record<string, Price>>

/** The price of a model, if the table has one. */
export function priceOf(model: string, prices: Prices): Price | undefined {
  const exact = prices[model]
  if (exact !== undefined) return exact
  const keys = Object.keys(prices)
    .filter((key) => key.endsWith('*') && model.startsWith(key.slice(0, -1)))
    .sort((a, b) => b.length - a.length)
  return keys[0] === undefined ? undefined : prices[keys[0]]
}

/** What tokens cost at a price. */
export function costOf({ inputTokens, outputTokens }: Usage, price: Price): number {
  return (inputTokens * price.input + outputTokens * price.output) / 1_000_000
}
