import type { Clock, Random } from '../../base/index.ts'
import type { Image } from '../../image/index.ts'
import type { FoundBox } from '../../tools/index.ts'
import type { Desk } from './ask.ts'
import type { ExecuteParts } from './execute.ts'
import type { Situation } from './feasible.ts'
import type { Exclusion, Entry, SeekNode, SeekOutcome, SeekStep, SeekTool } from './types.ts'
import type { Person } from './person.ts'
import type { PlannerParts } from './planner.ts'
import type { WorkingMemory } from './working-memory.ts'
import type { Decomposition } from './types.ts'
import type { TransitionGraph } from './graph.ts'
import type { Ledger, Worst } from './ledger.ts'
import type { SeekLimits, SeekOptions } from './options.ts'
import type { ProviderDesk } from './execute.ts'

/** A run while it goes on; only `seek` and what it calls change it. */
export interface SeekState {
  readonly question: string
  readonly picture: Image
  readonly graph: TransitionGraph
  readonly limits: SeekLimits
  readonly options: SeekOptions
  readonly ledger: Ledger
  readonly desk: ProviderDesk
  readonly clock: Clock
  readonly random: Random
  readonly signal?: AbortSignal | undefined
  readonly nonce: string
  readonly planner: PlannerParts
  /** Decides and reads in the place of models and rules. */
  readonly person?: Person | undefined
  /** Who reads; may be another model than the one that plans. */
  readonly reader?: Desk | undefined
  readonly execution: ExecuteParts
  readonly decomposition: Decomposition
  readonly memory: WorkingMemory
  readonly steps: readonly SeekStep[]
  readonly tell: (step: SeekStep) => void
  readonly taken: Set<string>
  readonly tried: SeekOutcome['tried'][number][]
  readonly degraded: Set<SeekOutcome['degraded'][number]>
  readonly pages: Entry[]
  boxes: readonly FoundBox[]
  /** What the detection's step says of each box, for what is named by its label. */
  detected?: {
    readonly all: readonly FoundBox[]
    readonly entries: readonly Entry[]
    readonly step: number
  }
  /** With a fixed sequence: the place in it that comes next. */
  sequenceAt: number
  node: SeekNode
  nodes: number
  plannerErrors: number
  rebinds: number
  calls: number
  failedCalls: number
  replayable: boolean
}

/** What the planner and the graph need to know of a run. */
export function situationOf(state: SeekState): Situation {
  const { node, graph, picture, decomposition, memory, taken, boxes, pages, sequenceAt } = state
  const { desk, ledger, limits, options } = state
  const newest = pages.toReversed()
  return {
    ...{ node, graph, picture, decomposition, memory, taken, boxes, pages: newest },
    ...{ desk, ledger, limits, options, sequenceAt, reading: readingWorst(state) },
  }
}

/** Rules and extraction alone: nobody who could say how sure something is. */
export function isAlone({ reader, person }: Pick<SeekState, 'reader' | 'person'>): boolean {
  return reader === undefined && person === undefined
}

/** What reading one output may take at worst: nothing without a model. */
export function readingWorst({ reader }: Pick<SeekState, 'reader'>): Worst {
  if (reader === undefined) return {}
  const tokens = reader.estimate({ text: ' '.repeat(8000), maxTokens: 800 })
  return { llmCalls: 1, tokens }
}

/** What a decision may take at worst. */
export function decisionWorst({ planner }: Pick<SeekState, 'planner'>): Worst {
  if (planner.desk === undefined) return {}
  return { llmCalls: 1, tokens: planner.desk.estimate({ text: ' '.repeat(8000), maxTokens: 200 }) }
}

/** A node under another: a state reached by an accepted action. */
export function childNode(
  state: SeekState,
  parent: SeekNode,
  tool: SeekTool,
  more: Partial<Pick<SeekNode, 'phase' | 'focus' | 'binds'>> = {},
): SeekNode {
  const { phase, focus } = parent
  return {
    id: ++state.nodes,
    parent,
    state: tool,
    phase,
    focus,
    excluded: [],
    dead: false,
    ...more,
  }
}

export function exclude(node: SeekNode, exclusion: Exclusion): void {
  node.excluded.push(exclusion)
}
