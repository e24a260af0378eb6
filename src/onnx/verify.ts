import { Bug, nearestNames, UserFault } from '../base/index.ts'
import type { Graph, Model, Node, Shapes } from './graph.ts'
import { nodeTitle, readsOf, subgraphsOf } from './graph.ts'
import type { Message } from './message.ts'
import { isOperator, operatorForm } from './operators.ts'
import { operatorTable } from './operator-table.ts'

/** Something that is wrong with a graph. */
export interface GraphProblem {
  readonly message: string
  readonly node?: string
  readonly value?: string
}

interface Scope {
  readonly graph: Graph
  /** What the graph defined so far, and by whom. */
  readonly defined: Map<string, string>
  /** The graph around, whose values may be read too. */
  readonly outer?: Scope
  readonly problems: GraphProblem[]
  /** Names of functions that the model brings, as `domain:name`. */
  readonly functions: ReadonlySet<string>
}

/** A graph may be wrong in every node: enough is told with so many. */
const mostProblems = 100

/**
 * What is wrong with a graph: names defined twice, read before they are made or never made, cycles,
 * outputs that nobody makes, operators, attributes and domains that are not known, wrong numbers of
 * inputs and outputs, two nodes of one name.
 *
 * Cheap: one pass over the nodes, nothing is run.
 */
export function problemsOf(
  graph: Graph,
  functions: ReadonlySet<string> = new Set(),
): GraphProblem[] {
  const problems: GraphProblem[] = []
  checkGraph({ graph, defined: new Map(), problems, functions })
  return problems
}

/**
 * Gives the graph back when it is sound: every edit ends with it.
 *
 * @throws Bug `E_ONNX_VERIFY` with the first problem; an edit of ours made it
 */
export function verify(graph: Graph): Graph {
  const [problem] = problemsOf(graph)
  if (problem === undefined) return graph
  throw new Bug('E_ONNX_VERIFY', `verify: ${problem.message}.`, { fields: { ...problem } })
}

/**
 * Gives the model back when it is sound: for models that came from outside.
 *
 * @throws UserFault `E_ONNX_INVALID` with the first problem and how many more there are
 */
export function checkModel(model: Model): Model {
  const problems = problemsOf(model.graph, functionsOf(model))
  const [problem] = problems
  if (problem === undefined) return model
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  throw new UserFault('E_ONNX_INVALID', `The model is not sound: ${problem.message}${more}.`, {
    fields: { ...problem, problems: problems.length },
    cure: 'Export it again.',
  })
}

/** Names of the functions that a model brings, as `domain:name`. */
export function functionsOf(model: Model): ReadonlySet<string> {
  const list = (model.rest?.fields.functions ?? []) as readonly Message[]
  return new Set(
    list.map(({ fields }) => `${String(fields.domain ?? '')}:${String(fields.name ?? '')}`),
  )
}

/**
 * Shapes that a graph declares and that are not what was inferred.
 *
 * @param shapes  what `inferShapes` gave
 */
export function shapeProblemsOf(graph: Graph, shapes: Shapes): GraphProblem[] {
  return [...graph.inputs, ...graph.valueInfo, ...graph.outputs].flatMap((info) => {
    const found = shapes.get(info.name)
    if (found === undefined) return []
    const type = info.type === undefined || info.type === found.type
    const fits =
      info.shape === undefined ||
      (info.shape.length === found.dims.length &&
        info.shape.every((dim, i) => typeof dim !== 'number' || dim === found.dims[i]))
    if (type && fits) return []
    const said = `${info.type ?? 'any'} [${info.shape?.join(', ') ?? '...'}]`
    const message = `"${info.name}" is declared ${said} but is ${found.type} [${found.dims.join(', ')}]`
    return [{ message, value: info.name }]
  })
}

function checkGraph(scope: Scope): void {
  const { graph, problems, functions } = scope
  for (const { name } of graph.inputs) define(scope, name, 'an input')
  for (const { name } of graph.initializers) define(scope, name, 'an initialiser')
  for (const name of sparseNames(graph)) define(scope, name, 'an initialiser')
  const makers = new Map(
    graph.nodes.flatMap((node, i) => node.outputs.map((name) => [name, i] as const)),
  )
  const names = new Set<string>()
  graph.nodes.forEach((node, i) => {
    if (problems.length >= mostProblems) return
    const title = nodeTitle(node, i)
    if (node.name !== '' && names.has(node.name)) {
      problems.push({ message: `two nodes are named "${node.name}"`, node: node.name })
    }
    names.add(node.name)
    for (const name of readsOf(node)) {
      if (isDefined(scope, name)) continue
      problems.push({
        message: undefinedRead(graph, makers, title, name, i),
        node: title,
        value: name,
      })
    }
    checkOperator(scope, node, title)
    for (const inner of subgraphsOf(node)) {
      checkGraph({ graph: inner, defined: new Map(), outer: scope, problems, functions })
    }
    for (const name of node.outputs) if (name !== '') define(scope, name, title)
  })
  if (graph.outputs.length === 0 && scope.outer === undefined) {
    problems.push({ message: 'the graph has no outputs' })
  }
  for (const { name } of graph.outputs) {
    if (isDefined(scope, name)) continue
    problems.push({ message: `nothing makes the output "${name}"`, value: name })
  }
}

