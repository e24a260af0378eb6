import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor, table } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const entries = await withPupil(input, (pupil) => pupil.cache.list())
  if (global.json) {
    writeJson(io, { entries })
    return 0
  }
  const paint = paintFor(io.stdout, io, global.color)
  const rows = entries.map((one) => [
    paint.bold(one.name),
    `${one.files} file${one.files === 1 ? '' : 's'}`,
    megabytes(one.bytes),
    paint.dim(one.disposable ? 'can be made again' : 'precious'),
    paint.dim(one.path),
  ])
  io.stdout.write(`${table(rows)}\n`)
  return 0
}

/** `3.1 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
