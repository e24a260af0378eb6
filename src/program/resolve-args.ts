import { ModelFault } from '../base/index.ts'
import { canonicalWord } from './catalogue.ts'
import type { BoundArg } from './catalogue.ts'
import { rangeWords } from './check-value.ts'
import { display } from './display.ts'
import { accepts, isList, isObject, kindName, kindOf, typeWords } from './kind.ts'
import { printValue } from './print.ts'
import type { ArgSpec, Signature } from './signature.ts'
import type { State } from './state.ts'
import type { ArgTrace } from './step.ts'
import { substitute, template } from './substitute.ts'
import type { ValueNode } from './syntax.ts'
import type { Value } from './value.ts'

/** Every name that a value uses, in its text too where texts are substituted. */
export function namesIn(node: ValueNode, spec: ArgSpec): readonly string[] {
  switch (node.type) {
    case 'name':
      return [node.name]
    case 'list':
      return node.items.flatMap((item) => namesIn(item, spec))
    case 'string':
      return substitutes(spec)
        ? template(node.text).flatMap((part) => (part.type === 'name' ? [part.name] : []))
        : []
    case 'number':
    case 'constant':
      return []
    default:
      return node satisfies never
  }
}

function substitutes(spec: ArgSpec): boolean {
  return spec.type !== 'emoji' && spec.type !== 'expression'
}

/**
 * The value of an argument: texts substituted, converted as the language allows, and checked once
 * more, because not everything is known before the run.
 *
 * @throws ModelFault `C_TYPE`, `C_VALUE`, `X_UNDEFINED`, `X_TYPE`
 */
export function resolveArg({ spec, arg }: BoundArg, state: State, signature: Signature): ArgTrace {
  const raw = resolveNode(arg.value, spec, state)
  const value = convert(spec, raw)
  checkResolved(spec, value, signature, arg.value)
  return Object.freeze({ name: spec.name, source: printValue(arg.value), value })
}

function resolveNode(node: ValueNode, spec: ArgSpec, state: State): Value {
  switch (node.type) {
    case 'name':
      return state.get(node.name) ?? null
    case 'string':
      return substitutes(spec) ? substitute(node.text, state) : node.text
    case 'number':
    case 'constant':
      return node.value
    case 'list':
      return Object.freeze(node.items.map((item) => resolveNode(item, spec, state)))
    default:
      return node satisfies never
  }
}

/** The implicit conversions of the language (program-language §2); there are no others. */
function convert(spec: ArgSpec, value: Value): Value {
  switch (spec.type) {
    case 'text':
      return plainText(value)
    case 'texts':
      return isList(value) ? Object.freeze(value.map(plainText)) : plainText(value)
    case 'objects':
    case 'list':
      return isObject(value) ? Object.freeze([value]) : value
    default:
      return value
  }
}

function plainText(value: Value): Value {
  return typeof value === 'number' || typeof value === 'boolean' ? display(value) : value
}

function checkResolved(spec: ArgSpec, value: Value, signature: Signature, node: ValueNode): void {
  if (value === null && spec.default === null) return
  const boxes = spec.type === 'objects' && isBoxes(value)
  if (!boxes && !accepts(spec.type, kindOf(value))) {
    const name = node.type === 'name' ? ` ${node.name}` : ''
    throw fault(
      'C_TYPE',
      spec,
      signature,
      typeWords(spec.type),
      `, found ${kindName(kindOf(value))}${name}`,
    )
  }
  if (typeof value === 'number') checkRange(spec, value, signature)
  const { values } = spec
  if (values === undefined || typeof value !== 'string') return
  if (values.some((one) => canonicalWord(one) === canonicalWord(value))) return
  const shown = values.slice(0, 12).join(', ') + (values.length > 12 ? ', …' : '')
  throw fault('C_VALUE', spec, signature, `one of ${shown}`, `, found '${value}'`)
}

function checkRange(spec: ArgSpec, value: number, signature: Signature): void {
  const { type, min = -Infinity, max = Infinity } = spec
  const whole = type !== 'integer' || Number.isInteger(value)
  if (whole && value >= min && value <= max) return
  throw fault(
    'C_VALUE',
    spec,
    signature,
    typeWords(type) + rangeWords(min, max),
    `, found ${value}`,
  )
}

function isBoxes(value: Value): boolean {
  if (!isList(value)) return false
  return isBox(value) || (value.length > 0 && value.every((item) => isList(item) && isBox(item)))
}

function isBox(value: readonly Value[]): boolean {
  return value.length === 4 && value.every((item) => typeof item === 'number')
}

function fault(
  code: string,
  spec: ArgSpec,
  signature: Signature,
  expected: string,
  found: string,
): ModelFault {
  const message = `expected ${expected} for ${spec.name} of ${signature.name}${found}`
  return new ModelFault(code, message, { fields: { argument: spec.name } })
}
