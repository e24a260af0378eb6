import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const [id = ''] = input.args
  const record = await withPupil(input, (pupil) => pupil.tokens.revoke(id))
  if (global.json) writeJson(io, record)
  else io.stdout.write(`Revoked ${record.id} (${record.name}).\n`)
  return 0
}
