import type { CommandInput } from '../command.ts'
import { lessonLine } from '../lesson-text.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const lessons = await withPupil(input, (pupil) => pupil.learning.lessons())
  if (global.json) {
    writeJson(io, { lessons })
    return 0
  }
  const paint = paintFor(io.stdout, io, global.color)
  if (lessons.length > 0) {
    io.stdout.write(`${lessons.map((one) => lessonLine(one, paint)).join('\n')}\n`)
  } else if (!global.quiet)
    io.stderr.write('No lessons yet. Begin with: pupil correct last --answer …\n')
  return 0
}
