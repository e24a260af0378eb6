import { checkStep } from './check-step.ts'
import type { CheckContext } from './check-step.ts'
import { catalogue } from './catalogue.ts'
import { CheckNotes, definition, mergeArms, Scope } from './check-scope.ts'
import { checkExpression } from './check-value.ts'
import { sortDiagnostics } from './diagnostic.ts'
import type { Diagnostic } from './diagnostic.ts'
import { itemKind, kindName, listOf } from './kind.ts'
import type { Family, Kind, Signature } from './signature.ts'
import type { ForNode, IfNode, Program, Statement } from './syntax.ts'

export interface CheckOptions {
  readonly family: Family
  readonly signatures: readonly Signature[]
  /** Inputs when they are not those of the family, such as several pictures of `open`. */
  readonly inputs?: readonly { readonly name: string; readonly kind: Kind }[]
}

/**
 * All that is wrong with a program before any tool runs: what its parsing found, and names, types,
 * values and arguments against the signatures. Never throws.
 *
 * @returns in order of position, those at one position by code; an error forbids the run (`mayRun`)
 * @source program-language §4
 */
export function check(program: Program, options: CheckOptions): readonly Diagnostic[] {
  if (!program.whole) return program.diagnostics
  const notes = new CheckNotes()
  const scope = new Scope()
  for (const { name, kind } of options.inputs ?? options.family.inputs) {
    scope.set(name, definition(kind, 0))
  }
  const tools = catalogue(options.signatures)
  const context: CheckContext = { notes, tools, family: options.family }
  checkBody(context, scope, program.body)
  checkResults(context, program)
  notes.finish()
  return sortDiagnostics([...program.diagnostics, ...notes.diagnostics])
}

function checkBody(context: CheckContext, scope: Scope, body: readonly Statement[]): void {
  for (const statement of body) {
    switch (statement.type) {
      case 'step':
        checkStep(context, scope, statement)
        break
      case 'if':
        checkIf(context, scope, statement)
        break
      case 'for':
        checkFor(context, scope, statement)
        break
      case 'broken': {
        const { name, at, words } = statement
        context.notes.touch(scope, words)
        if (name !== null && scope.get(name.name) === undefined) {
          scope.set(name.name, definition('any', at.line))
        }
        break
      }
      default:
        statement satisfies never
    }
  }
}

function checkIf(context: CheckContext, scope: Scope, block: IfNode): void {
  const arms = block.arms.map((arm) => {
    if (arm.condition !== null && !arm.broken) {
      checkExpression(context.notes, scope, arm.condition, {})
    }
    const inner = scope.copy()
    checkBody(context, inner, arm.body)
    return inner
  })
  const complete = block.arms.at(-1)?.condition === null
  mergeArms(scope, complete ? arms : [...arms, scope.copy()], complete)
}

function checkFor(context: CheckContext, scope: Scope, block: ForNode): void {
  const { notes } = context
  if (block.broken) {
    notes.blind = true
    return checkBody(context, scope.inner(), block.body)
  }
  const kind = checkHeader(context, scope, block)
  const inner = scope.inner()
  notes.assign(inner, block.item, kind, {})
  const carried = block.carries.map(({ name, from }) => {
    const kind = notes.use(scope, from.name, from.at, {})
    const old = scope.get(name.name)
    if (old === undefined || !old.assignable) notes.assign(inner, name, kind, {})
    else notes.assign(scope, name, kind, {})
    const known = inner.get(name.name)
    if (known !== undefined && (old === undefined || old.assignable)) {
      inner.set(name.name, { ...known, assignable: true })
    }
    return { name, kind }
  })
  checkBody(context, inner, block.body)
  const gathered = block.gathers.map(({ item, into }) => {
    const kind = notes.use(inner, item.name, item.at, {})
    const clash = scope.get(into.name) === undefined && inner.get(into.name) !== undefined
    if (clash) notes.assign(inner, into, 'any', {})
    return { into, kind: listOf(kind) }
  })
  for (const { name, kind } of carried) {
    if (scope.get(name.name) === undefined) scope.set(name.name, definition(kind, name.at.line))
  }
  for (const { into, kind } of gathered) notes.assign(scope, into, kind, {}, 'gather')
}

/** Checks list and limit; gives the kind of the items. */
function checkHeader({ notes }: CheckContext, scope: Scope, block: ForNode): Kind {
  const { list, limit } = block
  const kind = notes.use(scope, list.name, list.at, {})
  const item = itemKind(kind)
  if (item === undefined) {
    notes.report(
      'C_TYPE',
      `expected a list for "for", found ${kindName(kind)} ${list.name}`,
      list.at,
    )
  }
  if (
    limit !== null &&
    !(Number.isInteger(limit.value) && limit.value >= 1 && limit.value <= 100)
  ) {
    notes.report('C_VALUE', 'expected a whole number from 1 to 100 for limit', limit.at)
  }
  return item ?? 'any'
}

/** `RESULT` stands once, last, outside blocks. */
function checkResults(context: CheckContext, program: Program): void {
  const { notes } = context
  const { body } = program
  const last = body.at(-1)
  if (last === undefined) return
  const top = body.filter(isResult)
  const nested = body.flatMap(blocksOf).filter(isResult)
  for (const one of nested) {
    notes.report('C_RESULT_PLACE', 'RESULT stands outside blocks, last', one.at, stepOf(one))
  }
  const [first, ...more] = top
  for (const one of more)
    notes.report('C_MANY_RESULTS', 'more than one RESULT', one.at, stepOf(one))
  if (first === undefined) {
    if (nested.length > 0) return
    const hint = `End with ${context.family.resultName}=RESULT(var=…).`
    return notes.report('C_NO_RESULT', 'a program without RESULT', last.at, { hint })
  }
  const after = body.slice(body.indexOf(first) + 1)
  if (!after.every(isResult)) {
    notes.report('C_RESULT_NOT_LAST', 'RESULT is not the last step', first.at, stepOf(first))
  }
}

function stepOf(statement: Statement): { step?: number } {
  return 'number' in statement && statement.number !== null ? { step: statement.number } : {}
}

function isResult(statement: Statement): boolean {
  if (statement.type === 'step') return statement.tool.name.toUpperCase() === 'RESULT'
  return statement.type === 'broken' && statement.tool?.toUpperCase() === 'RESULT'
}

/** Everything inside a block, however deep; nothing for a step. */
function blocksOf(statement: Statement): readonly Statement[] {
  const inside =
    statement.type === 'for'
      ? statement.body
      : statement.type === 'if'
        ? statement.arms.flatMap((arm) => arm.body)
        : []
  return inside.flatMap((one) => [one, ...blocksOf(one)])
}
