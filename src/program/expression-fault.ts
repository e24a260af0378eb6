import { ModelFault } from '../base/index.ts'
import { valueWords } from './display.ts'
import type { Expression } from './expression-syntax.ts'
import type { Value } from './value.ts'

/** Where an expression stands, for messages: `EVAL, step 3`. */
export interface ExpressionPlace {
  readonly where?: string | undefined
}

/** An operand with its value, so that a message can name the variable. */
export interface Operand {
  readonly node: Expression
  readonly value: Value
}

/** The variable whose value an operand plainly is, if any. */
export function variableOf(node: Expression): string | undefined {
  if (node.type === 'variable') return node.name
  const only = node.type === 'template' && node.parts.length === 1 ? node.parts[0] : undefined
  return only?.type === 'name' ? only.name : undefined
}

/** A fault about an operand: `ANSWER0 is 'many', not a number (EVAL, step 3)`. */
export function operandFault(
  code: string,
  operand: Operand,
  not: string,
  place: ExpressionPlace,
): ModelFault {
  const variable = variableOf(operand.node)
  const words = valueWords(operand.value)
  const subject = variable === undefined ? `${words} is` : `${variable} is ${words},`
  return expressionFault(code, `${subject} not ${not}`, operand.node.at, place, {
    ...(variable === undefined ? {} : { variable }),
    value: words,
  })
}

export function expressionFault(
  code: string,
  message: string,
  at: number,
  place: ExpressionPlace,
  fields: Readonly<Record<string, unknown>> = {},
): ModelFault {
  const where = place.where === undefined ? '' : ` (${place.where})`
  return new ModelFault(code, `${message}${where}`, { fields: { at, ...fields } })
}
