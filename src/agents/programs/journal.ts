import type { Random } from '../../base/index.ts'
import type { Budget } from '../../llm/index.ts'
import type { Diagnostic, Family, ModelStamp } from '../../program/index.ts'
import type { LessonUse, Step, Task } from '../step.ts'

/** One task being carried out. */
export interface Work {
  readonly task: Task
  readonly family: Family
  readonly journal: RunJournal
  readonly budget: Budget
  readonly signal: AbortSignal | undefined
  /** A fresh generator of the run's seed. */
  readonly random: () => Random
}

/** What is recorded of a run while it goes on. */
export interface RunJournal {
  readonly steps: readonly Step[]
  readonly warnings: readonly string[]
  /** Notes a step and tells whoever listens. */
  readonly tell: (step: Step) => void
  warn(text: string): void
  /** Warnings of a program that is run. */
  warnOf(diagnostics: readonly Diagnostic[]): void
  /** Every model that took part, once. */
  models(): readonly ModelStamp[]
  lessons(): readonly LessonUse[]
}

export function runJournal(onStep: ((step: Step) => void) | undefined): RunJournal {
  const steps: Step[] = []
  const warnings: string[] = []
  const warn = (text: string): void => void (warnings.includes(text) || warnings.push(text))
  return {
    steps,
    warnings,
    tell: (step) => {
      steps.push(Object.freeze(step))
      onStep?.(step)
    },
    warn,
    warnOf: (diagnostics) => {
      for (const one of diagnostics) {
        if (one.severity === 'warning') {
          warn(`${one.line}:${one.column} ${one.code} ${one.message}`)
        }
      }
    },
    models: () => {
      const stamps = steps.flatMap(stampsOf)
      return [
        ...new Map(stamps.map((stamp) => [`${stamp.name} ${stamp.hash ?? ''}`, stamp])).values(),
      ]
    },
    lessons: () => lessonsOf(steps),
  }
}

function stampsOf(step: Step): readonly ModelStamp[] {
  if (step.kind === 'call') return step.models
  return 'calls' in step ? step.calls.map(({ model }) => ({ name: model })) : []
}

/** The receipts of prompts that were used: what a lesson did in this run. */
function lessonsOf(steps: readonly Step[]): readonly LessonUse[] {
  const uses = new Map<string, LessonUse>()
  for (const step of steps) {
    if (step.kind !== 'call') continue
    for (const { lesson, concept, version = 1 } of step.prompts) {
      uses.set(`${lesson} ${step.tool}`, { lesson, version, concept, tool: step.tool })
    }
  }
  return [...uses.values()]
}
