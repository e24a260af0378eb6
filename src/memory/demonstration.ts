/** Which half of the inference a demonstration is shown to. */
export type DemonstrationKind = 'plan' | 'program'

/** An instruction with the plan or program that was right for it, or wrong with a critique (clova §1, §7). */
export interface Demonstration {
  readonly id: string
  readonly family: string
  readonly instruction: string
  /** Numbered steps in words. */
  readonly plan?: string
  /** Text in our language. */
  readonly program?: string
  readonly verdict: 'right' | 'wrong'
  /** For wrong ones: what is wrong with it. */
  readonly critique?: string
  /** Start entries 1000, new ones 0 (clova §7). */
  readonly score: number
  /** `start` entries ship with the package and are never dropped. */
  readonly origin: 'start' | 'run' | 'human'
  /** Run or person it came from. */
  readonly source?: string
  /** Not confirmed yet: kept out of prompts. */
  readonly unverified?: boolean
  readonly createdAt?: number
}

/** The pool D: four sets (plans/programs, right/wrong) told apart by fields. */
export interface DemonstrationPool {
  /** All demonstrations of a family, in order of id. */
  list(family: string): Promise<readonly Demonstration[]>
  /** Adds or replaces by id; an equal right one (instruction, plan, program) is not added twice. */
  put(demonstration: Demonstration): Promise<void>
  remove(id: string): Promise<void>
  get(id: string): Promise<Demonstration | undefined>
  /** Changes with every write, so that an index over the pool knows when it is stale. */
  version(): Promise<number>
}
