import { expected, UserFault } from '../../base/index.ts'
import type { Graph, Shapes } from '../graph.ts'
import { withGraph } from '../graph.ts'
import type { ShapeOptions, Specialised } from '../shapes.ts'
import { inferShapes } from '../shapes.ts'
import { injectKeyValues } from './key-value.ts'
import type { Injected, PromptInput } from './key-value.ts'
import { keepLastRow } from './last-row.ts'
import { layerOutput, locate } from './locate.ts'
import type { AttentionSite } from './locate.ts'
import { injectTextVectors } from './text-vectors.ts'
import { injectTokens } from './tokens.ts'
import type { TokenSpan } from './tokens.ts'

interface Common {
  /** Prompts of a layer. */
  readonly count: number
  /** Whether every picture has prompts of its own; default false. */
  readonly each?: boolean
  /** Only layers that depend on this input. */
  readonly from?: string
}

/** Where prompts go. */
export type Injection =
  /** Fresh prompts before each of the layers, dropped behind it (VPT deep); keys and values by default. */
  | (Common & {
      readonly kind: 'layers'
      /** Numbers of self-attention layers from 0, or how many of the first; negative: of the last. */
      readonly layers: readonly number[] | number
      readonly form?: 'key-value' | 'tokens'
      /** Whether a last block of which one row is read computes only that; default true. */
      readonly lastRow?: boolean
      /** How many layers there must be. */
      readonly expect?: number
    })
  /** Prompts that travel as tokens from the input of the first layer through the last (VPT shallow). */
  | (Common & { readonly kind: 'through' })
  /** Further states that every cross-attention reads. */
  | (Common & { readonly kind: 'states' })
  /** Further rows of a decoder, from its first layer through its last. */
  | (Common & { readonly kind: 'rows' })
  /** Vectors for placeholder ids behind a table of tokens. */
  | { readonly kind: 'vectors'; readonly ids: string; readonly placeholders: readonly number[] }

/** A model with prompts, the shapes of all its values, and the inputs that take the prompts. */
export interface Prompted extends Specialised {
  readonly prompts: readonly PromptInput[]
}

/**
 * A model with prompts in it; the given model is not changed.
 *
 * @param prepared  lowered, its shapes folded: what `prepare` gives
 * @param batch  pictures in a run
 * @throws UserFault `E_PROMPT_LAYERS`, `E_PROMPT_PATH`, `E_PROMPT_TOKENS` when the place is not found
 */
export async function inject(
  prepared: Specialised,
  injection: Injection,
  batch: number,
  options: ShapeOptions = {},
): Promise<Prompted> {
  const start = await thinned(prepared, injection, batch, options)
  const { graph, prompts } = edited(start.model.graph, start.shapes, injection, batch)
  const model = withGraph(start.model, graph)
  return { model, prompts, shapes: await inferShapes(model, options) }
}

function edited(graph: Graph, shapes: Shapes, injection: Injection, batch: number): Injected {
  if (injection.kind === 'vectors') return injectTextVectors(graph, shapes, injection)
  const { count, each = false } = injection
  const options = { count, each, batch }
  const filter = injection.from === undefined ? {} : { from: injection.from }
  switch (injection.kind) {
    case 'layers':
      return injectLayers(graph, shapes, injection, batch)
    case 'through': {
      const sites = selfSites(graph, shapes, filter)
      const [first, last] = [sites[0], sites.at(-1)]
      if (first === undefined || last === undefined) throw noLayers('self')
      return injectTokens(
        graph,
        shapes,
        [{ from: first.input, to: layerOutput(graph, last) }],
        options,
      )
    }
    case 'states': {
      const sites = locate(graph, shapes, { ...filter, kind: 'cross' }).filter(isLayer)
      if (sites.length === 0) throw noLayers('cross')
      return injectKeyValues(graph, shapes, sites, { ...options, shared: true })
    }
    case 'rows':
      return injectTokens(
        graph,
        shapes,
        [decoderSpan(graph, locate(graph, shapes, filter))],
        options,
      )
    default:
      return injection satisfies never
  }
}

