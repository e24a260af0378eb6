import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { readTextFile } from '../perform.ts'
import { writeJson } from '../report.ts'
import { paintFor } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const [file = ''] = input.args
  const text = await readTextFile(input, file)
  const { diagnostics, printed } = await withPupil(input, (pupil) => pupil.programs.print(text))
  const failed = diagnostics.some((one) => one.severity === 'error')
  if (global.json) {
    writeJson(io, { diagnostics, printed })
    return failed ? 1 : 0
  }
  if (printed !== '') io.stdout.write(`${printed}\n`)
  const paint = paintFor(io.stderr, io, global.color)
  for (const { code, severity, message, line, column } of diagnostics) {
    const colour = severity === 'error' ? paint.red : paint.yellow
    io.stderr.write(`${file}:${line}:${column}: ${colour(severity)} ${code} ${message}\n`)
  }
  return failed ? 1 : 0
}
