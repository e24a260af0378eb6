import { join } from 'node:path'
import { checkNumber } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { pathFrom } from '../open.ts'
import { writeFile } from '../output.ts'
import { writeJson } from '../report.ts'
import { table } from '../style.ts'
import { withWorld } from '../world.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const [words = ''] = input.args
  const n = checkNumber(options.limit ?? 7, '--limit', { min: 1, max: 1000, integer: true })
  const noise = checkNumber(options.noise ?? 0, '--noise', { min: 0, max: 1 })
  const seed = checkNumber(options.seed ?? 0, '--seed', { min: 0, integer: true })
  const found = await withWorld(input, (world) => world.pictures(words, { n, noise, seed }))
  const folder = typeof options.out === 'string' ? pathFrom(input, options.out) : undefined
  const pictures = []
  for (const { png, ...rest } of found) {
    if (folder === undefined) pictures.push(rest)
    else {
      const file = join(folder, `${rest.id.replace(/[^\w-]+/g, '-')}.png`)
      await writeFile(file, png)
      pictures.push({ ...rest, file })
    }
  }
  if (global.json) writeJson(io, { pictures })
  else {
    io.stdout.write(`${table(pictures.map((one) => [one.id, one.title, one.licence]))}\n`)
  }
  return 0
}
