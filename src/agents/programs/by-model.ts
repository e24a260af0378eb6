import type { Abortable, Clock, ErrorData } from '../../base/index.ts'
import { programFault, check, mayRun, parse, print } from '../../program/index.ts'
import type { Diagnostic, Program } from '../../program/index.ts'
import type { LanguageModel, Message } from '../../llm/index.ts'
import type { DemonstrationKind, Retrieved, Retriever } from '../../memory/index.ts'
import { ask } from './ask.ts'
import { afreshNote, planPrompt, programPrompt, repairPrompt } from './prompts.ts'
import type { Subject } from './prompts.ts'
import type { PlanStep, ProgramStep } from '../step.ts'

/** A program as a model wrote it, read and checked. */
export interface Draft {
  readonly program: Program
  /** As it came, when it cannot be printed whole. */
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
  readonly plan: string
  readonly attempt: number
}

/** What planning by a model needs; `tell` hears each step. */
export interface ModelPlanning extends Abortable {
  readonly model: LanguageModel
  readonly retriever: Retriever
  readonly subject: Subject
  readonly clock: Clock
  readonly tell: (step: PlanStep | ProgramStep) => void
  /** Right and wrong examples each; default 4 (CLOVA §4.1). */
  readonly examples?: number
  readonly grammar?: string | undefined
}

/** Further programs after the first: a repair, then another repair or everything anew. */
export const MOST_REPAIRS = 2

/** Plan, then program. */
export async function firstDraft(planning: ModelPlanning): Promise<Draft> {
  const plan = await writePlan(planning)
  return writeProgram(planning, plan, { attempt: 0 })
}

/**
 * The next draft after a faulty one.
 *
 * The first time it goes back with its faults; the second time it goes back again if the repair left fewer
 * faults, else plan and program are made anew. (The issue wants at most two repairs, clova §2 one repair and
 * one regeneration: this order does both.)
 *
 * @returns undefined when both are used up
 */
export async function nextDraft(
  planning: ModelPlanning,
  drafts: readonly Draft[],
  error?: ErrorData,
): Promise<Draft | undefined> {
  const last = drafts.at(-1)
  if (last === undefined || last.attempt >= MOST_REPAIRS) return undefined
  const before = drafts.at(-2)
  const isBetter = before === undefined || faults(last) < faults(before)
  if (last.attempt === 0 || (isBetter && error === undefined)) {
    return repair(planning, last, error)
  }
  const critique = error?.message ?? programFault(last.diagnostics).message
  const plan = await writePlan(planning, afreshNote(last.plan, critique))
  const note = afreshNote(last.text, critique)
  return writeProgram(planning, plan, { attempt: last.attempt + 1, note })
}

/** Another program for the same plan, for a vote. */
export function ballotDraft(planning: ModelPlanning, plan: string, ballot: number): Promise<Draft> {
  return writeProgram(planning, plan, { attempt: 0, ballot })
}

function faults({ diagnostics }: Draft): number {
  return diagnostics.filter(({ severity }) => severity === 'error').length
}

async function writePlan(planning: ModelPlanning, note?: string): Promise<string> {
  const { model, subject, clock, tell, signal } = planning
  const start = clock.tick()
  const reply = await ask(model, {
    purpose: note === undefined ? 'plan' : 'plan anew',
    examples: await examplesFor(planning, 'plan'),
    build: (examples) => withNote(planPrompt(subject, examples), note),
    signal,
  })
  const { text: plan, demonstrations, calls } = reply
  tell({ kind: 'plan', plan, demonstrations, calls, by: 'llm', ms: clock.tick() - start })
  return plan
}

async function writeProgram(
  planning: ModelPlanning,
  plan: string,
  options: { readonly attempt: number; readonly note?: string; readonly ballot?: number },
): Promise<Draft> {
  const { model, subject, clock, signal, grammar } = planning
  const { attempt, note, ballot } = options
  const start = clock.tick()
  const reply = await ask(model, {
    purpose: note === undefined ? 'program' : 'program anew',
    examples: await examplesFor(planning, 'program'),
    build: (examples) => withNote(programPrompt(subject, examples, plan), note),
    grammar,
    signal,
    ...(ballot === undefined ? {} : { temperature: 0.7, seed: ballot }),
  })
  const draft = readDraft(subject, reply.text, plan, attempt)
  const { demonstrations, calls } = reply
  const ms = clock.tick() - start
  planning.tell({
    ...programStep(draft, ms),
    demonstrations,
    calls,
    ...(ballot === undefined ? {} : { ballot }),
  })
  return draft
}

async function repair(
  planning: ModelPlanning,
  last: Draft,
  error: ErrorData | undefined,
): Promise<Draft> {
  const { model, subject, clock, signal, grammar } = planning
  const start = clock.tick()
  const { diagnostics } = last
  const reply = await ask(model, {
    purpose: 'repair',
    examples: [],
    build: () =>
      repairPrompt(subject, last.text, { diagnostics, ...(error === undefined ? {} : { error }) }),
    grammar,
    signal,
  })
  const draft = readDraft(subject, reply.text, last.plan, last.attempt + 1)
  planning.tell({ ...programStep(draft, clock.tick() - start), calls: reply.calls })
  return draft
}

/** Reads and checks what a model wrote. */
function readDraft(subject: Subject, text: string, plan: string, attempt: number): Draft {
  const program = parse(text)
  const diagnostics = check(program, subject)
  return { program, text: mayRun(diagnostics) ? print(program) : text, diagnostics, plan, attempt }
}

function programStep(draft: Draft, ms: number): ProgramStep {
  const { text: program, diagnostics, attempt } = draft
  return {
    ...{ kind: 'program', program, diagnostics, attempt, ms },
    ...{ by: 'llm', demonstrations: [], calls: [] },
  }
}

/** Right and wrong examples together, from the least to the most similar. */
async function examplesFor(
  { retriever, subject, examples: k = 4, signal }: ModelPlanning,
  kind: DemonstrationKind,
): Promise<readonly Retrieved[]> {
  const query = { family: subject.family.name, instruction: subject.instruction, kind, k }
  const right = await retriever.nearest({ ...query, verdict: 'right' }, { signal })
  const wrong = await retriever.nearest({ ...query, verdict: 'wrong' }, { signal })
  return [...right, ...wrong].sort((a, b) => a.similarity - b.similarity)
}

/** The note stands before the instruction, the last thing asked. */
function withNote(messages: readonly Message[], note: string | undefined): readonly Message[] {
  const last = messages.at(-1)
  if (note === undefined || last?.role !== 'user') return messages
  return [...messages.slice(0, -1), { ...last, content: `${note}\n\n${String(last.content)}` }]
}