function isDefined(scope: Scope, name: string): boolean {
  for (let next: Scope | undefined = scope; next !== undefined; next = next.outer) {
    if (next.defined.has(name)) return true
  }
  return false
}

function define({ defined, problems }: Scope, name: string, by: string): void {
  if (name === '') {
    problems.push({ message: `a value without a name is defined by ${by}` })
  } else if (defined.has(name)) {
    const message = `the value "${name}" is defined twice, by ${defined.get(name)} and ${by}`
    problems.push({ message, value: name })
  }
  defined.set(name, by)
}

function sparseNames(graph: Graph): string[] {
  const list = (graph.rest?.fields.sparse_initializer ?? []) as readonly Message[]
  return list.map(({ fields }) => String((fields.values as Message | undefined)?.fields.name ?? ''))
}

function undefinedRead(
  graph: Graph,
  makers: ReadonlyMap<string, number>,
  title: string,
  name: string,
  at: number,
): string {
  const maker = makers.get(name)
  const node = maker === undefined ? undefined : graph.nodes[maker]
  if (maker === undefined || node === undefined)
    return `${title} reads "${name}", which nothing defines`
  const by = nodeTitle(node, maker)
  return dependsOn(graph, makers, node, at)
    ? `${title} and ${by} depend on each other: the graph has a cycle through "${name}"`
    : `${title} reads "${name}" before ${by} makes it`
}

/** True when a node needs, directly or not, something that the node at `target` makes. */
function dependsOn(
  graph: Graph,
  makers: ReadonlyMap<string, number>,
  node: Node,
  target: number,
): boolean {
  const seen = new Set<number>()
  const pending = [node]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of readsOf(next)) {
      const maker = makers.get(name)
      if (maker === target) return true
      const source = maker === undefined ? undefined : graph.nodes[maker]
      if (maker === undefined || source === undefined || seen.has(maker)) continue
      seen.add(maker)
      pending.push(source)
    }
  }
  return graph.nodes[target] === node
}

function checkOperator(scope: Scope, node: Node, title: string): void {
  const { graph, problems, functions } = scope
  const opset = graph.opsets[node.domain]
  if (functions.has(`${node.domain}:${node.op}`)) return
  if (opset === undefined) {
    const domain = node.domain === '' ? 'ONNX itself' : `"${node.domain}"`
    problems.push({
      message: `${title} is of ${domain}, whose operators are not imported`,
      node: title,
    })
    return
  }
  // Below 13 and outside ONNX itself there is no table to compare with.
  if (node.domain !== '' || opset < 13) return
  const form = operatorForm(node.op, opset)
  if (form === undefined) {
    const near = nearestNames(node.op, Object.keys(operatorTable), 1)
    const hint = isOperator(node.op)
      ? `not in opset ${opset}`
      : `unknown${near.length === 0 ? '' : `; did you mean ${near.join()}?`}`
    problems.push({ message: `${title} is an operator that is ${hint}`, node: title })
    return
  }
  checkCount(scope, title, 'inputs', node.inputs, form.inputs)
  checkCount(scope, title, 'outputs', node.outputs, form.outputs)
  for (const [name, { type }] of Object.entries(node.attributes)) {
    const known = form.attributes.get(name)
    const message =
      known === undefined
        ? `${title} has the attribute "${name}", which opset ${opset} does not know`
        : known.type !== type && type !== 'other'
          ? `${title} has the attribute "${name}" as ${type} instead of ${known.type}`
          : undefined
    if (message !== undefined) problems.push({ message, node: title })
  }
  for (const [name, { required }] of form.attributes) {
    if (required && !Object.hasOwn(node.attributes, name)) {
      problems.push({ message: `${title} lacks the attribute "${name}"`, node: title })
    }
  }
}

function checkCount(
  { problems }: Scope,
  title: string,
  what: 'inputs' | 'outputs',
  names: readonly string[],
  [least, most]: readonly [number, number],
): void {
  // An omitted one at the end counts as not there; the first ones have to be given.
  const given = names.findLastIndex((name) => name !== '') + 1
  if ((what === 'outputs' || given >= least) && given <= most) return
  const range =
    least === most ? `${least}` : most === Infinity ? `${least} or more` : `${least} to ${most}`
  problems.push({ message: `${title} has ${given} ${what} instead of ${range}`, node: title })
}
