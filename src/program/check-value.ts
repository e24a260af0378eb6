import { isFault, nearestNames } from '../base/index.ts'
import { canonicalWord } from './catalogue.ts'
import { expressionUses, isLogical } from './expression-syntax.ts'
import { accepts, isDisplayable, kindName, typeWords } from './kind.ts'
import { parseExpression } from './parse-expression.ts'
import type { CheckNotes, Place, Scope } from './check-scope.ts'
import type { ArgSpec, Kind } from './signature.ts'
import { template } from './substitute.ts'
import { spanInside } from './syntax.ts'
import type { ListNode, StringNode, ValueNode } from './syntax.ts'

/** An argument being checked. */
export interface ArgPlace extends Place {
  readonly tool: string
  readonly spec: ArgSpec
}

/** Checks a value against what its argument wants. */
export function checkValue(
  notes: CheckNotes,
  scope: Scope,
  node: ValueNode,
  place: ArgPlace,
): Kind {
  const { type } = place.spec
  switch (node.type) {
    case 'name': {
      const textual = type === 'text' || type === 'texts' || type === 'emoji'
      const hint = textual ? 'Put a text in quotes.' : undefined
      const kind = notes.use(scope, node.name, node.at, place, hint)
      if (!accepts(type, kind)) typeFault(notes, node, `${kindName(kind)} ${node.name}`, place)
      return kind
    }
    case 'string':
      return checkString(notes, scope, node, place)
    case 'number':
      checkNumberNode(notes, node, place)
      return 'number'
    case 'constant':
      checkConstant(notes, node, place)
      return node.value === null ? 'none' : 'bool'
    case 'list':
      checkList(notes, scope, node, place)
      return { list: 'any' }
    default:
      return node satisfies never
  }
}

/** Only undefined names, for arguments of which nothing is known. */
export function checkNames(notes: CheckNotes, scope: Scope, node: ValueNode, place: Place): void {
  if (node.type === 'name') notes.use(scope, node.name, node.at, place)
  if (node.type === 'list') for (const item of node.items) checkNames(notes, scope, item, place)
  if (node.type === 'string') {
    for (const part of template(node.text)) {
      if (part.type === 'name') {
        notes.use(scope, part.name, spanInside(node, part.from, part.to), place)
      }
    }
  }
}

function typeFault(notes: CheckNotes, node: ValueNode, found: string, place: ArgPlace): void {
  const { tool, spec, step } = place
  const message = `expected ${typeWords(spec.type)} for ${spec.name} of ${tool}, found ${found}`
  notes.report('C_TYPE', message, node.at, { step })
}

function valueFault(
  notes: CheckNotes,
  node: ValueNode,
  allowed: string,
  place: ArgPlace,
  hint?: string,
): void {
  const { tool, spec, step } = place
  const message = `expected ${allowed} for ${spec.name} of ${tool}`
  notes.report('C_VALUE', message, node.at, { step, hint })
}

function checkString(notes: CheckNotes, scope: Scope, node: StringNode, place: ArgPlace): Kind {
  const { type, values } = place.spec
  if (type === 'expression') return checkExpression(notes, scope, node, place)
  if (type !== 'text' && type !== 'texts' && type !== 'emoji') {
    typeFault(notes, node, 'a text', place)
    return 'text'
  }
  if (node.text.trim() === '') valueFault(notes, node, 'a text that is not empty', place)
  const substituted = type !== 'emoji' && checkTemplate(notes, scope, node, place)
  if (values !== undefined && !substituted && node.text.trim() !== '') {
    checkWord(notes, node, values, place)
  }
  return 'text'
}

/** Checks each `{NAME}` of a text; true when there is one. */
function checkTemplate(notes: CheckNotes, scope: Scope, node: StringNode, place: Place): boolean {
  let any = false
  for (const part of template(node.text)) {
    if (part.type !== 'name') continue
    any = true
    showable(notes, scope, node, part, place)
  }
  return any
}

function showable(
  notes: CheckNotes,
  scope: Scope,
  node: StringNode,
  part: { readonly name: string; readonly from: number; readonly to: number },
  place: Place,
): void {
  const at = spanInside(node, part.from, part.to)
  const kind = notes.use(scope, part.name, at, place)
  if (isDisplayable(kind)) return
  const message = `expected a value that can be shown as text, found ${kindName(kind)} ${part.name}`
  notes.report('C_TYPE', message, at, { step: place.step })
}

