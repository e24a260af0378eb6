import type { CommandInput } from '../command.ts'
import { pathFrom, withPupil } from '../open.ts'
import { writeFile } from '../output.ts'
import { writeJson } from '../report.ts'
import { readEdgeOptions } from '../study-options.ts'
import { table } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { options, io, global } = input
  return withPupil(input, async (pupil) => {
    const graph = await pupil.study.graph(readEdgeOptions(options))
    if (typeof options.out === 'string') await writeFile(pathFrom(input, options.out), graph.json)
    if (global.json) {
      const { json, ...rest } = graph
      writeJson(io, { ...rest, graph: JSON.parse(json) as unknown })
      return 0
    }
    const rows = graph.edges
      .filter(({ n, origin }) => n > 0 || origin === 'learned')
      .map(({ from, tool, n, ok, prior, origin }) => [
        ...[from, tool, `${ok} of ${n}`, prior.toFixed(2), origin],
      ])
    const head = ['from', 'to', 'led to something', 'share', 'origin']
    const told =
      rows.length === 0
        ? 'No decisions yet: the graph is the one that ships.\n'
        : table([head, ...rows])
    const lost = graph.dropped.map((edge) => `Too rare: ${edge}\n`).join('')
    io.stdout.write(`${told}${told.endsWith('\n') ? '' : '\n'}${lost}`)
    return 0
  })
}
