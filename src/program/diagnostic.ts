import { ModelFault } from '../base/index.ts'
import type { Span } from './syntax.ts'

export type Severity = 'error' | 'warning'

/** What parser or checker has to say about a place in the text (program-language §4). */
export interface Diagnostic {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  /** From 1. */
  readonly line: number
  /** From 1, UTF-16 units. */
  readonly column: number
  readonly length: number
  /** Counts the steps of the text from 1. */
  readonly step?: number
  readonly hint?: string
  /** For `C_EXPR`: the code inside the expression and its offset there, from 0. */
  readonly inner?: { readonly code: string; readonly at: number }
}

export interface DiagnosticExtras {
  readonly step?: number | undefined
  readonly hint?: string | undefined
  readonly inner?: { readonly code: string; readonly at: number }
}

/** A frozen diagnostic; `W_` codes are warnings, all others errors. */
export function diagnostic(
  code: string,
  message: string,
  at: Span,
  extras: DiagnosticExtras = {},
): Diagnostic {
  return Object.freeze({
    code,
    severity: code.startsWith('W_') ? 'warning' : 'error',
    message,
    line: at.line,
    column: at.column,
    length: at.length,
    ...(extras.step === undefined ? {} : { step: extras.step }),
    ...(extras.hint === undefined ? {} : { hint: extras.hint }),
    ...(extras.inner === undefined ? {} : { inner: extras.inner }),
  })
}

/** In order of position; those at one position by code. */
export function sortDiagnostics(list: readonly Diagnostic[]): readonly Diagnostic[] {
  return Object.freeze(
    [...list].sort(
      (a, b) =>
        a.line - b.line || a.column - b.column || (a.code < b.code ? -1 : Number(a.code > b.code)),
    ),
  )
}

/** One line for people and models: `program 3:14: unknown tool "LOCC". Did you mean LOC?` */
export function diagnosticLine(entry: Diagnostic): string {
  const hint = entry.hint === undefined ? '' : ` ${entry.hint}`
  return `program ${entry.line}:${entry.column}: ${entry.code} ${entry.message}${hint}`
}

/** True when the list holds no error; such a program may start. */
export function mayRun(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every((entry) => entry.severity !== 'error')
}

/** The fault that goes back to the model: code of the first error, all errors in the text. */
export function programFault(diagnostics: readonly Diagnostic[]): ModelFault {
  const errors = diagnostics.filter((entry) => entry.severity === 'error')
  const first = errors[0]
  return new ModelFault(
    first?.code ?? 'P_EMPTY',
    errors.map(diagnosticLine).join('\n') || 'There is no program to run.',
    {
      fields: { diagnostics: errors, ...(first === undefined ? {} : { line: first.line }) },
      cure: 'Correct the program and check it again.',
    },
  )
}
