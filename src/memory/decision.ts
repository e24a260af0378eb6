import { deepFreeze } from '../base/index.ts'
import type { Json } from '../base/index.ts'

/** What a person (or the agent) chose at one point of a search for knowledge (avis §10). */
export interface Decision {
  readonly v: 1
  readonly runId: string
  readonly step: number
  readonly at: number
  readonly actor: 'human' | 'agent'
  readonly questionId: string
  readonly question: string
  /** `sha256:…` */
  readonly picture: string
  readonly phase: string
  readonly stateBefore: string
  readonly feasible: readonly string[]
  readonly chosen: { readonly tool: string; readonly args: Json }
  /** `sha256:…` */
  readonly outputRef: string
  readonly outputSummary: string
  readonly verdict: 'informative' | 'uninformative' | 'answer' | 'error'
  readonly extracted?: { readonly text: string; readonly entry: string; readonly quote: string }
  readonly correctedFrom?: string
  readonly rationale?: string
  readonly ms: number
  readonly cost: number
  readonly private: boolean
  readonly consent: boolean
}

/** Recorded decisions, append-only but for forgetting. */
export interface DecisionBook {
  /** Stores it if consent was given; tells whether it did. */
  append(decision: Decision): Promise<boolean>
  list(): Promise<readonly Decision[]>
  /** Deletes by run or picture; gives how many went. */
  forget(of: { readonly runId: string } | { readonly picture: string }): Promise<number>
  version(): Promise<number>
}

/** Decisions in memory, in the order they were made. */
export function memoryDecisions(): DecisionBook {
  let decisions: readonly Decision[] = []
  let version = 0
  return {
    append: async (decision) => {
      if (!decision.consent) return false
      decisions = [...decisions, deepFreeze({ ...decision })]
      version++
      return true
    },
    list: async () => decisions,
    forget: async (of) => {
      const [key, value] = Object.entries(of)[0] ?? []
      const kept = decisions.filter((one) => one[key as keyof Decision] !== value)
      const gone = decisions.length - kept.length
      decisions = kept
      if (gone > 0) version++
      return gone
    },
    version: async () => version,
  }
}
