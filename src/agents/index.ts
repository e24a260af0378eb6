export type {
  DecideStep,
  LessonUse,
  ModelCall,
  Outcome,
  PlanStep,
  ProgramStep,
  ReasonStep,
  ReflectStep,
  ReplyStep,
  Run,
  Step,
  Task,
} from './step.ts'
export type {
  Analogy,
  AnalogyPlanner,
  ProgramsAgent,
  ProgramsAgentParts,
  ProgramsRunOptions,
  ReplayRun,
} from './programs/index.ts'
export {
  createAnalogyPlanner,
  createProgramsAgent,
  fallbackProgram,
  fenced,
  replayRun,
  WHOLE_QUESTION,
} from './programs/index.ts'
