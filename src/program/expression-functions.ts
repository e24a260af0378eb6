import { ModelFault, nearestNames } from '../base/index.ts'
import { display } from './display.ts'
import { expressionFault, operandFault } from './expression-fault.ts'
import type { ExpressionPlace, Operand } from './expression-fault.ts'
import { isList } from './kind.ts'
import { asNumber, asTruth } from './scalar.ts'
import type { Value } from './value.ts'

interface FunctionRule {
  /** How many arguments it takes. */
  readonly arity: readonly [least: number, most: number]
  run(args: readonly Operand[], place: ExpressionPlace): Value
}

/** All functions of expressions (program-language §7). */
const FUNCTIONS: ReadonlyMap<string, FunctionRule> = new Map(
  Object.entries<FunctionRule>({
    len: {
      arity: [1, 1],
      run: (args, place) => listOperand(args, place).length,
    },
    min: {
      arity: [1, Infinity],
      run: (args, place) => Math.min(...numbers('min', args, place)),
    },
    max: {
      arity: [1, Infinity],
      run: (args, place) => Math.max(...numbers('max', args, place)),
    },
    sum: {
      arity: [1, 1],
      run: (args, place) =>
        listOperand(args, place).reduce<number>(
          (sum, value, i) => sum + itemNumber(args, value, i, place),
          0,
        ),
    },
    abs: { arity: [1, 1], run: (args, place) => Math.abs(numberOperand(args[0], place)) },
    round: { arity: [1, 2], run: round },
    int: { arity: [1, 1], run: (args, place) => Math.trunc(numberOperand(args[0], place)) },
    float: { arity: [1, 1], run: (args, place) => numberOperand(args[0], place) },
    bool: { arity: [1, 1], run: (args, place) => truthOperand(args[0], place) },
    str: { arity: [1, 1], run: (args, place) => args.map((arg) => shown(arg, place)).join('') },
    concat: {
      arity: [1, Infinity],
      run: (args, place) => args.map((arg) => shown(arg, place)).join(''),
    },
  }),
)

/** Found at checking: unknown functions and wrong numbers of arguments. @throws ModelFault `X_FUNCTION` */
export function checkCall(name: string, count: number, at: number): void {
  const rule = FUNCTIONS.get(name)
  if (rule === undefined) {
    const near = nearestNames(name, FUNCTIONS.keys())
    throw new ModelFault('X_FUNCTION', `unknown function "${name}"`, {
      fields: { at, length: name.length, function: name },
      cure:
        near.length > 0
          ? `Did you mean ${near.join(' or ')}?`
          : `Functions: ${[...FUNCTIONS.keys()].join(', ')}.`,
    })
  }
  const [least, most] = rule.arity
  if (count < least || count > most) {
    const wants =
      least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`
    throw new ModelFault('X_FUNCTION', `${name} takes ${wants} values, not ${count}`, {
      fields: { at, length: name.length, function: name },
    })
  }
}

/** Calls a function that `checkCall` has let through. */
export function callFunction(
  name: string,
  args: readonly Operand[],
  at: number,
  place: ExpressionPlace,
): Value {
  checkCall(name, args.length, at)
  const rule = FUNCTIONS.get(name)
  return rule === undefined ? null : rule.run(args, place)
}

/** @throws ModelFault `X_NOT_NUMBER` naming the variable and its value */
export function numberOperand(operand: Operand | undefined, place: ExpressionPlace): number {
  const number = operand === undefined ? undefined : asNumber(operand.value)
  if (number !== undefined) return number
  throw operandFault('X_NOT_NUMBER', operand as Operand, 'a number', place)
}

/** @throws ModelFault `X_NOT_BOOLEAN` naming the variable and its value */
export function truthOperand(operand: Operand | undefined, place: ExpressionPlace): boolean {
  const truth = operand === undefined ? undefined : asTruth(operand.value)
  if (truth !== undefined) return truth
  throw operandFault('X_NOT_BOOLEAN', operand as Operand, 'yes or no', place)
}

function listOperand(args: readonly Operand[], place: ExpressionPlace): readonly Value[] {
  const operand = args[0] as Operand
  if (isList(operand.value)) return operand.value
  throw operandFault('X_TYPE', operand, 'a list', place)
}

function numbers(name: string, args: readonly Operand[], place: ExpressionPlace): number[] {
  const only = args.length === 1 ? args[0] : undefined
  if (only === undefined || !isList(only.value)) return args.map((arg) => numberOperand(arg, place))
  if (only.value.length === 0) {
    throw expressionFault('X_RANGE', `${name} of an empty list`, only.node.at, place)
  }
  return only.value.map((value, i) => itemNumber(args, value, i, place))
}

function itemNumber(
  args: readonly Operand[],
  value: Value,
  index: number,
  place: ExpressionPlace,
): number {
  const number = asNumber(value)
  if (number !== undefined) return number
  const node = { ...(args[0] as Operand).node, type: 'constant' as const, value: null }
  const fault = operandFault('X_NOT_NUMBER', { node, value }, 'a number', place)
  throw new ModelFault(fault.code, `item ${index + 1}: ${fault.message}`, { fields: fault.fields })
}

function shown(operand: Operand, place: ExpressionPlace): string {
  try {
    return display(operand.value)
  } catch {
    throw operandFault('X_TYPE', operand, 'a text', place)
  }
}

/** Halves away from zero, in decimals: `round(1.005, 2)` is 1.01. */
function round(args: readonly Operand[], place: ExpressionPlace): number {
  const value = numberOperand(args[0], place)
  const places = args.length < 2 ? 0 : numberOperand(args[1], place)
  if (!Number.isInteger(places) || Math.abs(places) > 15) {
    throw operandFault('X_RANGE', args[1] as Operand, 'a whole number from -15 to 15', place)
  }
  const rounded = Math.floor(shift(Math.abs(value), places) + 0.5)
  return Math.sign(value) * shift(rounded, -places)
}

/** `value * 10^places` without the error of the multiplication. */
function shift(value: number, places: number): number {
  const [digits = '0', exponent = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}
