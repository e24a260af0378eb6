export type { Stage } from './staged.ts'
export { runStages } from './staged.ts'
export type { Done, JobContext, JobHandler, WorkerParts } from './worker.ts'
export { work, workOnce } from './worker.ts'
