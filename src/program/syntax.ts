import type { Diagnostic } from './diagnostic.ts'

/** Where something stands in the text as received: line and column from 1, column in UTF-16 units. */
export interface Span {
  readonly offset: number
  readonly line: number
  readonly column: number
  readonly length: number
}

/** A written name: variable, tool or argument. */
export interface Ident {
  readonly name: string
  readonly at: Span
}

export interface NameNode {
  readonly type: 'name'
  readonly name: string
  readonly at: Span
}

/** A quoted text, decoded; for expressions only the delimiter's escape is decoded. */
export interface StringNode {
  readonly type: 'string'
  readonly text: string
  readonly expression: boolean
  readonly at: Span
  /** Source offset of each unit of `text`, when they are not simply one after another. */
  readonly map: readonly number[] | null
  /** Source offset of the first unit. */
  readonly start: number
}

export interface NumberNode {
  readonly type: 'number'
  readonly value: number
  readonly at: Span
}

/** True, False or None. */
export interface ConstantNode {
  readonly type: 'constant'
  readonly value: boolean | null
  readonly at: Span
}

export interface ListNode {
  readonly type: 'list'
  readonly items: readonly ValueNode[]
  readonly at: Span
}

export type ValueNode = NameNode | StringNode | NumberNode | ConstantNode | ListNode

export interface ArgNode {
  /** Null for a positional argument. */
  readonly name: Ident | null
  readonly value: ValueNode
  readonly at: Span
}

/** `NAME=TOOL(args)`. */
export interface StepNode {
  readonly type: 'step'
  /** Counts the steps of the text from 1. */
  readonly number: number
  readonly name: Ident
  readonly tool: Ident
  readonly args: readonly ArgNode[]
  readonly at: Span
}

/** One arm of an `if`; `condition` is null for `else`. */
export interface ArmNode {
  readonly condition: StringNode | null
  readonly body: readonly Statement[]
  /** Its header could not be read; the block still stands. */
  readonly broken: boolean
  readonly at: Span
}

export interface IfNode {
  readonly type: 'if'
  readonly arms: readonly ArmNode[]
  readonly at: Span
}

export interface ForNode {
  readonly type: 'for'
  readonly item: Ident
  readonly list: Ident
  readonly limit: NumberNode | null
  readonly carries: readonly { readonly name: Ident; readonly from: Ident }[]
  readonly gathers: readonly { readonly item: Ident; readonly into: Ident }[]
  readonly body: readonly Statement[]
  readonly broken: boolean
  readonly at: Span
}

/** A line that could not be read; still defines its name, so that one fault gives one error. */
export interface BrokenNode {
  readonly type: 'broken'
  readonly number: number | null
  readonly name: Ident | null
  readonly tool: string | null
  /** Words of the line; they count as uses. */
  readonly words: readonly string[]
  readonly at: Span
}

export type Statement = StepNode | IfNode | ForNode | BrokenNode

/** A program as a frozen tree, with what the parser had to say about its text. */
export interface Program {
  readonly type: 'program'
  readonly body: readonly Statement[]
  /** Of parsing only, in order of position; `check` returns these and its own. */
  readonly diagnostics: readonly Diagnostic[]
  /** False when the text was too long to be read at all. */
  readonly whole: boolean
}

/** The span of units `[from, to)` of a string's decoded text, in the source. */
export function spanInside(node: StringNode, from: number, to: number): Span {
  const offset = sourceOffset(node, from)
  const last = to > from ? sourceOffset(node, to - 1) + 1 : offset
  return {
    offset,
    line: node.at.line,
    column: node.at.column + offset - node.at.offset,
    length: Math.max(1, last - offset),
  }
}

function sourceOffset(node: StringNode, index: number): number {
  const end = node.at.offset + node.at.length - 1
  if (node.map === null) return Math.min(node.start + index, end)
  return node.map[index] ?? end
}

/** Every step of the text in order, whatever block it stands in. */
export function stepsOf(body: readonly Statement[]): StepNode[] {
  return body.flatMap((statement): StepNode[] => {
    switch (statement.type) {
      case 'step':
        return [statement]
      case 'if':
        return statement.arms.flatMap((arm) => stepsOf(arm.body))
      case 'for':
        return stepsOf(statement.body)
      case 'broken':
        return []
      default:
        return statement satisfies never
    }
  })
}
