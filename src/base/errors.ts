/** What an error is about, as plain data. */
export type Fields = Readonly<Record<string, unknown>>

/** The four classes of failure, named for what happens next. */
export type FaultKind = 'ModelFault' | 'UserFault' | 'Unavailable' | 'Bug'

/** An error as data: the same object serves the CLI, HTTP, the trace and the model. */
export interface ErrorData {
  readonly kind: FaultKind
  readonly code: string
  readonly message: string
  readonly fields: Fields
  readonly cure?: string
  readonly retryAfter?: number
  readonly cause?: string
}

export interface FaultOptions {
  readonly fields?: Fields
  /** The way out, one sentence. */
  readonly cure?: string
  readonly cause?: unknown
}

/** What all four share; not exported from the face, so that nobody builds a tree on it. */
abstract class Fault extends Error {
  abstract readonly kind: FaultKind
  readonly code: string
  readonly fields: Fields
  readonly cure: string | undefined

  constructor(code: string, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.fields = options.fields ?? {}
    this.cure = options.cure
  }
}

/** A language model wrote or did something wrong: goes into the step and back to the model. */
export class ModelFault extends Fault {
  readonly kind = 'ModelFault'
  override readonly name = 'ModelFault'
}

/** What the user gave cannot be used: told to the user; exit 2 or status 4xx. */
export class UserFault extends Fault {
  readonly kind = 'UserFault'
  override readonly name = 'UserFault'
}

/** Something outside does not answer or is not installed: retried by policy, then told. */
export class Unavailable extends Fault {
  readonly kind = 'Unavailable'
  override readonly name = 'Unavailable'
  /** Milliseconds to wait before the next try, when the other side said so. */
  readonly retryAfter: number | undefined

  constructor(code: string, message: string, options: FaultOptions & { retryAfter?: number } = {}) {
    super(code, message, options)
    this.retryAfter = options.retryAfter
  }
}

/** Our own mistake: stop. */
export class Bug extends Fault {
  readonly kind = 'Bug'
  override readonly name = 'Bug'

  constructor(code: string, message: string, options: FaultOptions = {}) {
    super(code, message, {
      ...options,
      cure: options.cure ?? 'Please report this with the trace.',
    })
  }
}

export type AnyFault = ModelFault | UserFault | Unavailable | Bug

/** True for the four classes of this house. */
export function isFault(error: unknown): error is AnyFault {
  return error instanceof Fault
}

/** Turns anything thrown into data; what is none of ours is a `Bug` with code `E_UNEXPECTED`. */
export function errorData(error: unknown): ErrorData {
  if (!isFault(error)) {
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'Bug', code: 'E_UNEXPECTED', message, fields: {} }
  }
  const cause = error.cause instanceof Error ? error.cause.message : undefined
  return {
    kind: error.kind,
    code: error.code,
    message: error.message,
    fields: error.fields,
    ...(error.cure === undefined ? {} : { cure: error.cure }),
    ...(error instanceof Unavailable && error.retryAfter !== undefined
      ? { retryAfter: error.retryAfter }
      : {}),
    ...(cause === undefined ? {} : { cause }),
  }
}

/** The error as one line for a person: message, then the way out. */
export function errorLine({ message, cure }: Pick<ErrorData, 'message' | 'cure'>): string {
  if (cure === undefined) return message
  return `${message}${/[.!?…:]["')]?$/.test(message) ? '' : '.'} ${cure}`
}
