import { Bug } from '../base/index.ts'
import type { Attribute } from './attribute.ts'
import type { ElementType } from './element-types.ts'
import type { Message } from './message.ts'
import type { Tensor } from './tensor.ts'

/** A size: a number, the name of a free size, or null for one of which nothing is known. */
export type Dim = number | string | null

/** What a graph says of an input, an output or a value between. */
export interface ValueInfo {
  readonly name: string
  /** Absent when the value is no dense tensor, or nothing was said. */
  readonly type?: ElementType
  /** Absent when even the number of axes is unknown. */
  readonly shape?: readonly Dim[]
  /** A sequence, map, optional or sparse tensor, as the file says it. */
  readonly other?: Message
  readonly rest?: Message
}

/** An operation. An omitted optional input, and an output nobody wants, are the empty name. */
export interface Node {
  readonly op: string
  /** Empty for the operators of ONNX itself. */
  readonly domain: string
  /** Serves in messages only; may be empty, need not be unique. */
  readonly name: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes: Readonly<Record<string, Attribute>>
  readonly rest?: Message
}

/** A frozen graph. Edits return a new one and share what they did not touch. */
export interface Graph {
  readonly name: string
  readonly nodes: readonly Node[]
  readonly inputs: readonly ValueInfo[]
  readonly outputs: readonly ValueInfo[]
  readonly initializers: readonly Tensor[]
  readonly valueInfo: readonly ValueInfo[]
  /** Version of each operator set by domain; that of ONNX itself under the empty name. */
  readonly opsets: Readonly<Record<string, number>>
  readonly rest?: Message
}

/** A graph with what surrounds it in a file. */
export interface Model {
  readonly irVersion: number
  readonly producer: string
  readonly metadata: Readonly<Record<string, string>>
  readonly graph: Graph
  readonly rest?: Message
}

/** A concrete type and shape, as `inferShapes` gives for every value of a graph. */
export interface TensorType {
  readonly type: ElementType
  readonly dims: readonly number[]
}

/** Concrete types and shapes by the name of the value; constants included. */
export type Shapes = ReadonlyMap<string, TensorType>

/** What is computed once for a graph and remembered as long as the graph lives. */
export interface GraphIndex {
  readonly producer: ReadonlyMap<string, Node>
  /** Nodes that read a value, each once, in the order of the graph; those with a subgraph that captures it too. */
  readonly consumers: ReadonlyMap<string, readonly Node[]>
  readonly position: ReadonlyMap<Node, number>
  readonly initializer: ReadonlyMap<string, Tensor>
  readonly input: ReadonlyMap<string, ValueInfo>
  readonly output: ReadonlyMap<string, ValueInfo>
  readonly info: ReadonlyMap<string, ValueInfo>
  /** Every name that the graph or a subgraph of it uses for a value. */
  readonly names: ReadonlySet<string>
}

/** A frozen copy, or the list itself when it is frozen already. */
function frozen<T>(items: readonly T[] | undefined): readonly T[] {
  if (items === undefined) return Object.freeze([])
  return Object.isFrozen(items) ? items : Object.freeze([...items])
}

/** A graph from its parts, frozen; opset 17 of ONNX where none is given. */
export function graphOf(parts: Partial<Graph>): Graph {
  const opsets = parts.opsets ?? { '': 17 }
  return Object.freeze({
    name: parts.name ?? 'graph',
    nodes: frozen(parts.nodes),
    inputs: frozen(parts.inputs),
    outputs: frozen(parts.outputs),
    initializers: frozen(parts.initializers),
    valueInfo: frozen(parts.valueInfo),
    opsets: Object.isFrozen(opsets) ? opsets : Object.freeze({ ...opsets }),
    ...(parts.rest === undefined ? {} : { rest: parts.rest }),
  })
}

/** A graph like another, with some parts changed. */
export function withParts(graph: Graph, parts: Partial<Graph>): Graph {
  return graphOf({ ...graph, ...parts })
}

/** A model around a graph; IR 8, the oldest for opset 17, unless the parts say another. */
export function modelOf(graph: Graph, parts: Partial<Omit<Model, 'graph'>> = {}): Model {
  const { metadata = {} } = parts
  return Object.freeze({
    irVersion: parts.irVersion ?? irVersionFor(graph.opsets[''] ?? 17),
    producer: parts.producer ?? 'pupil',
    metadata: Object.isFrozen(metadata) ? metadata : Object.freeze({ ...metadata }),
    graph,
    ...(parts.rest === undefined ? {} : { rest: parts.rest }),
  })
}

/** The same surroundings with another graph in them. */
export function withGraph(model: Model, graph: Graph): Model {
  return Object.freeze({ ...model, graph })
}

/** The IR version that came out with an opset, at least 8. */
function irVersionFor(opset: number): number {
  return opset >= 23 ? 11 : opset >= 21 ? 10 : opset >= 19 ? 9 : 8
}

/** A value's name, type and shape, frozen. */
export function valueInfo(name: string, type?: ElementType, shape?: readonly Dim[]): ValueInfo {
  return Object.freeze({
    name,
    ...(type === undefined ? {} : { type }),
    ...(shape === undefined ? {} : { shape: Object.freeze([...shape]) }),
  })
}

/** A node from its parts, frozen; no domain and no name where none is given. */
export function nodeOf(
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  parts: Partial<Pick<Node, 'domain' | 'name' | 'attributes' | 'rest'>> = {},
): Node {
  const { attributes = {} } = parts
  return Object.freeze({
    op,
    domain: parts.domain ?? '',
    name: parts.name ?? '',
    inputs: frozen(inputs),
    outputs: frozen(outputs),
    attributes: Object.isFrozen(attributes) ? attributes : Object.freeze({ ...attributes }),
    ...(parts.rest === undefined ? {} : { rest: parts.rest }),
  })
}

