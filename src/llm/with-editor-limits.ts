import { Unavailable } from '../base/index.ts'
import type { Clock } from '../base/index.ts'
import { overBudget } from './budget.ts'
import type { Budget } from './model.ts'
import type { PictureEditor } from './picture-editor.ts'
import { costOf, priceOf } from './prices.ts'
import type { Prices } from './prices.ts'
import { chargeCall, timeLeft } from './with-budget.ts'
import { within } from './within.ts'

export interface EditorLimits {
  readonly clock: Clock
  /** Charged with a call and a picture before, with tokens and money after. */
  readonly budget: Budget
  /** Per million tokens, as of language models. */
  readonly prices?: Prices
  /** Milliseconds for one picture; default 300,000. */
  readonly ms?: number
}

/**
 * A painting model that spends from a budget and gives up waiting. It asks once: the program asks again
 * what may be better later, and each time is paid.
 *
 * @throws as `withTimeout` and `withBudget`
 */
export function withEditorLimits(editor: PictureEditor, limits: EditorLimits): PictureEditor {
  const { clock, budget, prices = {}, ms = 300_000 } = limits
  const { id } = editor
  const price = priceOf(id, prices)
  const late = (): Unavailable =>
    new Unavailable('T_LLM', `${id} made no picture within ${ms / 1000} seconds.`, {
      fields: { model: id, reason: 'timeout', retry: false },
      cure: 'Use a faster model, or fewer steps (tools.replaceSteps).',
    })
  return {
    id,
    edit: async (request, { signal } = {}) => {
      chargeCall(id, 1, budget, price)
      const once = (signal: AbortSignal) =>
        within(ms, (signal) => editor.edit(request, { signal }), { clock, late, signal })
      const spent = () => overBudget('seconds', budget.limits)
      const made = await within(timeLeft(budget), once, { clock, late: spent, signal })
      const { usage } = made
      if (usage === undefined) return made
      const cost = price === undefined ? usage.cost : costOf(usage, price)
      budget.record({ tokens: usage.inputTokens + usage.outputTokens, money: cost ?? 0 })
      return made
    },
  }
}
