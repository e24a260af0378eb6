import { UserFault } from '../../base/index.ts'
import type { Graph, Node, Shapes } from '../graph.ts'
import { indexOf } from '../graph.ts'
import { nodesBetween } from './flow.ts'
import type { Injected } from './key-value.ts'
import { rewrite } from './rewrite.ts'
import { trackTokens } from './track.ts'

/** A stretch of a transformer through which prompts travel as tokens. */
export interface TokenSpan {
  /** The value that prompts are appended to, [pictures, tokens, width]. */
  readonly from: string
  /** The value from which they are taken off again. */
  readonly to: string
  /** Further values that these nodes read in place of `from`, as where zeros were folded away. */
  readonly also?: readonly { readonly value: string; readonly readers: readonly Node[] }[]
}

export interface TokenOptions {
  readonly count: number
  readonly batch: number
  /** Whether every picture has prompts of its own; default false. */
  readonly each?: boolean
  readonly name?: string
}

/**
 * Prompts as tokens behind the others, through whole layers, taken off at the end of each span.
 *
 * Sizes that the export baked into the layers are corrected on the way.
 *
 * @throws UserFault `E_PROMPT_TOKENS` where a layer loses the token axis
 * @source VPT shallow and deep (Jia et al. §3.2)
 */
export function injectTokens(
  graph: Graph,
  shapes: Shapes,
  spans: readonly TokenSpan[],
  options: TokenOptions,
): Injected {
  const { count, batch, name = 'prompt' } = options
  const pictures = options.each === true ? batch : 1
  const edit = rewrite(graph, 'prompt')
  const write = edit.builder
  const prompts = spans.map((span, i) => {
    const dims = shapes.get(span.from)?.dims ?? []
    const [rows = 0, tokens = 0, width = 0] = dims
    if (dims.length !== 3) throw notTokens(span.from, dims)
    const title = spans.length === 1 ? name : `${name}_${i}`
    write.input(title, 'float32', [pictures, count, width])
    const all =
      pictures === rows ? title : write.op('Expand', [title, write.ints([rows, count, width])])
    const inside = new Set(nodesBetween(graph, span.from, span.to))
    const outside = graph.nodes.filter((node) => !inside.has(node))
    // A span that begins where another ended takes its rows without the other's prompts.
    const before = spans.find((other) => other.to === span.from)
    const clean = before === undefined ? span.from : write.slice(span.from, [0], [tokens], [1])
    edit.readAll(span.from, write.concat([clean, all], 1), outside)
    const starts = new Map([[span.from, [1]]])
    for (const { value, readers } of span.also ?? []) {
      const others = graph.nodes.filter((node) => !readers.includes(node))
      edit.readAll(value, write.concat([value, all], 1), others)
      for (const node of [...readers, ...nodesBetween(graph, value, span.to)]) inside.add(node)
      starts.set(value, [1])
    }
    trackTokens(edit, shapes, { starts, change: { kind: 'more', count }, within: inside })
    return { name: title, dims: [pictures, count, width] as const, span, tokens }
  })
  for (const { span, tokens } of prompts) {
    if (prompts.some((other) => other.span.from === span.to)) continue
    const inside = nodesBetween(graph, span.from, span.to)
    const clean = write.slice(span.to, [0], [tokens], [1])
    edit.readAll(span.to, clean, inside)
    if (indexOf(graph).output.has(span.to)) edit.giveInstead(span.to, clean)
  }
  return {
    graph: edit.finish(),
    prompts: prompts.map(({ name: title, dims }) => ({ name: title, dims })),
  }
}

function notTokens(value: string, dims: readonly number[]): UserFault {
  return new UserFault(
    'E_PROMPT_TOKENS',
    `"${value}" has shape [${dims.join(', ')}], not pictures, tokens, width.`,
    {
      fields: { value, dims },
      cure: 'Give the batch first, and a value that holds one row for each token.',
    },
  )
}
