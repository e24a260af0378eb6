export type { Demonstration, DemonstrationKind, DemonstrationPool } from './demonstration.ts'