/** A node like another, with some parts changed. */
export function withNode(node: Node, parts: Partial<Node>): Node {
  const changed = { ...node, ...parts }
  return nodeOf(changed.op, changed.inputs, changed.outputs, changed)
}

const indexes = new WeakMap<Graph, GraphIndex>()

/** Producers, consumers and the like; computed at the first call for a graph. */
export function indexOf(graph: Graph): GraphIndex {
  const known = indexes.get(graph)
  if (known !== undefined) return known
  const index = makeIndex(graph)
  indexes.set(graph, index)
  return index
}

function makeIndex(graph: Graph): GraphIndex {
  const producer = new Map<string, Node>()
  const consumers = new Map<string, Node[]>()
  const position = new Map<Node, number>()
  const names = new Set<string>()
  graph.nodes.forEach((node, i) => {
    position.set(node, i)
    for (const name of node.outputs) if (name !== '') producer.set(name, node)
    for (const name of readsOf(node)) {
      const readers = consumers.get(name)
      if (readers === undefined) consumers.set(name, [node])
      else readers.push(node)
    }
    collectNames(node, names)
  })
  const byName = <T extends { readonly name: string }>(items: readonly T[]) => {
    for (const item of items) names.add(item.name)
    return new Map(items.map((item) => [item.name, item]))
  }
  return Object.freeze({
    producer,
    consumers,
    position,
    initializer: byName(graph.initializers),
    input: byName(graph.inputs),
    output: byName(graph.outputs),
    info: byName(graph.valueInfo),
    names,
  })
}

/** Every value that a node reads, each once: its inputs, then what its subgraphs capture. */
export function readsOf(node: Node): readonly string[] {
  const reads = new Set(node.inputs)
  for (const graph of subgraphsOf(node)) for (const name of capturesOf(graph)) reads.add(name)
  reads.delete('')
  return [...reads]
}

/** The graphs inside a node (If, Loop, Scan); mostly none. */
export function subgraphsOf(node: Node): readonly Graph[] {
  const found: Graph[] = []
  for (const attribute of Object.values(node.attributes)) {
    if (attribute.type === 'graph') found.push(attribute.value)
    else if (attribute.type === 'graphs') found.push(...attribute.value)
  }
  return found
}

const captures = new WeakMap<Graph, readonly string[]>()

/** The outer values that a subgraph reads. */
export function capturesOf(graph: Graph): readonly string[] {
  const known = captures.get(graph)
  if (known !== undefined) return known
  const own = new Set([...graph.inputs, ...graph.initializers].map((value) => value.name))
  const outer = new Set<string>()
  for (const node of graph.nodes) {
    for (const name of readsOf(node)) if (!own.has(name)) outer.add(name)
    for (const name of node.outputs) own.add(name)
  }
  for (const { name } of graph.outputs) if (!own.has(name)) outer.add(name)
  const found = Object.freeze([...outer])
  captures.set(graph, found)
  return found
}

function collectNames(node: Node, names: Set<string>): void {
  for (const name of node.inputs) names.add(name)
  for (const name of node.outputs) names.add(name)
  for (const graph of subgraphsOf(node)) {
    for (const value of [...graph.inputs, ...graph.outputs, ...graph.initializers]) {
      names.add(value.name)
    }
    for (const inner of graph.nodes) collectNames(inner, names)
  }
}

/** The node that makes a value; undefined for inputs, initialisers and unknown names. */
export function producerOf(graph: Graph, name: string): Node | undefined {
  return indexOf(graph).producer.get(name)
}

/** The nodes that read a value, in the order of the graph. */
export function consumersOf(graph: Graph, name: string): readonly Node[] {
  return indexOf(graph).consumers.get(name) ?? []
}

/** The initialiser of that name, if it is one. */
export function initializerOf(graph: Graph, name: string): Tensor | undefined {
  return indexOf(graph).initializer.get(name)
}

/** True for a value that the graph defines: an input, an initialiser, or an output of a node. */
export function hasValue(graph: Graph, name: string): boolean {
  const index = indexOf(graph)
  return index.producer.has(name) || index.initializer.has(name) || index.input.has(name)
}

/** The opset of ONNX itself that the graph is written in. */
export function opsetOf(graph: Graph): number {
  const version = graph.opsets['']
  if (version === undefined) {
    throw new Bug('E_ONNX_OPSET', `The graph "${graph.name}" imports no operator set of ONNX.`)
  }
  return version
}

/** A prefix that no name in the graph begins with: `hint`, or `hint` with a number behind. */
export function freshPrefix(graph: Graph, hint: string): string {
  const { names } = indexOf(graph)
  const free = (prefix: string): boolean => {
    for (const name of names) if (name.startsWith(prefix)) return false
    return true
  }
  for (let i = 0; ; i++) {
    const prefix = i === 0 ? `${hint}/` : `${hint}${i}/`
    if (free(prefix)) return prefix
  }
}

/** A node as it is called in messages: op, name if it has one, and its place. */
export function nodeTitle(node: Node, position?: number): string {
  const place = position === undefined ? '' : `#${position}`
  const op = node.domain === '' ? node.op : `${node.domain}.${node.op}`
  const first = node.outputs.find((name) => name !== '')
  const name =
    node.name !== '' ? ` "${short(node.name)}"` : first === undefined ? '' : ` -> "${short(first)}"`
  return `${short(op)}${place}${name}`
}

function short(name: string): string {
  return name.length > 120 ? `${name.slice(0, 119)}…` : name
}
