import type { TemplatePart } from './substitute.ts'

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in'
export type Arithmetic = '+' | '-' | '*' | '/' | '//' | '%'
export type Connective = 'and' | 'or' | 'xor'

/** A node of an expression; `at` and `end` are offsets in its text, from 0. */
export type Expression = { readonly at: number; readonly end: number } & (
  | { readonly type: 'constant'; readonly value: number | string | boolean | null }
  | { readonly type: 'template'; readonly parts: readonly TemplatePart[] }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'list'; readonly items: readonly Expression[] }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly type: 'sign'; readonly sign: '+' | '-'; readonly of: Expression }
  | {
      readonly type: 'arithmetic'
      readonly operator: Arithmetic
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly type: 'comparison'
      readonly first: Expression
      readonly rest: readonly { readonly operator: Comparison; readonly right: Expression }[]
    }
  | { readonly type: 'not'; readonly of: Expression }
  | {
      readonly type: 'connective'
      readonly operator: Connective
      readonly operands: readonly Expression[]
    }
  | {
      readonly type: 'choice'
      readonly then: Expression
      readonly condition: Expression
      readonly otherwise: Expression
    }
)

/** True when the outermost operator gives a bool whatever the values are. */
export function isLogical(node: Expression): boolean {
  return node.type === 'comparison' || node.type === 'not' || node.type === 'connective'
}

/** A variable used in an expression: offsets, and whether it is shown inside a text. */
export interface ExpressionUse {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly shown: boolean
}

/** Every use of a variable, in order of the text. */
export function expressionUses(node: Expression): ExpressionUse[] {
  switch (node.type) {
    case 'constant':
      return []
    case 'variable':
      return [{ name: node.name, from: node.at, to: node.end, shown: false }]
    case 'template':
      return node.parts.flatMap((part) => (part.type === 'name' ? [{ ...part, shown: true }] : []))
    default:
      return childrenOf(node).flatMap(expressionUses)
  }
}

function childrenOf(node: Expression): readonly Expression[] {
  switch (node.type) {
    case 'list':
      return node.items
    case 'call':
      return node.args
    case 'sign':
    case 'not':
      return [node.of]
    case 'arithmetic':
      return [node.left, node.right]
    case 'comparison':
      return [node.first, ...node.rest.map((part) => part.right)]
    case 'connective':
      return node.operands
    case 'choice':
      return [node.then, node.condition, node.otherwise]
    case 'constant':
    case 'variable':
    case 'template':
      return []
    default:
      return node satisfies never
  }
}
