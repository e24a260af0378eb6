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
  /** @throws UserFault `E_ARGUMENT` for an unknown family */
  check(text: string, family: string): Promise<CheckDocument>
  print(text: string): Promise<CheckDocument>
  /** @throws UserFault `E_ARGUMENT` when the state holds what is no value of the language */
  evaluate(expression: string, state: Readonly<Record<string, unknown>>): Promise<EvalDocument>
}
