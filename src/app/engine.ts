import type { Run, Step, Task } from '../agents/index.ts'
import type { Abortable, Progress } from '../base/index.ts'
import type { Backends } from '../tools/index.ts'
import type { OpenTools } from './open-tools.ts'
import type { Workshop } from './rehearse.ts'

export interface EngineOptions extends Abortable {
  readonly id: string
  readonly createdAt: number
  readonly progress: Progress
  readonly onStep: (step: Step) => void
}

export interface EngineReplay extends EngineOptions {
  /** Index of the first call to make anew; default: none. */
  readonly from?: number
}

/** What turns tasks into runs: agents with the tools and models of the configuration. */
export interface Engine {
  readonly tools: OpenTools
  /** What is behind the tools, without language models. */
  readonly backends: Backends
  run(task: Task, options: EngineOptions): Promise<Run>
  /** The run again from its record; no model is asked. */
  replay(run: Run, options: EngineReplay): Promise<Run>
  /** What learning needs of the tools. */
  workshop(): Promise<Workshop>
  /** The visual rationale of a run. */
  html(run: Run): Promise<string>
  close(): Promise<void>
}
