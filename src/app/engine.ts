import type { Run, Step, Task } from '../agents/index.ts'
import type { Abortable, Clock, Progress } from '../base/index.ts'
import type { CallTool, Signature } from '../program/index.ts'
import type { Toolbox } from '../tools/index.ts'
import type { Config } from './config.ts'
import type { Lazy } from './lazy.ts'
import { familyNamed } from './program-desk.ts'
import { version } from './version.ts'

export interface EngineOptions extends Abortable {
  readonly id: string
  readonly createdAt: number
  readonly progress: Progress
  readonly onStep: (step: Step) => void
}

/** What turns tasks into runs. */
export interface Engine {
  signatures(): Promise<readonly Signature[]>
  run(task: Task, options: EngineOptions): Promise<Run>
}
