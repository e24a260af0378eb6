import { isFault, nearestNames, Unavailable, UserFault } from '../base/index.ts'
import type { Signature, ToolResult, Value } from '../program/index.ts'
import type { Backends } from './backends.ts'
import { DEFAULT_SETTINGS, type ToolSettings } from './settings.ts'
import { standardTools } from './standard-tools.ts'
import type { Tool, ToolContext } from './tool.ts'

/** The skill repository of one session: what the interpreter and the agents call. */
export interface Toolbox {
  readonly signatures: readonly Signature[]
  readonly backends: Backends
  /** The tool of a name, or undefined. */
  tool(name: string): Tool | undefined
  /**
   * Runs a tool. `expression` and `variable` arguments (EVAL, RESULT) arrive as values: the
   * interpreter, which knows the variables, has evaluated them. Texts arrive substituted.
   * Missing optional arguments take their default.
   *
   * @throws UserFault `T_UNKNOWN_TOOL`, Unavailable `T_BACKEND` for a model that fails, and what the
   *   tool throws
   */
  call(
    name: string,
    args: Readonly<Record<string, Value>>,
    context: ToolContext,
  ): Promise<ToolResult>
}

export interface ToolboxOptions {
  readonly backends: Backends
  readonly settings?: Partial<ToolSettings>
  /** More tools; one with the name of a standard tool takes its place. */
  readonly extra?: readonly Tool[]
}

/** Makes a toolbox of the standard tools on the given back ends. */
export function createToolbox(options: ToolboxOptions): Toolbox {
  const settings = { ...DEFAULT_SETTINGS, ...options.settings }
  const tools = new Map<string, Tool>()
  for (const tool of [...standardTools(options.backends, settings), ...(options.extra ?? [])]) {
    tools.set(tool.signature.name, tool)
  }
  return {
    signatures: [...tools.values()].map((tool) => tool.signature),
    backends: options.backends,
    tool: (name) => tools.get(name),
    call: async (name, args, context) => {
      context.signal?.throwIfAborted()
      const tool = tools.get(name) ?? unknownTool(name, tools.keys())
      try {
        return await tool.run(withDefaults(tool.signature, args), context)
      } catch (error) {
        throw asBackendFailure(name, error)
      }
    },
  }
}

function withDefaults(
  signature: Signature,
  args: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const filled: Record<string, Value> = { ...args }
  for (const { name, default: value } of signature.args) {
    if (filled[name] === undefined && value !== undefined) filled[name] = value
  }
  return filled
}

/** What a model or its file does wrong is the back end's failure, tried again by policy. */
function asBackendFailure(tool: string, error: unknown): unknown {
  const isModel = isFault(error) && /^E_(?:ONNX|TFJS|PHOTO)/.test(error.code)
  if (!isModel || error.kind === 'Bug') return error
  return new Unavailable('T_BACKEND', `The model behind ${tool} failed: ${error.message}`, {
    fields: { tool, code: error.code },
    cause: error,
    ...(error.cure === undefined ? {} : { cure: error.cure }),
  })
}

function unknownTool(name: string, known: Iterable<string>): never {
  const names = [...known]
  const near = nearestNames(name, names)
  throw new UserFault('T_UNKNOWN_TOOL', `There is no tool "${name}".`, {
    fields: { tool: name, known: names },
    cure: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Tools: ${names.join(', ')}.`,
  })
}
