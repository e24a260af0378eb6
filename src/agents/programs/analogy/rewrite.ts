import type {
  ArgNode,
  Ident,
  Program,
  Statement,
  StepNode,
  ValueNode,
} from '../../../program/index.ts'

/** Changes to the nodes of a program; what is not given stays. */
export interface Rewrite {
  /** A value anywhere in arguments, lists and conditions. */
  readonly value?: (node: ValueNode) => ValueNode
  readonly tool?: (ident: Ident) => string
  /** Names that are assigned; uses are values, or stand in texts. */
  readonly assigned?: (name: string) => string
}

/** A copy of a program with changed nodes; positions are those of the old text. */
export function rewrite(program: Program, change: Rewrite): Program {
  return { ...program, body: program.body.map((statement) => rewriteStatement(statement, change)) }
}

function rewriteStatement(statement: Statement, change: Rewrite): Statement {
  switch (statement.type) {
    case 'step':
      return rewriteStep(statement, change)
    case 'if':
      return {
        ...statement,
        arms: statement.arms.map((arm) => ({
          ...arm,
          condition: arm.condition === null ? null : asText(rewriteValue(arm.condition, change)),
          body: arm.body.map((inner) => rewriteStatement(inner, change)),
        })),
      }
    case 'for': {
      const name = (ident: Ident): Ident => ({
        ...ident,
        name: change.assigned?.(ident.name) ?? ident.name,
      })
      return {
        ...statement,
        item: name(statement.item),
        list: name(statement.list),
        carries: statement.carries.map((one) => ({ name: name(one.name), from: name(one.from) })),
        gathers: statement.gathers.map((one) => ({ item: name(one.item), into: name(one.into) })),
        body: statement.body.map((inner) => rewriteStatement(inner, change)),
      }
    }
    case 'broken':
      return statement
    default:
      return statement satisfies never
  }
}

function rewriteStep(step: StepNode, change: Rewrite): StepNode {
  return {
    ...step,
    name: { ...step.name, name: change.assigned?.(step.name.name) ?? step.name.name },
    tool: { ...step.tool, name: change.tool?.(step.tool) ?? step.tool.name },
    args: step.args.map((arg: ArgNode) => ({ ...arg, value: rewriteValue(arg.value, change) })),
  }
}

function rewriteValue(node: ValueNode, change: Rewrite): ValueNode {
  const changed = change.value?.(node) ?? node
  if (changed !== node || node.type !== 'list') return changed
  return { ...node, items: node.items.map((item) => rewriteValue(item, change)) }
}

function asText(node: ValueNode): Extract<ValueNode, { type: 'string' }> {
  if (node.type !== 'string') throw new TypeError('a condition stays a text')
  return node
}
