import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'

export async function run(input: CommandInput): Promise<number> {
  const [concept = ''] = input.args
  const lessons = await withPupil(input, (pupil) => pupil.learning.forget(concept))
  if (input.global.json) writeJson(input.io, { forgotten: lessons })
  else input.io.stdout.write(`Forgotten for good: ${lessons.join(', ')}\n`)
  return 0
}
