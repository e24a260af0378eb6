import { UserFault } from '../../base/index.ts'
import { intsAttribute } from '../attribute.ts'
import type { Graph, Node, Shapes } from '../graph.ts'
import { nodeTitle, producerOf } from '../graph.ts'
import type { AttentionSite } from './locate.ts'
import { headLayout } from './projection.ts'
import type { Projection } from './projection.ts'
import type { Rewrite } from './rewrite.ts'
import { rewrite } from './rewrite.ts'
import { asHeads, rowCopies } from './rows.ts'
import { trackTokens } from './track.ts'

/** A value that prompts are fed by. */
export interface PromptInput {
  readonly name: string
  /** [pictures, count, width]; one picture when all share the prompt. */
  readonly dims: readonly [number, number, number]
}

/** A graph with prompts, and the inputs that take them. */
export interface Injected {
  readonly graph: Graph
  readonly prompts: readonly PromptInput[]
}

export interface KeyValueOptions {
  /** Prompts of a layer. */
  readonly count: number
  /** Pictures in a run. */
  readonly batch: number
  /** Whether every picture has prompts of its own; default false. */
  readonly each?: boolean
  /** Whether one prompt serves all sites, as further states of an encoder do; default false. */
  readonly shared?: boolean
  /** Hint for the names of the inputs; default `prompt`. */
  readonly name?: string
}

/**
 * Prompts as further keys and values of attentions, exactly what tokens give whose outputs are dropped.
 *
 * No token count of the export is touched; queries, output projection and the rest of the layer do no
 * work for prompts.
 *
 * @source VPT deep (Jia et al. §3.2) in the form of our specification 6.1
 */
export function injectKeyValues(
  graph: Graph,
  shapes: Shapes,
  sites: readonly AttentionSite[],
  options: KeyValueOptions,
): Injected {
  const { count, batch, name = 'prompt' } = options
  const pictures = options.each === true ? batch : 1
  const edit = rewrite(graph, 'prompt')
  const copies = rowCopies(graph, shapes, edit.builder)
  const prompts: PromptInput[] = []
  const starts = new Map<string, readonly number[]>()
  sites.forEach((site, i) => {
    const { key, value } = bothOf(site)
    // Keys of a cross-attention may have positions added to the states that values come from.
    const from = site.kind === 'self' ? site.input : value.source
    const width = shapes.get(from)?.dims.at(-1) ?? 0
    if (i === 0 || options.shared !== true) {
      const title = options.shared === true || sites.length === 1 ? name : `${name}_${i}`
      prompts.push({ name: title, dims: [pictures, count, width] })
      edit.builder.input(title, 'float32', [pictures, count, width])
    }
    const rows = prompts.at(-1)?.name ?? ''
    const sizes = { pictures, batch, count }
    for (const [projection, node, axis] of [
      [key, site.scores, -1],
      [value, site.mix, -2],
    ] as const) {
      const operand = node.inputs[1] ?? ''
      const layout = headLayout(graph, shapes, projection, operand, axis, batch)
      const near = copies.along(from, projection.source, rows)
      const heads = asHeads(
        edit.builder,
        copies.projected(projection, near),
        layout,
        sizes,
        axis === -1,
      )
      appendTokens(edit, shapes, { node, operand, heads, axis })
      starts.set(operand, [(shapes.get(operand)?.dims.length ?? 0) + axis])
    }
  })
  const within = new Set(sites.flatMap((site) => [site.scores, ...site.between, site.mix]))
  trackTokens(edit, shapes, { starts, change: { kind: 'more', count }, within })
  return { graph: edit.finish(), prompts }
}

function bothOf(site: AttentionSite): { key: Projection; value: Projection } {
  const { key, value } = site
  if (key === undefined || value === undefined) {
    const title = nodeTitle(site.softmax)
    throw new UserFault(
      'E_PROMPT_PATH',
      `Keys or values of ${title} come from no plain projection.`,
      {
        fields: { softmax: title },
        cure: 'Use the token form of the injection.',
      },
    )
  }
  return { key, value }
}

interface Append {
  readonly node: Node
  readonly operand: string
  readonly heads: string
  readonly axis: -1 | -2
}

/** Concat at the operand; before a Transpose where one ends the way, so that the runtime still fuses it. */
function appendTokens(edit: Rewrite, shapes: Shapes, { node, operand, heads, axis }: Append): void {
  const write = edit.builder
  const rank = shapes.get(operand)?.dims.length ?? 0
  const last = producerOf(edit.graph, operand)
  if (last?.op !== 'Transpose') {
    edit.readInput(node, 1, write.concat([operand, heads], rank + axis))
    return
  }
  const perm = intsAttribute(last, 'perm') ?? Array.from({ length: rank }, (_, k) => rank - 1 - k)
  const inverse = perm.map((_, k) => perm.indexOf(k))
  const before = write.transpose(heads, inverse)
  const joined = write.concat([last.inputs[0] ?? '', before], perm[rank + axis] ?? 0)
  edit.readInput(node, 1, write.transpose(joined, perm))
}
