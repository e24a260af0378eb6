import { UserFault } from '../../base/index.ts'
import type { Graph, Node, Shapes } from '../graph.ts'
import { consumersOf, indexOf, nodeTitle, producerOf } from '../graph.ts'
import { constantsOf, downstreamOf, movingInputs, onlyConsumer } from './flow.ts'
import { projectionOf } from './projection.ts'
import type { Projection } from './projection.ts'

/** An attention found by its pattern, with the layer it stands in. */
export interface AttentionSite {
  readonly kind: 'self' | 'cross'
  readonly softmax: Node
  /** Scores: queries times keys. */
  readonly scores: Node
  /** Weights times values. */
  readonly mix: Node
  /** From the scores to the mix, both left out: scale, mask, softmax. */
  readonly between: readonly Node[]
  readonly query: Projection | undefined
  readonly key: Projection | undefined
  readonly value: Projection | undefined
  /** What the layer adds its attention to: the input of the layer. */
  readonly input: string
  /** The sum of both. */
  readonly sum: Node
}

/** What to look for. */
export interface LocateOptions {
  /** Only attentions that depend on this input of the graph. */
  readonly from?: string
  readonly kind?: AttentionSite['kind']
  /** How many there must be; another number is an error that lists what was found. */
  readonly count?: number
}

const passing = new Set('Add Mul Div Sub Where Cast Reshape Identity Dropout Transpose'.split(' '))

/**
 * The attentions of a graph in its order, found by pattern and never by name.
 *
 * The graph has to be lowered, with shapes folded.
 *
 * @throws UserFault `E_PROMPT_LAYERS` when their number is not the one that was asked for
 */
export function locate(
  graph: Graph,
  shapes: Shapes,
  options: LocateOptions = {},
): readonly AttentionSite[] {
  const reached = options.from === undefined ? undefined : downstreamOf(graph, [options.from])
  const sites = graph.nodes.flatMap((node) => {
    const site = node.op === 'Softmax' ? siteOf(graph, shapes, node) : undefined
    if (site === undefined || (options.kind !== undefined && site.kind !== options.kind)) return []
    return reached === undefined || reached.has(site.sum.outputs[0] ?? '') ? [site] : []
  })
  if (options.count !== undefined && options.count !== sites.length) {
    const found = sites.map(
      (site) =>
        `${site.kind} ${nodeTitle(site.softmax, indexOf(graph).position.get(site.softmax))}`,
    )
    throw new UserFault(
      'E_PROMPT_LAYERS',
      `Expected ${options.count} layers but found ${sites.length}: ${found.join(', ') || 'none'}.`,
      {
        fields: { expected: options.count, found },
        cure: 'Lower the graph first, or correct the number.',
      },
    )
  }
  return sites
}

function siteOf(graph: Graph, shapes: Shapes, softmax: Node): AttentionSite | undefined {
  const up = scoresAbove(graph, softmax)
  const down = mixBelow(graph, softmax)
  if (up === undefined || down === undefined) return undefined
  const residual = residualBelow(graph, shapes, down.mix)
  if (residual === undefined) return undefined
  const [query, key] = up.scores.inputs.map((name) => projectionOf(graph, shapes, name))
  const value = projectionOf(graph, shapes, down.mix.inputs[1] ?? '')
  // A block of which one row is computed adds to that row; its keys come from all of them.
  const cut = producerOf(graph, residual.input)
  const stream = cut?.op === 'Slice' ? (cut.inputs[0] ?? '') : residual.input
  const moved = downstreamOf(graph, [stream])
  const above = key?.source ?? up.scores.inputs[1] ?? ''
  const own = moved.has(above) || (query !== undefined && query.source === key?.source)
  return {
    kind: own ? 'self' : 'cross',
    softmax,
    scores: up.scores,
    mix: down.mix,
    between: [...up.path.toReversed(), softmax, ...down.path],
    query,
    key,
    value,
    input: stream,
    sum: residual.sum,
  }
}

function scoresAbove(graph: Graph, softmax: Node): { scores: Node; path: Node[] } | undefined {
  const path: Node[] = []
  let value = softmax.inputs[0] ?? ''
  for (;;) {
    const node = producerOf(graph, value)
    if (node === undefined) return undefined
    if (node.op === 'MatMul' && !constantsOf(graph).has(node.inputs[1] ?? ''))
      return { scores: node, path }
    if (!passing.has(node.op)) return undefined
    path.push(node)
    // Of a masked score the mask is the side without a product close above it.
    value = movingInputs(graph, node).find((name) => leadsToProduct(graph, name, 6)) ?? ''
  }
}

