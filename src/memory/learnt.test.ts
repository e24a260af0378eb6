import { learntCases } from './learnt.cases.ts'
import { memoryLearntRows } from './learnt-rows.ts'

learntCases('memory', async () => ({ rows: memoryLearntRows() }))
