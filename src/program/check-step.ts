import { nearestNames } from '../base/index.ts'
import { bindArgs, findTool } from './catalogue.ts'
import type { BindFault, Catalogue } from './catalogue.ts'
import type { CheckNotes, Scope } from './check-scope.ts'
import { checkNames, checkValue } from './check-value.ts'
import { signatureLine } from './describe.ts'
import { offers } from './families.ts'
import { fits, isScalarKind, kindName } from './kind.ts'
import type { Family, Kind, Signature } from './signature.ts'
import type { ArgNode, StepNode } from './syntax.ts'

/** What a check goes by. */
export interface CheckContext {
  readonly notes: CheckNotes
  readonly tools: Catalogue
  readonly family: Family
}

/** Checks one step and defines its variable. */
export function checkStep(context: CheckContext, scope: Scope, step: StepNode): void {
  const { notes } = context
  const place = { step: step.number }
  const signature = findTool(context.tools, step.tool.name)
  checkTool(context, step, signature)
  const kind = signature === undefined ? unknownArgs() : checkArgs(context, scope, step, signature)
  notes.assign(scope, step.name, kind, place, signature?.name ?? step.tool.name)

  function unknownArgs(): Kind {
    for (const arg of step.args) checkNames(notes, scope, arg.value, place)
    return 'any'
  }
}

function checkTool(context: CheckContext, step: StepNode, signature: Signature | undefined): void {
  const { notes, family, tools } = context
  const { name, at } = step.tool
  const offered = [...tools.values()].filter((one) => offers(family, one)).map((one) => one.name)
  const place = { step: step.number }
  if (signature === undefined) {
    const near = nearestNames(name, offered)
    const guess = near.length > 0 ? `Did you mean ${near.join(' or ')}? ` : ''
    const hint = `${guess}Tools: ${offered.join(', ')}.`
    return notes.report('C_UNKNOWN_TOOL', `unknown tool "${name}"`, at, { ...place, hint })
  }
  if (signature.name !== name) {
    notes.report('W_TOOL_CASE', `"${name}" read as ${signature.name}`, at, place)
  }
  if (!offers(family, signature)) {
    const message = `${signature.name} is not offered for ${family.name}`
    notes.report('C_NOT_IN_FAMILY', message, at, {
      ...place,
      hint: `Tools: ${offered.join(', ')}.`,
    })
  }
}

/** Checks the arguments; gives the kind of the result. */
function checkArgs(
  context: CheckContext,
  scope: Scope,
  step: StepNode,
  signature: Signature,
): Kind {
  const { notes } = context
  const place = { step: step.number }
  const { bound, rest, missing } = bindArgs(step, signature)
  for (const { arg, fault } of rest) {
    notes.report(fault, ...restWords(fault, arg, signature), place)
    checkNames(notes, scope, arg.value, place)
  }
  for (const spec of missing) {
    const message = `${signature.name} needs ${spec.name}: ${signatureLine(signature)}`
    notes.report('C_MISSING_ARG', message, step.tool.at, place)
  }
  let kind = signature.out
  for (const { spec, arg } of bound) {
    if (arg.name === null) {
      notes.report('W_POSITIONAL', `read as ${spec.name}=`, arg.value.at, place)
    } else if (arg.name.name !== spec.name) {
      notes.report('W_ARG_CASE', `"${arg.name.name}=" read as ${spec.name}=`, arg.name.at, place)
    }
    const where = { ...place, tool: signature.name, spec }
    const found = checkValue(notes, scope, arg.value, where)
    if (signature.name === 'EVAL') kind = found
    if (signature.name === 'RESULT') kind = checkResult(context, scope, arg, found, step)
  }
  return signature.name === 'EVAL' && !isScalarKind(kind) ? 'scalar' : kind
}

function restWords(
  fault: BindFault,
  arg: ArgNode,
  signature: Signature,
): [message: string, at: ArgNode['at']] {
  const line = signatureLine(signature)
  const name = arg.name?.name ?? ''
  const at = arg.name?.at ?? arg.value.at
  switch (fault) {
    case 'C_TOO_MANY_ARGS':
      return [`too many arguments for ${line}`, at]
    case 'C_DUPLICATE_ARG':
      return [`${name} is given twice to ${line}`, at]
    case 'C_UNKNOWN_ARG':
      return [`unknown argument ${name} of ${line}`, at]
    default:
      return fault satisfies never
  }
}

/** `RESULT` must be a variable of a kind that the family answers with. */
function checkResult(
  { notes, family }: CheckContext,
  scope: Scope,
  arg: ArgNode,
  kind: Kind,
  step: StepNode,
): Kind {
  const place = { step: step.number }
  const { value } = arg
  if (value.type !== 'name') return kind // reported as an argument
  if (!family.result.some((wanted) => fits(kind, wanted))) {
    const wanted = family.result.map(kindName).join(', ')
    const message = `expected ${wanted} as the result of ${family.name}, found ${kindName(kind)} ${value.name}`
    notes.report('C_TYPE', message, value.at, place)
    return kind
  }
  const from = scope.get(value.name)
  const wrong = family.resultOf !== undefined && from !== undefined && kind === 'image'
  if (wrong && (from.line === 0 || (from.tool !== null && from.tool !== family.resultOf))) {
    const message = `expected the result of ${family.resultOf} for ${family.name}, found ${value.name}`
    notes.report('C_TYPE', message, value.at, place)
  }
  return kind
}
