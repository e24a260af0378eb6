/** What a run may use; all settable (program-language §5, clause 5). */
export interface RunLimits {
  /** Executed steps at most. */
  readonly steps: number
  /** Milliseconds for a step, where its signature states no other limit. */
  readonly stepMs: number
  /** Milliseconds for the run. */
  readonly runMs: number
  /** Tries of a call whose failure may pass (`T_BACKEND T_TIMEOUT T_LLM`). */
  readonly tries: number
  /** Milliseconds before the second try; doubled for the next. */
  readonly pauseMs: number
  /** Calls side by side at most. */
  readonly parallel: number
}

export const RUN_LIMITS: RunLimits = Object.freeze({
  steps: 500,
  stepMs: 60_000,
  runMs: 300_000,
  tries: 3,
  pauseMs: 500,
  parallel: 4,
})
