import type { CommandInput } from '../command.ts'
import { pathFrom, withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { table } from '../style.ts'

const PLAIN =
  'Faces are now told apart in this space. What is kept of a face are 128 numbers, on this machine only; "pupil people forget NAME" deletes them.'

/** `pupil people ls|enable|disable|name|forget`, by the name of the command. */
export const peopleCommand =
  (verb: 'ls' | 'enable' | 'disable' | 'name' | 'forget') =>
  async (input: CommandInput): Promise<number> => {
    const { io, global, options } = input
    const [name = '', picture = ''] = input.args
    const say = (document: unknown, text: string): number => {
      if (global.json) writeJson(io, document)
      else io.stdout.write(text === '' ? '' : `${text}\n`)
      return 0
    }
    return withPupil(input, async ({ learning: { people } }) => {
      switch (verb) {
        case 'enable':
        case 'disable':
          await people.enable(verb === 'enable')
          return say({ enabled: verb === 'enable' }, verb === 'enable' ? PLAIN : 'Turned off.')
        case 'name': {
          const lesson = await people.name(name, pathFrom(input, picture), {
            negative: options.not === true,
          })
          return say({ lesson }, lesson.id)
        }
        case 'forget':
          return say({ forgotten: await people.forget(name) }, `${name} is forgotten.`)
        case 'ls': {
          const known = await people.list()
          const enabled = await people.enabled()
          const rows = known.map((one) => [one.name, `${one.faces}`])
          const off = enabled ? '' : 'Recognising people is turned off.'
          return say({ enabled, people: known }, rows.length === 0 ? off : table(rows))
        }
        default:
          return verb satisfies never
      }
    })
  }
