export type {
  FaultReason,
  FoundBox,
  FoundEntry,
  FoundLine,
  SourceArgs,
  SourceCall,
  SourceOutput,
  SourceProvider,
  SourceTool,
} from './provider.ts'
export { faultReason, LOCAL_SOURCE, sourceFault } from './provider.ts'
