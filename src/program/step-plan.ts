import { bindArgs, findTool } from './catalogue.ts'
import type { BoundArg, Catalogue } from './catalogue.ts'
import type { Expression } from './expression-syntax.ts'
import { expressionUses } from './expression-syntax.ts'
import { parseExpression } from './parse-expression.ts'
import { namesIn } from './resolve-args.ts'
import type { Signature } from './signature.ts'
import type { StepNode } from './syntax.ts'

/** What is known of a step before it runs, worked out once however often a loop runs it. */
export interface StepPlan {
  readonly node: StepNode
  readonly signature: Signature
  readonly bound: readonly BoundArg[]
  /** Variables it waits for. */
  readonly names: readonly string[]
  /** The parsed text of EVAL. */
  readonly expression?: Expression
}

/** The plan of a checked step. */
export function planStep(node: StepNode, tools: Catalogue): StepPlan {
  const signature = findTool(tools, node.tool.name)
  if (signature === undefined) throw new TypeError(`no signature of ${node.tool.name}`)
  const { bound } = bindArgs(node, signature)
  const value = bound[0]?.arg.value
  const expression =
    signature.name === 'EVAL' && value?.type === 'string' ? parseExpression(value.text) : undefined
  const names = new Set(
    expression === undefined
      ? bound.flatMap(({ spec, arg }) => namesIn(arg.value, spec))
      : expressionUses(expression).map((use) => use.name),
  )
  return { node, signature, bound, names: [...names], ...(expression && { expression }) }
}
