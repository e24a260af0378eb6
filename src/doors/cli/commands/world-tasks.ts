import { checkNumber } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { pathFrom } from '../open.ts'
import { writeJson } from '../report.ts'
import { table } from '../style.ts'
import { oneOf, withWorld } from '../world.ts'

const FAMILIES = ['gqa', 'nlvr', 'imgedit', 'tagging', 'knowledge', 'dialogue'] as const
const FORMATS = ['pupil', 'gqa', 'nlvr2', 'coco', 'lvis', 'llava'] as const

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const whole = (name: string, otherwise: number, min: number): number =>
    checkNumber(options[name] ?? otherwise, `--${name}`, { min, max: 100_000, integer: true })
  const family = oneOf(options.family, 'family', FAMILIES, 'gqa')
  const format = oneOf(options.format, 'format', FORMATS, 'pupil')
  const split = oneOf(options.split, 'split', ['known', 'new', 'both'] as const, 'both')
  const out = typeof options.out === 'string' ? pathFrom(input, options.out) : undefined
  const { tasks, files } = await withWorld(input, async (world) => {
    const style = oneOf(options.style, 'style', world.styles, 'twemoji')
    const made = await world.tasks({
      ...{ family, split, styles: [style], seed: whole('seed', 0, 0) },
      ...{ count: whole('count', 20, 1), signal: io.signal },
    })
    const written =
      out === undefined
        ? []
        : await world.write(made.tasks, format, made.library, out, { signal: io.signal })
    return { tasks: made.tasks, files: written }
  })
  if (global.json) writeJson(io, { tasks, ...(out === undefined ? {} : { folder: out, files }) })
  else {
    io.stdout.write(
      `${table(tasks.map(({ type, instruction, answer }) => [type, instruction, String(answer ?? '')]))}\n`,
    )
    if (out !== undefined) io.stdout.write(`${files.length} files in ${out}\n`)
  }
  return 0
}
