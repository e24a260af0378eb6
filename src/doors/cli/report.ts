import { errorData, errorLine, isAbort } from '../../base/index.ts'
import type { ErrorData } from '../../base/index.ts'
import type { CommandInput } from './command.ts'
import type { Io } from './io.ts'
import { paintFor } from './style.ts'

/** Codes that mean the words of the command were wrong, not the work. */
const USAGE = new Set(['E_USAGE', 'E_ARGUMENT', 'E_CONFIG', 'E_FAMILY'])

interface ErrorOptions {
  readonly json: boolean
  readonly verbose: boolean
  readonly color: boolean
  readonly io: Io
}

/** Tells an error and gives its exit code: 2 for usage, 130 after Ctrl-C, else 1. */
export function reportError(error: unknown, { global, io }: CommandInput): number {
  if (isAbort(error) && io.signal?.aborted === true) return 130
  writeError(error, { ...global, io })
  return exitCodeOf(errorData(error))
}

/** The exit code that goes with an error. */
export function exitCodeOf(error: ErrorData): number {
  return USAGE.has(error.code) ? 2 : 1
}

/** One JSON document on stdout, or a line on stderr; the cause with `-v`. */
export function writeError(error: unknown, options: ErrorOptions): void {
  const { json, verbose, color, io } = options
  const data = errorData(error)
  if (json) {
    writeJson(io, { error: data })
    return
  }
  writeErrorData(data, options)
  const paint = paintFor(io.stderr, io, color)
  if (verbose && error instanceof Error && error.stack !== undefined) {
    io.stderr.write(paint.dim(`${error.stack}\n`))
  }
}

/** An error that is data already, as a line on stderr. */
export function writeErrorData(data: ErrorData, { verbose, color, io }: ErrorOptions): void {
  const paint = paintFor(io.stderr, io, color)
  io.stderr.write(`${paint.red('error:')} ${errorLine(data)}\n`)
  if (data.kind !== 'Bug' && !verbose) return
  io.stderr.write(paint.dim(`  code ${data.code}\n`))
  if (data.cause !== undefined) io.stderr.write(paint.dim(`  cause: ${data.cause}\n`))
}

/** The one document of `--json`. */
export function writeJson(io: Io, document: unknown): void {
  io.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}
