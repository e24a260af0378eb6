import type { Abortable } from '../../base/index.ts'
import type { FoundBox } from '../../tools/index.ts'
import { knowledgeQuestion, unselected, visualQuestion } from './feasible.ts'
import type { Feasibility, Situation } from './feasible.ts'
import type { Reading } from './reasoner.ts'
import type { Action, Entry, Exclusion, Focus, Phase, SeekTool } from './types.ts'

/** What a person sees before a decision. */
export interface PersonView {
  readonly question: string
  /** What is to be found out now: what is shown, or what is known of it. */
  readonly asked: string
  readonly phase: Phase
  readonly state: SeekTool | 'START'
  readonly focus: Focus
  /** What was learnt so far, as quoted. */
  readonly known: readonly string[]
  readonly actions: readonly Action[]
  readonly excluded: readonly Exclusion[]
  /** Objects that can be selected. */
  readonly objects: readonly FoundBox[]
  /** What was wrong with the choice before. */
  readonly problem?: string
  /** Tool calls that are left. */
  readonly left: number
}

/** A choice: the place of an action in the list, its query written anew, the object that is meant, and why. */
export interface PersonChoice {
  readonly choice: number
  readonly query?: string
  readonly object?: string
  readonly why?: string
}

/**
 * A person in the place of planner and reasoner: same tools, same graph, same checks (avis §10, drive).
 */
export interface Person {
  /** @returns undefined when the person gives up */
  choose(view: PersonView, options?: Abortable): Promise<PersonChoice | undefined>
  /** What the person makes of an output; quotes must stand in the entries. */
  read(
    output: PersonView & { readonly tool: SeekTool; readonly entries: readonly Entry[] },
    options?: Abortable,
  ): Promise<Reading>
}

/** The situation as it is shown to a person. */
export function personView(
  question: string,
  at: Situation,
  { feasible, excluded }: Feasibility,
): PersonView {
  const { node, memory, ledger, limits } = at
  return {
    ...{ question, phase: node.phase, state: node.state, focus: node.focus, excluded },
    asked: node.phase === 'visual' ? visualQuestion(at) : knowledgeQuestion(at),
    known: memory.claims.map(({ quote }) => quote),
    actions: feasible.map(({ action }) => action),
    objects: unselected(at),
    left: limits.maxToolCalls - ledger.toolCalls(),
  }
}
