export type { ArgSpec, ArgType, Family, Kind, Signature } from './signature.ts'
export type { ListValue, Value } from './value.ts'
export type { ArgTrace, CallStep, ModelStamp, Notice, PromptUse, ToolResult } from './step.ts'
