import type { Attribute } from './attribute.ts'
import type { Graph, Model, Node, Shapes, ValueInfo } from './graph.ts'
import { capturesOf } from './graph.ts'
import type { Tensor } from './tensor.ts'
import { sizeOf, tensorNumbers } from './tensor.ts'

export interface TextOptions {
  /** Types and shapes to write behind each value, as `inferShapes` gives them. */
  readonly shapes?: Shapes
  /** At most this many nodes; default all. */
  readonly limit?: number
}

/** Constants of up to this many elements are written with their values. */
const shownUpTo = 8

/**
 * A graph as a person reads it: a line for each input, constant, node and output.
 *
 * @example
 * input  x: float32[n, 8]
 * const  w: float32[8, 50]
 * h = MatMul(x, w)
 * y = Softmax(h) {axis: -1}
 * output y: float32[n, 50]
 */
export function graphText(graph: Graph, options: TextOptions = {}): string {
  return linesOf(graph, options).join('\n')
}

/** A whole model: what surrounds the graph, then the graph. */
export function modelText(model: Model, options: TextOptions = {}): string {
  const opsets = Object.entries(model.graph.opsets)
    .map(([domain, version]) => `${domain === '' ? 'onnx' : domain} ${version}`)
    .join(', ')
  const producer = model.producer === '' ? '' : `, by ${model.producer}`
  return [
    `model "${model.graph.name}" (IR ${model.irVersion}, ${opsets}${producer})`,
    ...Object.entries(model.metadata).map(([key, value]) => `meta   ${key}: ${shorten(value)}`),
    ...linesOf(model.graph, options),
  ].join('\n')
}

function linesOf(graph: Graph, options: TextOptions): string[] {
  const { limit = Infinity } = options
  const left = graph.nodes.length - limit
  return [
    ...graph.inputs.map((input) => `input  ${valueText(input)}`),
    ...graph.initializers.map((tensor) => `const  ${tensorText(tensor)}`),
    ...graph.nodes
      .slice(0, Math.min(limit, graph.nodes.length))
      .flatMap((node) => nodeLines(node, options)),
    ...(left > 0 ? [`… ${left} more nodes`] : []),
    ...graph.outputs.map((output) => `output ${valueText(output)}`),
  ]
}

/** `name: float32[n, 8]`, with question marks for what is not known. */
export function valueText({ name, type, shape, other }: ValueInfo): string {
  if (other !== undefined) return `${name}: no tensor`
  if (type === undefined && shape === undefined) return name
  const dims = shape === undefined ? '[...]' : `[${shape.map((dim) => dim ?? '?').join(', ')}]`
  return `${name}: ${type ?? '?'}${dims}`
}

function tensorText(tensor: Tensor): string {
  const { name, type, dims, storage } = tensor
  const head = `${name}: ${type}[${dims.join(', ')}]`
  if (storage.kind === 'file') return `${head} at ${storage.at.offset} of ${storage.at.file}`
  return `${head}${valuesText(tensor)}`
}

/** The values of a small constant, as ` = …`. */
function valuesText(tensor: Tensor): string {
  const { dims, storage } = tensor
  if (storage.kind === 'file' || sizeOf(dims) > shownUpTo) return ''
  const decoder = new TextDecoder()
  const values =
    storage.kind === 'texts'
      ? storage.texts.map((bytes) => JSON.stringify(decoder.decode(bytes)))
      : [...tensorNumbers(tensor)].map(numberText)
  return dims.length === 0 ? ` = ${values.join()}` : ` = [${values.join(', ')}]`
}

function nodeLines(node: Node, { shapes }: TextOptions): string[] {
  const made = node.outputs.map((name) => {
    const found = shapes?.get(name)
    if (name === '') return '_'
    return found === undefined ? name : `${name}: ${found.type}[${found.dims.join(', ')}]`
  })
  const op = node.domain === '' ? node.op : `${node.domain}.${node.op}`
  const reads = node.inputs.map((name) => (name === '' ? '_' : name)).join(', ')
  const plain: string[] = []
  const inner: string[] = []
  for (const [name, attribute] of Object.entries(node.attributes)) {
    const graphs =
      attribute.type === 'graph'
        ? [attribute.value]
        : attribute.type === 'graphs'
          ? attribute.value
          : []
    if (graphs.length === 0) plain.push(`${name}: ${attributeText(attribute)}`)
    for (const graph of graphs) inner.push(...subgraphLines(name, graph))
  }
  const attributes = plain.length === 0 ? '' : ` {${plain.join(', ')}}`
  const title = node.name === '' ? '' : `  # ${node.name}`
  return [`${made.join(', ')} = ${op}(${reads})${attributes}${title}`, ...inner]
}

function subgraphLines(name: string, graph: Graph): string[] {
  const captured = capturesOf(graph)
  const from = captured.length === 0 ? '' : ` captures ${captured.join(', ')}`
  return [`  ${name}:${from}`, ...linesOf(graph, {}).map((line) => `    ${line}`)]
}

function attributeText(attribute: Attribute): string {
  const text = (value: string | Uint8Array): string =>
    typeof value === 'string' ? JSON.stringify(shorten(value)) : `${value.length} bytes`
  const { type, value } = attribute
  switch (type) {
    case 'float':
      return numberText(value)
    case 'int':
      return String(value)
    case 'string':
      return text(value)
    case 'floats':
      return listText(value.map(numberText))
    case 'ints':
      return listText(value.map(String))
    case 'strings':
      return listText(value.map(text))
    case 'tensor':
      return `${value.type}[${value.dims.join(', ')}]${valuesText(value)}`
    case 'tensors':
      return `${value.length} tensors`
    case 'graph':
    case 'graphs':
      return 'graph'
    case 'other':
      return 'other'
    default:
      return type satisfies never
  }
}

function listText(items: readonly string[]): string {
  const shown = items.slice(0, shownUpTo).join(', ')
  return items.length > shownUpTo ? `[${shown}, … ${items.length} in all]` : `[${shown}]`
}

/** Seven digits are what a float32 has. */
function numberText(value: number): string {
  return String(Number(value.toPrecision(7)))
}

function shorten(value: string): string {
  return value.length > 80 ? `${value.slice(0, 77)}…` : value
}
