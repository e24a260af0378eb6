import type { ErrorData } from '../../base/index.ts'
import type { Image, ObjectRecord } from '../../image/index.ts'
import type { ToolResult, Value } from '../../program/index.ts'
import type { Action, Backends, PythonDict, SkillState } from '../../tools/index.ts'

/** A picture of a conversation by its name; pictures that skills made say which one made them. */
export interface NamedPicture {
  readonly name: string
  readonly image: Image
  readonly madeBy?: string
}

/** What a skill may use in one call. */
export interface SkillContext {
  /** The picture the call is about; undefined for skills without one. */
  readonly picture: NamedPicture | undefined
  readonly state: SkillState
  /** Masks that earlier skills of the conversation gave, newest reply only. */
  readonly masks: readonly ObjectRecord[]
  readonly backends: Backends
  readonly signal: AbortSignal
  /** Runs a tool of the house; the call becomes a step of the run. */
  call(tool: string, args: Readonly<Record<string, Value>>): Promise<ToolResult>
}

/** What a skill gives back. */
export interface SkillResult {
  /** As the wire has it: keys and spelling of the protocol (llava-plus §4, §5.4). */
  readonly reply: PythonDict
  /** Pictures it made; each gets a name. */
  readonly made?: readonly Image[]
  /** Objects with masks that later skills may use. */
  readonly masks?: readonly ObjectRecord[]
  /** Found objects, drawn over the picture by whoever shows it. */
  readonly objects?: readonly ObjectRecord[]
  readonly notes?: readonly string[]
}

/** A skill of the repository: one line to the planner, a schema, and how it runs here. */
export interface Skill {
  /** Wire names; the first is the one that is listed. */
  readonly names: readonly [string, ...string[]]
  /** As the paper calls it. */
  readonly skill: string
  /** One line for the model. */
  readonly about: string
  /** JSON Schema of the parameters. */
  readonly parameters: object
  /** Keys of the reply. */
  readonly replies: readonly string[]
  readonly picture: boolean
  /** How much it costs: a fast model, a slow one, a model that generates pictures. */
  readonly cost: 'low' | 'middle' | 'high'
  /** Words that ask for it, for listing within a budget. */
  readonly words: string
  /** Why it cannot run with these back ends; undefined when it can. */
  missing(backends: Backends): string | undefined
  run(action: Action, context: SkillContext): Promise<SkillResult>
}

/** How one call of a turn came out. */
export interface SkillOutcome {
  readonly action: Action
  /** The picture it was about. */
  readonly picture?: string
  readonly result?: SkillResult
  readonly error?: ErrorData
  /** Names of the pictures that it made. */
  readonly made: readonly string[]
  /** The same call was made before in this turn; its result was used again. */
  readonly repeated?: boolean
}
