import { errorLine } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { readTextFile } from '../perform.ts'
import { writeJson } from '../report.ts'
import { paintFor } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const [file = ''] = input.args
  const family = (options.family as string | undefined) ?? 'open'
  const text = await readTextFile(input, file)
  const { diagnostics, printed } = await withPupil(input, (pupil) =>
    pupil.programs.check(text, family),
  )
  const failed = diagnostics.some((one) => one.severity === 'error')
  if (global.json) {
    writeJson(io, { diagnostics: diagnostics.map(bare), printed })
    return failed ? 1 : 0
  }
  const paint = paintFor(io.stdout, io, global.color)
  for (const { code, severity, message, line, column, hint } of diagnostics) {
    const colour = severity === 'error' ? paint.red : paint.yellow
    const text = hint === undefined ? message : errorLine({ message, cure: hint })
    io.stdout.write(`${file}:${line}:${column}: ${colour(severity)} ${code} ${text}\n`)
  }
  if (diagnostics.length === 0 && !global.quiet) io.stderr.write('No errors.\n')
  return failed ? 1 : 0
}

/** The stable fields, in their order. */
function bare({ code, severity, message, line, column }: Diagnostic): Omit<Diagnostic, 'hint'> {
  return { code, severity, message, line, column }
}

interface Diagnostic {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly line: number
  readonly column: number
  readonly hint?: string
}
