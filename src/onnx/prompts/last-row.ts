import { intAttribute } from '../attribute.ts'
import type { Graph, Node, Shapes } from '../graph.ts'
import { consumersOf, indexOf, initializerOf } from '../graph.ts'
import { tensorNumbers } from '../tensor.ts'
import { nodesBetween } from './flow.ts'
import { layerOutput } from './locate.ts'
import type { AttentionSite } from './locate.ts'
import { headLayout } from './projection.ts'
import { rewrite } from './rewrite.ts'
import { asHeads, rowCopies } from './rows.ts'
import { trackTokens } from './track.ts'

/** The only row of a value that is read below, by Gather along the tokens; undefined when more are. */
function onlyRow(
  graph: Graph,
  value: string,
): { row: number; readers: readonly Node[] } | undefined {
  const readers = consumersOf(graph, value)
  if (indexOf(graph).output.has(value) || readers.length === 0) return undefined
  const rows = readers.map((node) => {
    const index = initializerOf(graph, node.inputs[1] ?? '')
    const single =
      node.op === 'Gather' && intAttribute(node, 'axis', 0) === 1 && index?.dims.length === 0
    return single ? tensorNumbers(index)[0] : undefined
  })
  const [row] = rows
  return row !== undefined && row >= 0 && rows.every((r) => r === row)
    ? { row, readers }
    : undefined
}

/**
 * A graph whose last block computes only the row that is read of it, such as a class token; exact.
 *
 * The graph itself when more rows are read, or the block's queries come from no plain projection.
 */
export function keepLastRow(
  graph: Graph,
  shapes: Shapes,
  site: AttentionSite,
  batch: number,
): Graph {
  const end = layerOutput(graph, site)
  const read = onlyRow(graph, end)
  const { query } = site
  if (read === undefined || query === undefined || site.kind !== 'self') return graph
  const edit = rewrite(graph, 'row')
  const write = edit.builder
  const row = write.slice(site.input, [read.row], [read.row + 1], [1])
  const copies = rowCopies(graph, shapes, write)
  const operand = site.scores.inputs[0] ?? ''
  const layout = headLayout(graph, shapes, query, operand, -2, batch)
  const near = copies.along(site.input, query.source, row)
  const sizes = { pictures: batch, batch, count: 1 }
  edit.readInput(
    site.scores,
    0,
    asHeads(write, copies.projected(query, near), layout, sizes, false),
  )
  site.sum.inputs.forEach((name, i) => name === site.input && edit.readInput(site.sum, i, row))
  const rank = shapes.get(operand)?.dims.length ?? 0
  const within = new Set([
    site.scores,
    ...site.between,
    site.mix,
    ...nodesBetween(graph, site.mix.outputs[0] ?? '', end),
  ])
  trackTokens(edit, shapes, {
    starts: new Map([
      [operand, [rank - 2]],
      [site.input, [1]],
    ]),
    change: { kind: 'row', row: read.row },
    within,
  })
  for (const node of read.readers) edit.readInput(node, 1, write.constant([0], [], 'int64'))
  return edit.finish()
}
