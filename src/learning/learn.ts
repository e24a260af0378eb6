import type { Run, Task } from '../agents/index.ts'
import type { Abortable } from '../base/index.ts'
import { isAbort } from '../base/index.ts'
import type { Signature } from '../program/index.ts'
import type { Blame, Reflector, ReplayOptions, Verdict, Wish } from '../reflection/index.ts'
import { checkByReplay, noVerdict } from '../reflection/index.ts'
import { attemptOf } from './attempt-of.ts'

/** How a task ended (clova §1). */
export type LearnOutcome =
  'right_first' | 'fixed_global' | 'fixed_local' | 'unresolved' | 'unverified' | 'aborted'

/** Whether a run is right; undefined when nobody can say. */
export type Judge = (run: Run, options: Abortable) => Promise<boolean | undefined>

/** A phase of Algorithm 1; leave one out to switch it off (CLOVA table 4). */
export interface Phase {
  readonly name: 'global' | 'local'
  /** Asked in order until one blames somebody; replay stands last. */
  readonly reflectors: readonly Reflector[]
}

/** What a lesson on a tool came to. */
export interface Taught {
  /** Lessons that act now. */
  readonly lessons: readonly string[]
  /** Why there are none: no data, nothing passed validation, the tool cannot learn. */
  readonly missing?: string
}

/** What the loop works with; wired by `app`, scripted in tests. */
export interface LoopParts {
  readonly signatures: readonly Signature[]
  readonly phases: readonly Phase[]
  /** Plans and runs a task from a fresh state; with a critique, differently. */
  readonly infer: (task: Task, how: Inference & Abortable) => Promise<Run>
  /** The same program again, with the tools as they are now. */
  readonly again: (run: Run, options: Abortable) => Promise<Run>
  readonly teach: (
    lesson: {
      readonly blame: Blame
      readonly verdict: Verdict
      readonly run: Run
      readonly wish: Wish
    },
    options: Abortable,
  ) => Promise<Taught>
  readonly rememberRight: (run: Run) => Promise<void>
  /** `unverified`: kept, out of prompts. */
  readonly rememberWrong: (run: Run, verdict: Verdict, unverified: boolean) => Promise<void>
  /** What claims of language models are checked by replay with; null: they are not (ablation). */
  readonly replay: ReplayOptions | null
}

/** How a task is to be carried out anew. */
export interface Inference {
  readonly critique?: {
    /** `plan`: new plan and new program; `program`: the same plan. */
    readonly location: 'plan' | 'program'
    readonly text: string
    readonly before: Run
  }
}

/** What happened to one task. */
export interface Learning {
  readonly outcome: LearnOutcome
  /** The first answer: the only one that counts in an online evaluation (vector L16). */
  readonly first: Run
  readonly last: Run
  readonly verdicts: readonly Verdict[]
  readonly lessons: readonly string[]
  /** What was missing, a line each. */
  readonly notes: readonly string[]
}

/**
 * Algorithm 1: answer, and if that is wrong reflect globally, learn, run again; if still wrong reflect
 * locally on the newest run, learn, run again.
 *
 * A right task enters the demonstrations, a repaired one with its critique; one that nobody can judge
 * teaches no demonstration.
 *
 * @param wish  the right answer or what a person said, for reflection
 * @throws what infer, reflectors and teach throw; an abort is the outcome `aborted`
 * @source CLOVA Algorithm 1; clova §6
 */
export async function learn(
  task: Task,
  judge: Judge,
  parts: LoopParts,
  options: Abortable & { readonly wish?: Wish } = {},
): Promise<Learning> {
  const { wish = {}, signal } = options
  const first = await parts.infer(task, { signal })
  const state: State = { first, last: first, verdicts: [], lessons: [], notes: [] }
  try {
    const right = await judge(first, { signal })
    if (right === true) {
      await parts.rememberRight(first)
      return ended(state, 'right_first')
    }
    for (const phase of parts.phases) {
      const verdict = await reflectOn(state.last, phase, wish, parts, signal)
      state.verdicts.push(verdict)
      const made = await actOn(verdict, state, { task, wish, parts, signal })
      if (made === undefined) continue
      state.last = made
      const verified = await judge(made, { signal })
      if (verified === undefined) return ended(state, 'unverified')
      if (!verified) continue
      await parts.rememberRight(made)
      await parts.rememberWrong(first, verdict, false)
      return ended(state, `fixed_${phase.name}`)
    }
  } catch (error) {
    // What was applied is whole, since lessons are; the rest is left.
    if (isAbort(error) || signal?.aborted === true) return ended(state, 'aborted')
    throw error
  }
  await parts.rememberWrong(first, state.verdicts.at(-1) ?? noVerdict('local'), true)
  return ended(state, 'unresolved')
}

interface State {
  readonly first: Run
  last: Run
  readonly verdicts: Verdict[]
  readonly lessons: string[]
  readonly notes: string[]
}

function ended(state: State, outcome: LearnOutcome): Learning {
  const { first, last, verdicts, lessons, notes } = state
  return Object.freeze({ outcome, first, last, verdicts, lessons, notes })
}

/** The first reflector that blames somebody, for the run that is wrong now. */
async function reflectOn(
  run: Run,
  { name, reflectors }: Phase,
  wish: Wish,
  parts: LoopParts,
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  const attempt = attemptOf(run, parts.signatures)
  if (attempt === undefined) return noVerdict(name)
  for (const reflector of reflectors) {
    const verdict = await reflector.reflect(attempt, wish, { signal })
    if (verdict.blames.length === 0) continue
    const isClaim = reflector.by === 'global' || reflector.by === 'local'
    if (!isClaim || parts.replay === null) return verdict
    return checkByReplay(verdict, attempt, wish, { ...parts.replay, signal })
  }
  return noVerdict(name)
}

/** The new run that a verdict leads to; undefined when it leads to none. */
async function actOn(
  verdict: Verdict,
  state: State,
  work: {
    readonly task: Task
    readonly wish: Wish
    readonly parts: LoopParts
    readonly signal: AbortSignal | undefined
  },
): Promise<Run | undefined> {
  const { task, wish, parts, signal } = work
  const [blame] = verdict.blames
  if (blame === undefined) return undefined
  const { location, reason } = blame
  if (location !== 'tool') {
    return parts.infer(task, { critique: { location, text: reason, before: state.last }, signal })
  }
  const { lessons, missing } = await parts.teach(
    { blame, verdict, run: state.last, wish },
    { signal },
  )
  state.lessons.push(...lessons)
  if (missing !== undefined) state.notes.push(missing)
  // Nothing was learnt: the same run would only come out the same.
  return lessons.length === 0 ? undefined : parts.again(state.last, { signal })
}
