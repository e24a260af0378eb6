/**
 * The library's front page: open an assistant, ask it, read the run.
 *
 * ```ts
 * import { openPupil } from 'pupil'
 *
 * const pupil = await openPupil()
 * const run = await pupil.ask('street.jpg', 'How many people are there?')
 * console.log(run.outcome.status === 'done' ? run.outcome.answer : run.outcome)
 * await pupil.close()
 * ```
 */
export {
  createPupil,
  defineConfig,
  openExternalTools,
  openPupil,
  resolveConfig,
  runDocument,
  version,
} from './app/index.ts'
export type {
  Config,
  Diagnosis,
  DiagnosticDocument,
  LiveRun,
  OpenPupilOptions,
  PictureInput,
  Pupil,
  PupilOptions,
  ResolvedConfig,
  RunDocument,
  RunEvent,
  RunOptions,
  RunRequest,
  StepDocument,
  UserConfig,
} from './app/index.ts'
export type { Run, Step, Task } from './agents/index.ts'
export type { ErrorData } from './base/index.ts'
export type { Box, Image, ObjectRecord } from './image/index.ts'
export type { Demonstration } from './memory/index.ts'
export type { Signature, Value } from './program/index.ts'
export type { ExternalServer, ExternalTools, Tool } from './tools/index.ts'
