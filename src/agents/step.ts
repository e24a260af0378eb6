import type { ErrorData } from '../base/index.ts'
import type { BudgetLimits, RecordedCall, Spent } from '../llm/index.ts'
import type { Image } from '../image/index.ts'
import type { CallStep, ModelStamp, Value } from '../program/index.ts'

/** What a door asks of an agent. */
export interface Task {
  readonly agent: 'programs' | 'seeking' | 'chatting'
  /** gqa, nlvr, imgedit, tagging, open or a user's own. */
  readonly family: string
  readonly instruction: string
  /** IMAGE; or LEFT and RIGHT; already reduced to the family's longest side. */
  readonly inputs: Readonly<Record<string, Image>>
  /** A program given by hand: neither plan nor generation. */
  readonly program?: string
  readonly budget?: BudgetLimits
  /** Start value of the run's random numbers. */
  readonly seed: number
}

/** A request to a language model as it enters the record; `replayModel` repeats its reply. */
export interface ModelCall extends RecordedCall {
  /** What it was asked for, such as `plan`, `program`, `repair`. */
  readonly purpose: string
}

/** The plan in words (clova §2). */
export interface PlanStep {
  readonly kind: 'plan'
  readonly plan: string
  /** Ids of demonstrations shown, in the prompt's order. */
  readonly demonstrations: readonly string[]
  readonly calls: readonly ModelCall[]
  readonly by: 'llm' | 'analogy'
  readonly ms: number
}

/** The program: each try with its diagnostics, the last one is run. */
export interface ProgramStep {
  readonly kind: 'program'
  readonly program: string
  readonly diagnostics: readonly { code: string; message: string; line: number; column: number }[]
  readonly demonstrations: readonly string[]
  readonly calls: readonly ModelCall[]
  readonly by: 'llm' | 'analogy' | 'hand' | 'fallback'
  /** 0 for the first, counting repairs and regenerations. */
  readonly attempt: number
  /** For analogy: how near, 0..1, and how the program was made. */
  readonly confidence?: number
  readonly explanation?: string
  /** One of several programs that vote on the answer; the calls that follow are its own. */
  readonly ballot?: number
  readonly ms: number
}

/** A seeking agent's choice of the next action (AVIS). */
export interface DecideStep {
  readonly kind: 'decide'
  readonly state: string
  readonly allowed: readonly string[]
  readonly action: string
  readonly reason: string
  readonly calls: readonly ModelCall[]
  readonly ms: number
}

/** A seeking agent's judgement of what came back (AVIS). */
export interface ReasonStep {
  readonly kind: 'reason'
  readonly verdict: 'informative' | 'uninformative' | 'answer'
  readonly extracted: string
  readonly evidence: readonly string[]
  readonly calls: readonly ModelCall[]
  readonly ms: number
}

/** A turn of a chatting agent (LLaVA-Plus). */
export interface ReplyStep {
  readonly kind: 'reply'
  readonly thoughts: string
  readonly actions: readonly { readonly name: string; readonly params: unknown }[]
  readonly value: string
  readonly calls: readonly ModelCall[]
  readonly ms: number
}

/** A reflection on this run (CLOVA §3). */
export interface ReflectStep {
  readonly kind: 'reflect'
  readonly by: 'user' | 'global' | 'local' | 'replay'
  readonly verdict: unknown
  readonly calls: readonly ModelCall[]
  readonly ms: number
}

export type Step =
  PlanStep | ProgramStep | CallStep | DecideStep | ReasonStep | ReplyStep | ReflectStep

export type Outcome =
  | {
      readonly status: 'done'
      readonly value: Value
      /** in the family's form */ readonly answer?: string
    }
  | {
      readonly status: 'error'
      readonly error: ErrorData
      /** index of the failing step */ readonly at?: number
    }
  | { readonly status: 'aborted'; readonly reason: string }

/** A receipt: a later answer that used what was taught. */
export interface LessonUse {
  readonly lesson: string
  readonly version: number
  readonly concept: string
  readonly tool: string
}

/** Everything that happened, as one list; nothing else is recorded (architecture: two ways through). */
export interface Run {
  readonly id: string
  readonly agent: Task['agent']
  readonly task: Task
  readonly steps: readonly Step[]
  readonly outcome: Outcome
  readonly cost: Spent
  readonly models: readonly ModelStamp[]
  readonly lessonsUsed: readonly LessonUse[]
  readonly warnings: readonly string[]
  /** Set when the answer came by a stated way round, such as VQA on the whole question. */
  readonly fallback?: string
  readonly createdAt: number
  readonly version: string
}
