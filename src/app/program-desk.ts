import { errorData, expected, isFault, nearestNames, UserFault } from '../base/index.ts'
import type { Family, Signature, Value } from '../program/index.ts'

/** A thing that the parser or the checker found. */
export interface DiagnosticDocument {
  readonly code: string
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly line: number
  readonly column: number
  readonly hint?: string
}

export interface CheckDocument {
  readonly diagnostics: readonly DiagnosticDocument[]
  /** The canonical form of what could be read. */
  readonly printed: string
}

export type EvalDocument =
  | { readonly value: unknown }
  | { readonly error: { readonly code: string; readonly at?: number; readonly message: string } }

/** Work on programs that runs no tool. */
export interface ProgramDesk {
  /** @throws UserFault `E_FAMILY` for an unknown family */
  check(text: string, family: string): Promise<CheckDocument>
  print(text: string): Promise<CheckDocument>
  /** @throws UserFault `E_ARGUMENT` when the state holds what is no value of the language */
  evaluate(expression: string, state: Readonly<Record<string, unknown>>): Promise<EvalDocument>
}

/** @param signatures  of the tools that programs may call */
export function programDesk(signatures: () => Promise<readonly Signature[]>): ProgramDesk {
  return {
    check: async (text, name) => {
      const { check, parse, print } = await import('../program/index.ts')
      const family = await familyNamed(name)
      const tree = parse(text)
      const diagnostics = check(tree, { family, signatures: await signatures() })
      return { diagnostics, printed: print(tree) }
    },
    print: async (text) => {
      const { parse, print } = await import('../program/index.ts')
      const tree = parse(text)
      return { diagnostics: tree.diagnostics, printed: print(tree) }
    },
    evaluate: async (expression, state) => {
      const { evaluate, stateOf } = await import('../program/index.ts')
      const values = readState(state)
      try {
        return { value: evaluate(expression, stateOf(values)) }
      } catch (error) {
        if (!isFault(error) || error.kind !== 'ModelFault') throw error
        const { code, message, fields } = errorData(error)
        return {
          error: { code, ...(typeof fields.at === 'number' ? { at: fields.at } : {}), message },
        }
      }
    },
  }
}

/** A family by its name. @throws UserFault `E_FAMILY` */
export async function familyNamed(name: string): Promise<Family> {
  const { FAMILIES } = await import('../program/index.ts')
  const known: Readonly<Record<string, Family>> = FAMILIES
  if (Object.hasOwn(known, name)) return known[name] as Family // hasOwn says so
  const near = nearestNames(name, Object.keys(known))
  throw new UserFault('E_FAMILY', `There is no task family "${name}".`, {
    fields: { family: name, known: Object.keys(known) },
    cure:
      near.length > 0
        ? `Did you mean ${near.join(' or ')}?`
        : `Families: ${Object.keys(known).join(', ')}.`,
  })
}

function readState(state: Readonly<Record<string, unknown>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => [name, readValue(value, name)]),
  )
}

function readValue(value: unknown, name: string): Value {
  if (Array.isArray(value)) return Object.freeze(value.map((item) => readValue(item, name)))
  if (typeof value === 'string') return value.normalize('NFC')
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw expected('a text, number, truth value, null or list', name, value)
}
