import type { Progress, Random } from '../base/index.ts'
import type { Signature, ToolResult, Value } from '../program/index.ts'

/** What a call may use; made by the toolbox for each call. */
export interface ToolContext {
  readonly signal?: AbortSignal | undefined
  /** Task family, such as `gqa`; LOC reads side words only outside `tagging`. */
  readonly family: string
  readonly random: Random
  readonly progress: Progress
  /** A fresh object id, unique in the run. */
  newId(): string
}

/**
 * A skill: its signature, and what it does. Values are frozen; a tool returns new ones.
 *
 * @throws UserFault `T_INPUT` / `T_FRAME`, Unavailable `T_BACKEND` / `T_TIMEOUT` / `T_LLM`,
 *   UserFault `T_UNAVAILABLE` when no configured back end can do it (says which could).
 */
export interface Tool {
  readonly signature: Signature
  run(args: Readonly<Record<string, Value>>, context: ToolContext): Promise<ToolResult>
}