function leadsToProduct(graph: Graph, value: string, depth: number): boolean {
  const node = producerOf(graph, value)
  if (node === undefined || depth === 0) return false
  if (node.op === 'MatMul') return true
  return (
    passing.has(node.op) &&
    movingInputs(graph, node).some((name) => leadsToProduct(graph, name, depth - 1))
  )
}

function mixBelow(graph: Graph, softmax: Node): { mix: Node; path: Node[] } | undefined {
  const path: Node[] = []
  let value = softmax.outputs[0] ?? ''
  for (let i = 0; i < 6; i++) {
    const readers = consumersOf(graph, value)
    const mix = readers.find((node) => node.op === 'MatMul' && node.inputs[0] === value)
    if (mix !== undefined) return { mix, path }
    const next = readers.find((node) => passing.has(node.op))
    if (next === undefined) return undefined
    path.push(next)
    value = next.outputs[0] ?? ''
  }
  return undefined
}

/** The first sum below the mix whose other side has its whole shape: the layer's input and its attention. */
function residualBelow(
  graph: Graph,
  shapes: Shapes,
  mix: Node,
): { input: string; sum: Node } | undefined {
  const whole = (name: string, like: string): boolean => {
    const [dims, wanted] = [shapes.get(name)?.dims ?? [], shapes.get(like)?.dims ?? []]
    return dims.length === wanted.length && dims.every((d, k) => d === wanted[k])
  }
  let value = mix.outputs[0] ?? ''
  for (let i = 0; i < 24; i++) {
    const node =
      onlyConsumer(graph, value) ?? consumersOf(graph, value).find(({ op }) => op === 'Add')
    if (node === undefined) return undefined
    const others = node.inputs.filter((name) => name !== value)
    const input = others.find((name) => whole(name, node.outputs[0] ?? ''))
    if (node.op === 'Add' && input !== undefined) return { input, sum: node }
    if (movingInputs(graph, node).some((name) => name !== value)) return undefined
    value = node.outputs[0] ?? ''
  }
  return undefined
}

/** The value behind a layer: its input plus everything the layer added to it. */
export function layerOutput(graph: Graph, site: AttentionSite): string {
  const sum = site.sum.outputs[0] ?? ''
  // Pre-norm: the sum itself is added to again. Post-norm: its norm is, or nothing is.
  const stream = residualOf(graph, sum) ?? normBelow(graph, sum)
  if (stream === undefined) return sum
  if (stream.add !== undefined) return stream.add.outputs[0] ?? ''
  const second = residualOf(graph, stream.value)
  if (second?.add === undefined) return stream.value
  const end = normBelow(graph, second.add.outputs[0] ?? '')
  return end?.value ?? second.add.outputs[0] ?? ''
}

interface Stream {
  readonly add?: Node
  readonly value: string
}

function residualOf(graph: Graph, value: string): Stream | undefined {
  const below = downstreamOf(graph, [value])
  const add = consumersOf(graph, value).find((node) => {
    const other = node.inputs.find((name) => name !== value) ?? ''
    return node.op === 'Add' && below.has(other)
  })
  return add === undefined ? undefined : { add, value: add.outputs[0] ?? '' }
}

/** The result of a normalisation that is all that reads the value. */
function normBelow(graph: Graph, value: string): Stream | undefined {
  const readers = consumersOf(graph, value)
  const fused = readers.find(({ op }) => op === 'LayerNormalization')
  if (fused !== undefined && readers.length === 1) return { value: fused.outputs[0] ?? '' }
  const centred = readers.find(({ op }) => op === 'Sub')
  if (centred === undefined) return undefined
  let here = centred.outputs[0] ?? ''
  for (let i = 0; i < 4; i++) {
    const next = consumersOf(graph, here).find(
      ({ op }) => op === 'Div' || op === 'Mul' || op === 'Add',
    )
    if (next === undefined) break
    here = next.outputs[0] ?? ''
    if (next.op === 'Add') return { value: here }
  }
  return undefined
}