function selfSites(
  graph: Graph,
  shapes: Shapes,
  filter: { readonly from?: string },
): AttentionSite[] {
  return locate(graph, shapes, { ...filter, kind: 'self' }).filter(isLayer)
}

/** Keys and values that come from no plain projection belong to no layer that prompts can enter. */
function isLayer(site: AttentionSite): boolean {
  return site.key !== undefined && site.value !== undefined
}

function noLayers(kind: string): UserFault {
  return new UserFault(
    'E_PROMPT_LAYERS',
    `The graph has no ${kind}-attention layer of the usual form.`,
    {
      fields: { kind },
      cure: 'Lower the graph and fold its shapes first; "pupil onnx show" lists what it holds.',
    },
  )
}

function injectLayers(
  graph: Graph,
  shapes: Shapes,
  injection: Extract<Injection, { kind: 'layers' }>,
  batch: number,
): Injected {
  const { count, each = false, form = 'key-value' } = injection
  const sites = selfSites(
    graph,
    shapes,
    injection.from === undefined ? {} : { from: injection.from },
  )
  if (injection.expect !== undefined && injection.expect !== sites.length) {
    throw new UserFault(
      'E_PROMPT_LAYERS',
      `Expected ${injection.expect} layers but found ${sites.length}.`,
      {
        fields: { expected: injection.expect, found: sites.length },
      },
    )
  }
  const chosen = chosenLayers(sites, injection.layers)
  const options = { count, each, batch }
  if (form === 'tokens') {
    const spans = chosen.map((site) => ({ from: site.input, to: layerOutput(graph, site) }))
    return injectTokens(graph, shapes, spans, options)
  }
  return injectKeyValues(graph, shapes, chosen, options)
}

/** The model whose last block computes the one row that is read of it, where that is so and wanted. */
async function thinned(
  prepared: Specialised,
  injection: Injection,
  batch: number,
  options: ShapeOptions,
): Promise<Specialised> {
  if (injection.kind !== 'layers' || injection.form === 'tokens' || injection.lastRow === false) {
    return prepared
  }
  const { graph } = prepared.model
  const filter = injection.from === undefined ? {} : { from: injection.from }
  const last = selfSites(graph, prepared.shapes, filter).at(-1)
  if (last === undefined) return prepared
  const thin = keepLastRow(graph, prepared.shapes, last, batch)
  if (thin === graph) return prepared
  const model = withGraph(prepared.model, thin)
  return { model, shapes: await inferShapes(model, options) }
}

function chosenLayers(
  sites: readonly AttentionSite[],
  layers: readonly number[] | number,
): readonly AttentionSite[] {
  if (sites.length === 0) throw noLayers('self')
  if (typeof layers === 'number') {
    if (layers === 0 || Math.abs(layers) > sites.length) {
      throw expected(`1 to ${sites.length} layers`, 'layers', layers)
    }
    return layers > 0 ? sites.slice(0, layers) : sites.slice(layers)
  }
  return layers.map((k) => {
    const site = sites[k]
    if (site === undefined) throw expected(`layers 0 to ${sites.length - 1}`, 'layers', k)
    return site
  })
}

/** From the input of the layer before the first cross-attention to the output of the last layer. */
function decoderSpan(graph: Graph, sites: readonly AttentionSite[]): TokenSpan {
  const cross = sites.findIndex((site) => site.kind === 'cross' && isLayer(site))
  const last = sites.findLast((site) => site.kind === 'cross' && isLayer(site))
  const first = sites[cross - 1] ?? sites[cross]
  if (first === undefined || last === undefined) throw noLayers('cross')
  const { query, key } = first
  const own = query !== undefined && query.source === key?.source
  // Zero inputs of the first layer are folded away: its queries and keys are positions alone.
  const apart = own && first.value?.source === first.input && query.source !== first.input
  const to = layerOutput(graph, last)
  return apart
    ? {
        from: first.input,
        to,
        also: [{ value: query.source, readers: [query.node, key?.node ?? query.node] }],
      }
    : { from: first.input, to }
}
