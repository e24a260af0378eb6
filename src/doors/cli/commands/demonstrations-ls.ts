import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor, table } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const family = options.family as string | undefined
  const demonstrations = await withPupil(input, (pupil) => pupil.demonstrations.list(family))
  if (global.json) {
    writeJson(io, { demonstrations })
    return 0
  }
  const paint = paintFor(io.stdout, io, global.color)
  const rows = demonstrations.map((one) => [
    paint.dim(one.id),
    one.family,
    one.verdict === 'right' ? paint.green('right') : paint.red('wrong'),
    paint.dim(one.origin),
    one.instruction,
  ])
  if (rows.length > 0) io.stdout.write(`${table(rows)}\n`)
  return 0
}
