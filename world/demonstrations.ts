import { languageFamily } from './tasks/run-on-truth.ts'
import type { TaskFamily } from './tasks/task.ts'
import rows from './demonstrations.json' with { type: 'json' }

/** A right program of the benchmark's training part. */
export interface WorldDemonstration {
  readonly id: string
  /** Of the language: gqa, nlvr, imgedit, tagging, open. */
  readonly family: string
  readonly instruction: string
  readonly program: string
}

/** One for each training wording, known concepts only: what the frozen system starts with. */
export function worldDemonstrations(): readonly WorldDemonstration[] {
  return rows.map(({ family, wording, instruction, program }, i) => ({
    id: `world/${wording}/${i}`,
    family: languageFamily(family as TaskFamily).name,
    instruction,
    program: program.join('\n'),
  }))
}
