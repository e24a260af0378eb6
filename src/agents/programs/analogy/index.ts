export type { Analogy, AnalogyPlanner } from './planner.ts'
export { createAnalogyPlanner } from './planner.ts'
