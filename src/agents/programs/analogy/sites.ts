import { stepsOf } from '../../../program/index.ts'
import type { ArgSpec, Program, Signature, StringNode, ValueNode } from '../../../program/index.ts'

/** A text in a program with the argument it stands for. */
export interface TextSite {
  readonly node: StringNode
  readonly arg: ArgSpec | undefined
}

/** The places of a program that may come from its instruction. */
export interface Sites {
  readonly texts: readonly TextSite[]
  readonly expressions: readonly StringNode[]
  readonly numbers: readonly Extract<ValueNode, { type: 'number' }>[]
  readonly names: readonly Extract<ValueNode, { type: 'name' }>[]
  /** Tool identifiers. */
  readonly tools: readonly { readonly name: string }[]
}

/** All sites of a program, in the order of its text. */
export function sitesOf(program: Program, signatures: readonly Signature[]): Sites {
  const texts: TextSite[] = []
  const expressions: StringNode[] = []
  const numbers: Extract<ValueNode, { type: 'number' }>[] = []
  const names: Extract<ValueNode, { type: 'name' }>[] = []
  const visit = (node: ValueNode, arg: ArgSpec | undefined): void => {
    if (node.type === 'list') for (const item of node.items) visit(item, arg)
    else if (node.type === 'number') numbers.push(node)
    else if (node.type === 'name') names.push(node)
    else if (node.type === 'string' && arg?.type === 'expression') expressions.push(node)
    else if (node.type === 'string') texts.push({ node, arg })
  }
  const steps = stepsOf(program.body)
  for (const step of steps) {
    const signature = signatures.find(({ name }) => name === step.tool.name)
    step.args.forEach((arg, i) => {
      const spec = signature?.args.find(({ name }) => name === arg.name?.name) ?? signature?.args[i]
      visit(arg.value, spec)
    })
  }
  return { texts, expressions, numbers, names, tools: steps.map((step) => step.tool) }
}

/** A word of an expression as it lies in its text. */
export interface ExpressionWord {
  readonly kind: 'text' | 'number' | 'operator' | 'connective' | 'other'
  readonly text: string
  readonly start: number
  readonly end: number
}

const PARTS =
  /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\{[^}]*\}|\d+(?:\.\d+)?|[<>=!]=|[<>]|[A-Za-z_]\w*|\S/g
const CONNECTIVES = new Set(['and', 'or', 'xor'])

/** Splits an expression into its words; texts without their quotes. */
export function expressionWords(expression: string): readonly ExpressionWord[] {
  return [...expression.matchAll(PARTS)].map((match) => {
    const text = match[0]
    const start = match.index
    const end = start + text.length
    if (/^['"]/.test(text)) {
      return { kind: 'text', text: text.slice(1, -1), start: start + 1, end: end - 1 }
    }
    if (/^\d/.test(text)) return { kind: 'number', text, start, end }
    if (/^[<>=!]/.test(text)) return { kind: 'operator', text, start, end }
    return { kind: CONNECTIVES.has(text) ? 'connective' : 'other', text, start, end }
  })
}
