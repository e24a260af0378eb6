import { errorData, isFault } from '../../base/index.ts'
import type { ErrorData } from '../../base/index.ts'
import { withBudget } from '../../llm/index.ts'
import type { LanguageModel } from '../../llm/index.ts'
import { mayRun, programFault } from '../../program/index.ts'
import type { RunOutcome } from '../../program/index.ts'
import type { CarriedOut, Parts } from './agent.ts'
import { ballotDraft, firstDraft, nextDraft } from './by-model.ts'
import type { Draft, ModelPlanning } from './by-model.ts'
import { execute } from './execute.ts'
import type { Work } from './journal.ts'
import { majority } from './vote.ts'
import { wayRound } from './way-round.ts'

/** Plans with a language model, repairs what does not pass or does not run, and goes the way round at last. */
export async function withModel(parts: Parts, work: Work): Promise<CarriedOut> {
  const planning = planningOf(parts, work)
  const drafts: Draft[] = []
  let error: ErrorData | undefined
  try {
    drafts.push(await firstDraft(planning))
    for (;;) {
      // Not empty: the first draft is in, and the next ones are pushed below.
      const draft = drafts.at(-1)!
      error = undefined
      if (mayRun(draft.diagnostics)) {
        const outcome = await answerOf(parts, work, planning, draft)
        if (!isModelFault(outcome)) return { outcome }
        error = outcome.error
      }
      const next = await nextDraft(planning, drafts, error)
      if (next === undefined) break
      drafts.push(next)
    }
  } catch (thrown) {
    if (!isFault(thrown) || thrown.code !== 'E_BUDGET') throw thrown
    work.journal.warn(thrown.message)
    return wayRound(parts, work, errorData(thrown), drafts.length)
  }
  const last = drafts.at(-1)
  const fault = error ?? errorData(programFault(last?.diagnostics ?? []))
  work.journal.warn(`No program passed after ${drafts.length} tries: ${fault.message}`)
  return wayRound(parts, work, fault, drafts.length)
}

function planningOf(parts: Parts, work: Work): ModelPlanning {
  const { family, task, journal, signal } = work
  const model = spending(parts, work)
  const grammar = model.capabilities.grammar === true ? parts.grammar?.(family) : undefined
  return {
    model,
    retriever: parts.retriever,
    subject: { family, signatures: parts.signatures, instruction: task.instruction },
    clock: parts.clock,
    tell: journal.tell,
    grammar,
    ...(parts.examples === undefined ? {} : { examples: parts.examples }),
    ...(signal === undefined ? {} : { signal }),
  }
}

function spending({ model, clock, prices }: Parts, { budget }: Work): LanguageModel {
  if (typeof model === 'function') return model(budget)
  if (model === undefined) throw new TypeError('planning with a model needs one')
  return withBudget(model, budget, { clock, ...(prices === undefined ? {} : { prices }) })
}

/** The outcome of a draft, or of the vote that it takes part in. */
async function answerOf(
  parts: Parts,
  work: Work,
  planning: ModelPlanning,
  draft: Draft,
): Promise<RunOutcome> {
  const first = await execute(parts, work, draft.program)
  const votes = work.family.form === 'text' || work.family.form === 'truth' ? (parts.votes ?? 1) : 1
  const outcomes = [first]
  for (let ballot = 1; ballot < votes; ballot++) {
    const other = await ballotDraft(planning, draft.plan, ballot)
    if (mayRun(other.diagnostics)) outcomes.push(await execute(parts, work, other.program))
  }
  return majority(outcomes) ?? first
}

/** What the program's author can mend: errors of the language at run time. */
function isModelFault(outcome: RunOutcome): outcome is Extract<RunOutcome, { status: 'error' }> {
  return outcome.status === 'error' && outcome.error.kind === 'ModelFault'
}
