import type { WorldScene } from '../../../app/index.ts'
import { checkNumber } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { pathFrom } from '../open.ts'
import { writeFile } from '../output.ts'
import { writeJson } from '../report.ts'
import { table } from '../style.ts'
import { oneOf, withWorld } from '../world.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const number = (name: string, otherwise: number, range: { min: number; max: number }): number =>
    checkNumber(options[name] ?? otherwise, `--${name}`, { ...range, integer: true })
  const wanted = typeof options.with === 'string' ? options.with.split(',') : []
  const { png, scene } = await withWorld(input, async (world) =>
    world.scene({
      seed: number('seed', 0, { min: 0, max: 4294967295 }),
      style: oneOf(options.style, 'style', world.styles, 'twemoji'),
      objects: number('objects', 5, { min: 1, max: 8 }),
      size: number('size', 256, { min: 64, max: 2048 }),
      wanted: wanted.map((name) => name.trim()).filter((name) => name !== ''),
    }),
  )
  const out = typeof options.out === 'string' ? pathFrom(input, options.out) : undefined
  if (out !== undefined) await writeFile(out, png)
  if (global.json) writeJson(io, { ...(out === undefined ? {} : { image: out }), scene })
  else io.stdout.write(`${describe(scene)}\n${out === undefined ? '' : `${out}\n`}`)
  return 0
}

function describe({ objects }: WorldScene): string {
  return table(
    objects.map((one) => [
      ...[one.id, one.concept, `[${one.box.join(', ')}]`],
      ...[one.colour ?? '', one.size ?? '', one.places.join(' ')],
    ]),
  )
}
