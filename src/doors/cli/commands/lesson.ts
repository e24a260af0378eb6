import { readFile } from 'node:fs/promises'
import { UserFault } from '../../../base/index.ts'
import type { LessonDetail } from '../../../app/index.ts'
import type { CommandInput } from '../command.ts'
import { effectText, lessonLine } from '../lesson-text.ts'
import { pathFrom, withPupil } from '../open.ts'
import { writeFile } from '../output.ts'
import { writeJson } from '../report.ts'
import { paintFor } from '../style.ts'

/** `pupil lesson show|undo|redo|export|import`, by the name of the command. */
export const lessonCommand =
  (verb: 'show' | 'undo' | 'redo' | 'export' | 'import') =>
  async (input: CommandInput): Promise<number> => {
    const { io, global, options } = input
    const [name = ''] = input.args
    const paint = paintFor(io.stdout, io, global.color)
    return withPupil(input, async (pupil) => {
      const { learning } = pupil
      if (verb === 'export') {
        const bytes = await learning.export(name, { faces: options.faces === true })
        const file = typeof options.out === 'string' ? options.out : `${name}.zip`
        if (file === '-') io.stdout.write(bytes)
        else await writeFile(pathFrom(input, file), bytes)
        if (global.json) writeJson(io, { file })
        else if (file !== '-') io.stdout.write(`${file}\n`)
        return 0
      }
      if (verb === 'show') {
        const { lesson, parts } = await learning.lesson(name)
        if (global.json) writeJson(io, { lesson, examples: parts.exemplars.map(plain) })
        else {
          const lines = [lessonLine(lesson, paint), ...effectText(lesson), ...examplesText(parts)]
          io.stdout.write(`${lines.join('\n')}\n`)
        }
        return 0
      }
      const lesson =
        verb === 'import'
          ? await learning.import(await readBytes(pathFrom(input, name), name))
          : await learning[verb](name)
      if (global.json) writeJson(io, { lesson })
      else io.stdout.write(`${lessonLine(lesson, paint)}\n`)
      return 0
    })
  }

/** An example without its numbers: vectors of faces are never shown. */
function plain({ feature: _, ...rest }: LessonDetail['parts']['exemplars'][number]) {
  return rest
}

function examplesText({ exemplars, demonstrations }: LessonDetail['parts']): readonly string[] {
  return [
    ...exemplars.map(({ kind, concept, positive, picture, box, answer }) => {
      const what = answer === undefined ? concept : `${concept} → ${answer}`
      const where = box === undefined ? '' : ` [${box.join(', ')}]`
      return `  ${positive ? 'is' : 'is not'} ${kind} "${what}" in ${picture.slice(0, 12)}${where}`
    }),
    ...demonstrations.map(({ verdict, instruction }) => `  ${verdict} example "${instruction}"`),
  ]
}

async function readBytes(path: string, name: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (cause) {
    throw new UserFault('E_FILE', `${name} cannot be read.`, { fields: { path: name }, cause })
  }
}
