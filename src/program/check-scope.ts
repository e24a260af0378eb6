import { nearestNames } from '../base/index.ts'
import { diagnostic } from './diagnostic.ts'
import type { Diagnostic, DiagnosticExtras } from './diagnostic.ts'
import { commonKind, fits, kindName } from './kind.ts'
import type { Kind } from './signature.ts'
import type { Ident, Span } from './syntax.ts'

const RESERVED = new Set(
  'if elif else end for in limit carry from gather as True true False false None none null'.split(
    ' ',
  ),
)

/** What is known of a variable before the run. */
export interface Definition {
  readonly kind: Kind
  readonly line: number
  /** Lines of the arms that set it, when not all do. */
  readonly arms: readonly number[] | null
  /** The carried variable of the block that is read, not yet assigned on this path. */
  readonly assignable: boolean
  /** The tool that gave it, when that is one. */
  readonly tool: string | null
  /** One for each assignment behind it, to find the unused. */
  readonly marks: readonly Mark[]
}

interface Mark {
  readonly name: Ident
  readonly step: number | undefined
  used: boolean
}

/** Where something is used or assigned. */
export interface Place {
  /** Counts the steps of the text from 1; undefined for block headers. */
  readonly step?: number | undefined
}

/** The variables known at a point of the program; arms and bodies get their own copy. */
export class Scope {
  readonly #names: Map<string, Definition>

  constructor(names: Iterable<readonly [string, Definition]> = []) {
    this.#names = new Map(names)
  }

  get(name: string): Definition | undefined {
    return this.#names.get(name)
  }

  set(name: string, definition: Definition): void {
    this.#names.set(name, definition)
  }

  names(): string[] {
    return [...this.#names.keys()]
  }

  /** For an arm of an `if`. */
  copy(): Scope {
    return new Scope(this.#names)
  }

  /** For the body of a `for`: what the blocks around carry cannot be assigned in it. */
  inner(): Scope {
    return new Scope(
      [...this.#names].map(([name, one]) => [name, { ...one, assignable: false }] as const),
    )
  }
}

/** Notes of one check: diagnostics, and which assignments are used. */
export class CheckNotes {
  readonly diagnostics: Diagnostic[] = []
  /** True after a block header that could not be read: names may be unknown without fault. */
  blind = false
  readonly #marks: Mark[] = []

  report(code: string, message: string, at: Span, extras: DiagnosticExtras = {}): void {
    this.diagnostics.push(diagnostic(code, message, at, extras))
  }

  /**
   * Kind of a used variable; reports it when it is not, or not surely, defined.
   *
   * @param otherwise  the hint when no name is near
   */
  use(scope: Scope, name: string, at: Span, place: Place, otherwise?: string): Kind {
    const found = scope.get(name)
    if (found === undefined) {
      if (this.blind) return 'any'
      const near = nearestNames(name, scope.names())
      const where = place.step === undefined ? `line ${at.line}` : `step ${place.step}`
      this.report('C_UNDEFINED', `undefined variable ${name}, ${where}`, at, {
        step: place.step,
        hint: near.length === 0 ? otherwise : `Did you mean ${near.join(' or ')}?`,
      })
      return 'any'
    }
    for (const mark of found.marks) mark.used = true
    if (found.arms !== null) {
      const arms = found.arms.map((line) => `line ${line}`).join(' and ')
      const message = `${name} may be undefined: it is set only in the arm at ${arms}`
      const hint = 'Set it in every arm, with an else.'
      this.report('C_MAYBE_UNDEFINED', message, at, { step: place.step, hint })
    }
    return found.kind
  }

  /** Uses without a look at whether they are defined: words of lines that could not be read. */
  touch(scope: Scope, words: Iterable<string>): void {
    for (const word of words) for (const mark of scope.get(word)?.marks ?? []) mark.used = true
  }

  /** Defines a variable, or says why it cannot be. */
  assign(scope: Scope, name: Ident, kind: Kind, place: Place, tool: string | null = null): void {
    if (RESERVED.has(name.name) || name.name.startsWith('__')) {
      const message = `${name.name} cannot be the name of a variable`
      return this.report('C_NAME', message, name.at, { step: place.step })
    }
    const old = scope.get(name.name)
    if (old === undefined) {
      const mark = { name, step: place.step, used: tool === null || tool === 'RESULT' }
      this.#marks.push(mark)
      return scope.set(name.name, definition(kind, name.at.line, { tool, marks: [mark] }))
    }
    if (!old.assignable) return this.#reassigned(name, old, place)
    if (!fits(kind, old.kind)) {
      const message = `expected ${kindName(old.kind)} for the carried ${name.name}, found ${kindName(kind)}`
      this.report('C_TYPE', message, name.at, { step: place.step })
    }
    scope.set(name.name, { ...old, assignable: false, tool })
  }

  #reassigned(name: Ident, old: Definition, place: Place): void {
    const first = old.line === 0 ? 'it is an input' : `it is set in line ${old.line}`
    const message = `second assignment to ${name.name} in line ${name.at.line}; ${first}`
    this.report('C_REASSIGNED', message, name.at, {
      step: place.step,
      hint: 'Give the result a new name.',
    })
  }

  /** Reports the assignments that nothing uses. */
  finish(): void {
    for (const { name, step, used } of this.#marks) {
      if (!used) this.report('W_UNUSED', `${name.name} is never used`, name.at, { step })
    }
  }
}

export function definition(kind: Kind, line: number, more: Partial<Definition> = {}): Definition {
  return { kind, line, arms: null, assignable: false, tool: null, marks: [], ...more }
}

/**
 * What is known after an `if`: a name set in every arm is defined, one set in some is not surely.
 *
 * @param complete  there is an `else`
 */
export function mergeArms(base: Scope, arms: readonly Scope[], complete: boolean): void {
  const names = new Set(arms.flatMap((arm) => arm.names()))
  for (const name of names) {
    const old = base.get(name)
    const found = arms.flatMap((arm) => arm.get(name) ?? [])
    const first = found[0]
    if (first === undefined) continue
    if (old !== undefined) {
      base.set(name, { ...old, assignable: found.every((one) => one.assignable) && old.assignable })
      continue
    }
    const sure = complete && found.length === arms.length && found.every((one) => one.arms === null)
    base.set(name, {
      ...first,
      kind: found.map((one) => one.kind).reduce(commonKind),
      arms: sure ? null : found.flatMap((one) => one.arms ?? [one.line]),
      tool: found.every((one) => one.tool === first.tool) ? first.tool : null,
      marks: found.flatMap((one) => one.marks),
    })
  }
}
