import { expected, UserFault } from '../../base/index.ts'
import type { Graph, Node } from '../graph.ts'
import { freshPrefix, graphOf, indexOf, withNode } from '../graph.ts'
import { verify } from '../verify.ts'
import { inOrder } from './order.ts'
import { renamed } from './rename.ts'

export interface MergeOptions {
  /** For inputs of the second graph, the output of the first that feeds them. */
  readonly joins?: Readonly<Record<string, string>>
  /** Whether outputs that feed an input remain outputs; default false. */
  readonly keepJoined?: boolean
}

/**
 * Two graphs as one. Names of the second that clash with the first get a prefix; its inputs and
 * outputs keep theirs when they do not clash.
 *
 * @throws UserFault `E_ONNX_OPSET` when both import a domain in different versions: lift one first
 */
export function merge(first: Graph, second: Graph, options: MergeOptions = {}): Graph {
  const { joins = {}, keepJoined = false } = options
  checkJoins(first, second, joins)
  const names = new Map(Object.entries(joins))
  const taken = indexOf(first).names
  const prefix = freshPrefix(first, 'second')
  for (const name of indexOf(second).names) {
    if (name !== '' && taken.has(name) && !names.has(name)) names.set(name, prefix + name)
  }
  const joined = new Set(Object.keys(joins))
  const rest = renamed(
    graphOf({ ...second, inputs: second.inputs.filter(({ name }) => !joined.has(name)) }),
    names,
  )
  const fed = new Set(Object.values(joins))
  return verify(
    inOrder(
      graphOf({
        ...first,
        opsets: sharedOpsets(first, second),
        nodes: [...first.nodes, ...distinctNodes(first, rest.nodes)],
        inputs: [...first.inputs, ...rest.inputs],
        initializers: [...first.initializers, ...rest.initializers],
        valueInfo: [...first.valueInfo, ...rest.valueInfo],
        outputs: [
          ...first.outputs.filter(({ name }) => keepJoined || !fed.has(name)),
          ...rest.outputs,
        ],
      }),
    ),
  )
}

function checkJoins(first: Graph, second: Graph, joins: Readonly<Record<string, string>>): void {
  for (const [input, output] of Object.entries(joins)) {
    if (!indexOf(second).input.has(input)) {
      throw expected('an input of the second graph', 'a join', input)
    }
    if (!indexOf(first).output.has(output)) {
      throw expected('an output of the first graph', `the join of "${input}"`, output)
    }
  }
}

function sharedOpsets(first: Graph, second: Graph): Graph['opsets'] {
  for (const [domain, version] of Object.entries(second.opsets)) {
    const other = first.opsets[domain]
    if (other !== undefined && other !== version) {
      const name = domain === '' ? 'ONNX' : domain
      throw new UserFault('E_ONNX_OPSET', `The graphs import ${name} ${other} and ${version}.`, {
        fields: { domain, first: other, second: version },
        cure: `Lift the older one first: liftOpset(graph, ${Math.max(other, version)}).`,
      })
    }
  }
  return { ...first.opsets, ...second.opsets }
}

/** Nodes whose names differ from those of the first graph: the runtime wants that. */
function distinctNodes(first: Graph, nodes: readonly Node[]): Node[] {
  const taken = new Set(first.nodes.map(({ name }) => name))
  return nodes.map((node) => {
    let name = node.name
    for (let i = 1; name !== '' && taken.has(name); i++) name = `${node.name}_${i}`
    taken.add(name)
    return name === node.name ? node : withNode(node, { name })
  })
}
