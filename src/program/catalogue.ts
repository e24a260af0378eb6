import { deepFreeze } from '../base/index.ts'
import type { ArgNode, StepNode } from './syntax.ts'
import type { ArgSpec, Signature } from './signature.ts'

/** EVAL and RESULT, which the language evaluates itself whether or not a toolbox names them. */
export const LANGUAGE_SIGNATURES: readonly Signature[] = deepFreeze([
  {
    name: 'EVAL',
    args: [{ name: 'expr', type: 'expression', about: 'an expression over variables in braces' }],
    out: 'scalar',
    families: ['gqa', 'nlvr'],
    about: "Computes an expression, such as \"'yes' if {ANSWER0} > 0 else 'no'\".",
  },
  {
    name: 'RESULT',
    args: [{ name: 'var', type: 'variable', about: 'the variable that is the answer' }],
    out: 'any',
    families: ['gqa', 'nlvr', 'imgedit', 'tagging'],
    about: 'Gives the answer; always the last step.',
  },
] satisfies Signature[])

/** Signatures by name, those of the language included. */
export type Catalogue = ReadonlyMap<string, Signature>

export function catalogue(signatures: readonly Signature[]): Catalogue {
  const tools = new Map(signatures.map((one) => [one.name, one]))
  for (const one of LANGUAGE_SIGNATURES) if (!tools.has(one.name)) tools.set(one.name, one)
  return tools
}

/** The signature of a name as written, or in another letter case (`loc` read as `LOC`). */
export function findTool(tools: Catalogue, name: string): Signature | undefined {
  return tools.get(name) ?? tools.get(name.toUpperCase())
}

/** An argument of a step with what the signature says of it. */
export interface BoundArg {
  readonly spec: ArgSpec
  readonly arg: ArgNode
}

export interface Binding {
  readonly bound: readonly BoundArg[]
  /** Beyond the signature, repeated, or of unknown name; with the reason. */
  readonly rest: readonly { readonly arg: ArgNode; readonly fault: BindFault }[]
  readonly missing: readonly ArgSpec[]
}

export type BindFault = 'C_UNKNOWN_ARG' | 'C_DUPLICATE_ARG' | 'C_TOO_MANY_ARGS'

/** Puts arguments and signature together: positional ones in its order, names in any letter case. */
export function bindArgs(step: StepNode, signature: Signature): Binding {
  const bound: BoundArg[] = []
  const rest: { arg: ArgNode; fault: BindFault }[] = []
  step.args.forEach((arg, i) => {
    const spec = arg.name === null ? signature.args[i] : findArg(signature, arg.name.name)
    if (spec === undefined) {
      rest.push({ arg, fault: arg.name === null ? 'C_TOO_MANY_ARGS' : 'C_UNKNOWN_ARG' })
    } else if (bound.some((other) => other.spec === spec)) {
      rest.push({ arg, fault: 'C_DUPLICATE_ARG' })
    } else {
      bound.push({ spec, arg })
    }
  })
  const missing = signature.args.filter(
    (spec) => spec.default === undefined && !bound.some((other) => other.spec === spec),
  )
  return { bound, rest, missing }
}

function findArg(signature: Signature, name: string): ArgSpec | undefined {
  return (
    signature.args.find((spec) => spec.name === name) ??
    signature.args.find((spec) => spec.name.toLowerCase() === name.toLowerCase())
  )
}

/** A text in the form in which `values` of an argument are compared. */
export function canonicalWord(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '_')
}