function checkWord(
  notes: CheckNotes,
  node: StringNode,
  values: readonly string[],
  place: ArgPlace,
): void {
  const word = canonicalWord(node.text)
  if (values.some((value) => canonicalWord(value) === word)) return
  const near = nearestNames(word, values)
  const shown = values.length > 12 ? `${values.slice(0, 12).join(', ')}, …` : values.join(', ')
  valueFault(
    notes,
    node,
    `one of ${shown}`,
    place,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : undefined,
  )
}

function checkNumberNode(
  notes: CheckNotes,
  node: Extract<ValueNode, { type: 'number' }>,
  place: ArgPlace,
): void {
  const { type, min = -Infinity, max = Infinity } = place.spec
  if (type === 'text' || type === 'texts' || type === 'expression') return
  if (type !== 'integer' && type !== 'number') return typeFault(notes, node, 'a number', place)
  const whole = type === 'number' || Number.isInteger(node.value)
  if (!whole || node.value < min || node.value > max) {
    valueFault(notes, node, `${typeWords(type)}${rangeWords(min, max)}`, place)
  }
}

export function rangeWords(min: number, max: number): string {
  if (min === -Infinity && max === Infinity) return ''
  if (max === Infinity) return ` of at least ${min}`
  return min === -Infinity ? ` of at most ${max}` : ` from ${min} to ${max}`
}

function checkConstant(
  notes: CheckNotes,
  node: Extract<ValueNode, { type: 'constant' }>,
  place: ArgPlace,
): void {
  const { type, default: otherwise } = place.spec
  if (type === 'expression') return
  if (node.value === null) {
    if (otherwise !== null) typeFault(notes, node, 'None', place)
  } else if (type !== 'bool' && type !== 'text' && type !== 'texts') {
    typeFault(notes, node, node.value ? 'True' : 'False', place)
  }
}

function checkList(notes: CheckNotes, scope: Scope, node: ListNode, place: ArgPlace): void {
  const { type } = place.spec
  if (node.items.length === 0 && (type === 'objects' || type === 'texts' || type === 'list')) {
    return valueFault(notes, node, 'a list that is not empty', place)
  }
  if (type === 'texts') {
    const item: ArgPlace = { ...place, spec: { ...place.spec, type: 'text' } }
    for (const one of node.items) checkValue(notes, scope, one, item)
  } else if (type === 'objects') {
    checkBoxes(notes, scope, node, place)
  } else {
    if (type !== 'list') typeFault(notes, node, 'a list', place)
    checkNames(notes, scope, node, place)
  }
}

/** A literal box `[x1,y1,x2,y2]`, or a list of such boxes. */
function checkBoxes(notes: CheckNotes, scope: Scope, node: ListNode, place: ArgPlace): void {
  const boxes = node.items.every((item) => item.type === 'list') ? node.items : [node]
  for (const one of boxes) {
    const items = one.type === 'list' ? one.items : []
    const numbers = items.flatMap((item) => (item.type === 'number' ? [item.value] : []))
    if (items.length !== 4 || numbers.length !== 4) {
      typeFault(notes, one, 'a list that is no box [x1,y1,x2,y2]', place)
      checkNames(notes, scope, one, place)
      continue
    }
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers
    if (x2 <= x1 || y2 <= y1) valueFault(notes, one, 'a box with x1 < x2 and y1 < y2', place)
  }
}

/** Checks the text of EVAL or of a condition; gives its kind. */
export function checkExpression(
  notes: CheckNotes,
  scope: Scope,
  node: StringNode,
  place: Place,
): Kind {
  try {
    const expression = parseExpression(node.text)
    for (const use of expressionUses(expression)) {
      if (use.shown) showable(notes, scope, node, use, place)
      else notes.use(scope, use.name, spanInside(node, use.from, use.to), place)
    }
    return isLogical(expression) ? 'bool' : 'scalar'
  } catch (error) {
    if (!isFault(error)) throw error
    const at = Number(error.fields['at'] ?? 0)
    const span = spanInside(node, at, at + Number(error.fields['length'] ?? 1))
    notes.report('C_EXPR', `${error.code}: ${error.message}`, span, {
      step: place.step,
      hint: error.cure,
      inner: { code: error.code, at },
    })
    notes.touch(scope, node.text.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? [])
    return 'scalar'
  }
}
