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
