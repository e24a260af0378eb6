import { isFault } from '../base/index.ts'
import { callFunction, numberOperand, truthOperand } from './expression-functions.ts'
import { expressionFault, operandFault } from './expression-fault.ts'
import type { ExpressionPlace, Operand } from './expression-fault.ts'
import type { Arithmetic, Comparison, Connective, Expression } from './expression-syntax.ts'
import { display } from './display.ts'
import { isList } from './kind.ts'
import { parseExpression } from './parse-expression.ts'
import { closeTo, equal } from './scalar.ts'
import { valueOf } from './state.ts'
import type { State } from './state.ts'
import type { Value } from './value.ts'

export interface EvaluateOptions {
  /** Named in messages, such as `EVAL, step 3`. */
  readonly where?: string
}

/**
 * The value of an expression over a state. No host code is ever run.
 *
 * @throws ModelFault with an `X_` code; `fields.at` is the offset in the expression, from 0
 * @source program-language §7
 */
export function evaluate(text: string, state: State, options: EvaluateOptions = {}): Value {
  return evaluateExpression(parseExpression(text), state, options)
}

/** The truth of a condition, by the rules of the logical context. */
export function evaluateCondition(
  text: string,
  state: State,
  options: EvaluateOptions = {},
): boolean {
  const node = parseExpression(text)
  const scope: Scope = { state, ...options }
  return truthOperand(operand(node, scope), scope)
}

/** As `evaluate`, for an expression that is parsed already. */
export function evaluateExpression(
  node: Expression,
  state: State,
  options: EvaluateOptions = {},
): Value {
  const value = valueAt(node, { state, ...options })
  return Object.is(value, -0) ? 0 : value
}

interface Scope extends ExpressionPlace {
  readonly state: State
}

function operand(node: Expression, scope: Scope): Operand {
  return { node, value: valueAt(node, scope) }
}

function valueAt(node: Expression, scope: Scope): Value {
  switch (node.type) {
    case 'constant':
      return node.value
    case 'variable':
      return variable(node.name, node.at, scope)
    case 'template':
      return node.parts
        .map((part) => (part.type === 'text' ? part.text : shownPart(part, scope)))
        .join('')
    case 'list':
      return Object.freeze(node.items.map((item) => valueAt(item, scope)))
    case 'call': {
      const args = node.args.map((arg) => operand(arg, scope))
      const result = callFunction(node.name, args, node.at, scope)
      return typeof result === 'number' ? inRange(result, node.at, scope) : result
    }
    case 'sign': {
      const number = numberOperand(operand(node.of, scope), scope)
      return node.sign === '-' ? -number : number
    }
    case 'arithmetic':
      return arithmetic(node.operator, operand(node.left, scope), operand(node.right, scope), scope)
    case 'comparison':
      return comparison(node, scope)
    case 'not':
      return !truthOperand(operand(node.of, scope), scope)
    case 'connective':
      return connective(node.operator, node.operands, scope)
    case 'choice':
      return truthOperand(operand(node.condition, scope), scope)
        ? valueAt(node.then, scope)
        : valueAt(node.otherwise, scope)
    default:
      return node satisfies never
  }
}

function variable(name: string, at: number, scope: Scope): Value {
  try {
    return valueOf(scope.state, name, at)
  } catch (error) {
    if (!isFault(error)) throw error
    throw expressionFault(error.code, error.message, at, scope, { variable: name })
  }
}

function shownPart(part: { name: string; from: number; to: number }, scope: Scope): string {
  const value = variable(part.name, part.from, scope)
  try {
    return display(value)
  } catch {
    const node = { type: 'variable', name: part.name, at: part.from, end: part.to } as const
    throw operandFault('X_TYPE', { node, value }, 'a text', scope)
  }
}

/** `and` and `or` skip the rest when decided; `xor` is the parity of all. */
function connective(operator: Connective, operands: readonly Expression[], scope: Scope): boolean {
  const truths = (node: Expression): boolean => truthOperand(operand(node, scope), scope)
  switch (operator) {
    case 'and':
      return operands.every(truths)
    case 'or':
      return operands.some(truths)
    case 'xor':
      return operands.map(truths).filter(Boolean).length % 2 === 1
    default:
      return operator satisfies never
  }
}

/** Chains are a conjunction: `1 < A <= 3`. */
function comparison(node: Extract<Expression, { type: 'comparison' }>, scope: Scope): boolean {
  let left = operand(node.first, scope)
  for (const { operator, right: rightNode } of node.rest) {
    const right = operand(rightNode, scope)
    if (!compare(operator, left, right, scope)) return false
    left = right
  }
  return true
}

function compare(operator: Comparison, left: Operand, right: Operand, scope: Scope): boolean {
  switch (operator) {
    case '==':
      return equal(left.value, right.value)
    case '!=':
      return !equal(left.value, right.value)
    case 'in':
      return contains(left, right, scope)
    case 'not in':
      return !contains(left, right, scope)
    default: {
      const [a, b] = [numberOperand(left, scope), numberOperand(right, scope)]
      const close = closeTo(a, b)
      if (operator === '<') return a < b && !close
      if (operator === '>') return a > b && !close
      return close || (operator === '<=' ? a < b : a > b)
    }
  }
}

function contains(left: Operand, right: Operand, scope: Scope): boolean {
  if (isList(right.value)) return right.value.some((item) => equal(left.value, item))
  if (typeof right.value !== 'string') {
    throw operandFault('X_TYPE', right, 'a list or a text', scope)
  }
  if (typeof left.value !== 'string' && typeof left.value !== 'number') {
    throw operandFault('X_TYPE', left, 'a text or a number', scope)
  }
  return right.value.toLowerCase().includes(display(left.value).toLowerCase())
}

function arithmetic(operator: Arithmetic, left: Operand, right: Operand, scope: Scope): number {
  const a = numberOperand(left, scope)
  const b = numberOperand(right, scope)
  const divides = operator === '/' || operator === '//' || operator === '%'
  if (divides && b === 0) {
    throw expressionFault('X_DIV_ZERO', 'division by zero', right.node.at, scope)
  }
  return inRange(compute(operator, a, b), left.node.at, scope)
}

function compute(operator: Arithmetic, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '//':
      return Math.floor(a / b)
    case '%':
      return a - b * Math.floor(a / b)
    default:
      return operator satisfies never
  }
}

function inRange(value: number, at: number, scope: Scope): number {
  const exact = !Number.isInteger(value) || Number.isSafeInteger(value)
  if (Number.isFinite(value) && exact) return value
  throw expressionFault('X_RANGE', 'a result beyond the exact numbers (2^53 - 1)', at, scope)
}
