import { UserFault } from '../../base/index.ts'
import { intAttribute } from '../attribute.ts'
import type { Graph, Node, Shapes } from '../graph.ts'
import { consumersOf, nodeTitle } from '../graph.ts'
import { constantsOf } from './flow.ts'
import type { Injected } from './key-value.ts'
import { rewrite } from './rewrite.ts'

export interface TextVectorOptions {
  /** The input of token ids. */
  readonly ids: string
  /** Ids that stand for new vectors, one each, in the order of the rows of the prompt. */
  readonly placeholders: readonly number[]
  readonly name?: string
}

/** The Gather from the token table, right behind the ids or behind what only reshapes them. */
function tableOf(graph: Graph, ids: string): Node {
  let value = ids
  for (let i = 0; i < 6; i++) {
    const readers = consumersOf(graph, value)
    const gather = readers.find(
      (node) =>
        node.op === 'Gather' &&
        node.inputs[1] === value &&
        intAttribute(node, 'axis', 0) === 0 &&
        constantsOf(graph).has(node.inputs[0] ?? ''),
    )
    if (gather !== undefined) return gather
    const next = readers.find((node) => node.op === 'Reshape' || node.op === 'Cast')
    if (next === undefined) break
    value = next.outputs[0] ?? ''
  }
  throw new UserFault('E_PROMPT_TABLE', `No table of token vectors is read by "${ids}".`, {
    fields: { ids, readers: consumersOf(graph, ids).map((node) => nodeTitle(node)) },
    cure: 'Name the input that holds token ids.',
  })
}

/**
 * New vectors in a text encoder: behind the token table, rows whose id is a placeholder are replaced.
 *
 * The table is never trained, and the ids stay as they are, so that length, causal mask and the place
 * of the end token stay right. Placeholders ahead of each name are a learnable context (CoOp).
 *
 * @source Gal et al., An image is worth one word; CLOVA §4.3 (REPLACE)
 */
export function injectTextVectors(
  graph: Graph,
  shapes: Shapes,
  options: TextVectorOptions,
): Injected {
  const { ids, placeholders, name = 'prompt' } = options
  const gather = tableOf(graph, ids)
  const table = gather.outputs[0] ?? ''
  const width = shapes.get(table)?.dims.at(-1) ?? 0
  const index = gather.inputs[1] ?? ''
  const type = shapes.get(index)?.type ?? 'int64'
  const edit = rewrite(graph, 'vector')
  const write = edit.builder
  write.input(name, 'float32', [1, placeholders.length, width])
  const replaced = placeholders.reduce((rows, id, i) => {
    const vector = write.reshape(write.slice(name, [i], [i + 1], [1]), [width])
    const here = write.op('Equal', [index, write.constant([id], [], type)])
    return write.op('Where', [write.unsqueeze(here, [-1]), vector, rows])
  }, table)
  edit.readAll(table, replaced)
  return { graph: edit.finish(), prompts: [{ name, dims: [1, placeholders.length, width] }] }
}
