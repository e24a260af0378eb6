import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { megabytes } from './cache-ls.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const pruned = await withPupil(input, (pupil) => pupil.cache.prune())
  if (global.json) writeJson(io, pruned)
  else
    io.stdout.write(
      `Deleted ${pruned.files} file${pruned.files === 1 ? '' : 's'}, ${megabytes(pruned.bytes)}.\n`,
    )
  return 0
}
