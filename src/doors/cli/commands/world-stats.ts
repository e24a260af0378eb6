import type { CommandInput } from '../command.ts'
import { writeJson } from '../report.ts'
import { table } from '../style.ts'
import { withWorld } from '../world.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const stats = await withWorld(input, (world) => world.stats())
  if (global.json) writeJson(io, stats)
  else {
    const { concepts, classes, styles, licences } = stats
    io.stdout.write(
      [
        `${concepts.known} known and ${concepts.new} new concepts, ${classes.length} classes`,
        '',
        table(
          styles.map((one) => [
            one.style,
            one.role,
            `${one.drawings} drawings`,
            one.hash.slice(0, 12),
          ]),
        ),
        '',
        table(licences.map((one) => [`${one.package} ${one.version}`, one.author, one.licence])),
        '',
      ].join('\n'),
    )
  }
  return 0
}
