import type { Clock } from '../../base/index.ts'
import { createBudget } from '../../llm/index.ts'
import type { Budget, Spent } from '../../llm/index.ts'
import type { SeekLimits } from './options.ts'
import type { Cost } from './types.ts'

/** What something may cost at worst. */
export interface Worst {
  readonly toolCalls?: number
  readonly llmCalls?: number
  readonly tokens?: number
  readonly usd?: number
}

/** What a run has spent of what it may: reserve before, settle after (avis §9). */
export interface Ledger {
  /** What language models spend from. */
  readonly budget: Budget
  /** The first limit that this would break; undefined when it fits. Equality fits. */
  breaks(worst: Worst): keyof SeekLimits | undefined
  /** One tool call, however often it was tried, and what it cost. */
  settleTool(usd: number): void
  /** Milliseconds that are left. */
  timeLeft(): number
  toolCalls(): number
  /** Starts counting for one step; call it at the step's end. */
  open(): () => Cost
}

export function createLedger(limits: SeekLimits, clock: Clock): Ledger {
  const budget = createBudget(
    { calls: limits.maxLlmCalls, tokens: limits.maxTokens, seconds: limits.maxMs / 1000 },
    clock,
  )
  const start = clock.tick()
  let toolCalls = 0
  const timeLeft = (): number => Math.max(0, limits.maxMs - (clock.tick() - start))
  return {
    budget,
    breaks: ({ toolCalls: tools = 0, llmCalls = 0, tokens = 0, usd = 0 }) => {
      const spent = budget.spent()
      if (timeLeft() <= 0) return 'maxMs'
      if (toolCalls + tools > limits.maxToolCalls) return 'maxToolCalls'
      if (spent.calls + llmCalls > limits.maxLlmCalls) return 'maxLlmCalls'
      // A model is not asked once its budget is reached exactly, even for nothing.
      const tokensReached = llmCalls > 0 && spent.tokens >= limits.maxTokens
      if (spent.tokens + tokens > limits.maxTokens || tokensReached) return 'maxTokens'
      if (usd > 0 && spent.money + usd > limits.maxCostUsd + 1e-12) return 'maxCostUsd'
      return undefined
    },
    settleTool: (usd) => {
      toolCalls++
      budget.record({ money: usd })
    },
    timeLeft,
    toolCalls: () => toolCalls,
    open: () => {
      const before = budget.spent()
      return () => difference(budget.spent(), before)
    },
  }
}

function difference(now: Spent, before: Spent): Cost {
  return Object.freeze({
    calls: now.calls - before.calls,
    tokens: now.tokens - before.tokens,
    seconds: now.seconds - before.seconds,
    money: now.money - before.money,
    pictures: now.pictures - before.pictures,
  })
}
