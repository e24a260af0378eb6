import type { CommandInput } from '../command.ts'
import { effectText, lessonLine } from '../lesson-text.ts'
import { pathFrom, withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const [tool = '', concept = '', ...pictures] = input.args
  const paths = pictures.flatMap((path) => (path === undefined ? [] : [pathFrom(input, path)]))
  const lesson = await withPupil(input, (pupil) =>
    pupil.learning.teach(
      {
        ...{ tool: tool.toUpperCase(), concept, pictures: paths },
        negative: options.not === true,
      },
      { insist: options.insist === true },
    ),
  )
  if (global.json) writeJson(io, { lesson })
  else {
    const paint = paintFor(io.stdout, io, global.color)
    io.stdout.write(`${[lessonLine(lesson, paint), ...effectText(lesson)].join('\n')}\n`)
  }
  return lesson.status === 'applied' ? 0 : 1
}
