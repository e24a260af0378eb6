import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor, table } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const {
    limit = 20,
    before,
    family,
  } = options as { limit?: number; before?: string; family?: string }
  const runs = await withPupil(input, (pupil) =>
    pupil.runs.list({
      limit,
      ...(before === undefined ? {} : { before }),
      ...(family === undefined ? {} : { family }),
    }),
  )
  if (global.json) {
    writeJson(io, { runs })
    return 0
  }
  const paint = paintFor(io.stdout, io, global.color)
  const colour = {
    done: paint.green,
    error: paint.red,
    aborted: paint.yellow,
    open: paint.yellow,
  } as Readonly<Record<string, (text: string) => string>>
  const rows = runs.map((one) => [
    paint.dim(one.id),
    paint.dim(new Date(one.createdAt).toISOString().slice(0, 16).replace('T', ' ')),
    one.family,
    (colour[one.status] ?? paint.dim)(one.status),
    one.answer ?? '',
    one.instruction === '' ? paint.dim('(a program)') : one.instruction,
  ])
  if (rows.length > 0) io.stdout.write(`${table(rows)}\n`)
  else if (!global.quiet)
    io.stderr.write('No runs yet. Begin with: pupil ask PICTURE "How many people are there?"\n')
  return 0
}
