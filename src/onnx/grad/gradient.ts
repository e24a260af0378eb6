import { Bug, UserFault } from '../../base/index.ts'
import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import { prune } from '../edit/prune.ts'
import type { Graph, Node, Shapes, TensorType } from '../graph.ts'
import {
  hasValue,
  indexOf,
  initializerOf,
  nodeTitle,
  opsetOf,
  withNode,
  withParts,
} from '../graph.ts'
import { sizeOf } from '../tensor.ts'
import { activeOf, pathToTrainable } from './active.ts'
import type { Active } from './active.ts'
import { algebra } from './algebra.ts'
import type { GradBuilder } from './rule.ts'
import { lazyOps, ruleOf } from './rules/table.ts'
import { sameDims } from './value.ts'
import type { Value } from './value.ts'

export interface GradientOptions {
  /** The value to descend: one element. */
  readonly loss: string
  /** Trainable values: inputs, initialisers or values between. */
  readonly wrt: readonly string[]
  /** Concrete types and shapes of every value, as `inferShapes` gives them. */
  readonly shapes: Shapes
  /** Further values to keep as outputs, such as logits; default none. */
  readonly outputs?: readonly string[]
}

export interface Gradient {
  /** Gives the loss, the further outputs, then one gradient for each trainable value. */
  readonly graph: Graph
  /** The output that holds the gradient of each trainable value. */
  readonly gradients: Readonly<Record<string, string>>
  /** For values between, where their whole gradient is in the graph; what `recompute` waits for. */
  readonly arrived: ReadonlyMap<string, string>
}

/**
 * A graph that computes a loss and its gradients, all in ordinary operators of ONNX.
 *
 * One walk backwards over the nodes between the trainable values and the loss; each rule appends
 * nodes, what arrives at a value from several sides is summed, broadcasting is undone. Nothing is
 * computed for what no trainable value reaches.
 *
 * @throws UserFault `E_GRAD_OP` an operator on the way has no rule (with its path to the trainable value)
 * @throws UserFault `E_GRAD_UNREACHED` the loss does not depend on a trainable value
 */
export function gradient(graph: Graph, options: GradientOptions): Gradient {
  const { loss, wrt, shapes } = options
  const opset = opsetOf(graph)
  if (opset < 16) {
    throw new UserFault(
      'E_GRAD_OPSET',
      `Gradients need opset 16 but the graph is of opset ${opset}.`,
      {
        fields: { opset },
        cure: 'Lift the graph first: liftOpset(graph, 17).',
      },
    )
  }
  for (const name of [loss, ...wrt]) {
    if (!hasValue(graph, name)) throw unknownValue(name)
  }
  const active = activeOf(graph, loss, wrt, shapes)
  const write = builder(graph, { prefix: 'grad' })
  const context = contextOf(graph, shapes, active, write)
  const found = walk(graph, options, active, context.builder)
  const gradients = nameOutputs(wrt, found, context.builder)
  return {
    graph: finish(write.graph(), context.widened, options, gradients),
    gradients,
    arrived: wholeOnes(found, context.builder),
  }
}

function wholeOnes(found: ReadonlyMap<string, Value>, g: GradBuilder): ReadonlyMap<string, string> {
  const whole = [...found].filter(([name, value]) => sameDims(value.dims, g.value(name).dims))
  return new Map(whole.map(([name, value]) => [name, value.name]))
}

/** A name of its own for each gradient; a copy only where one is a constant or already an output. */
function nameOutputs(
  wrt: readonly string[],
  found: ReadonlyMap<string, Value>,
  g: GradBuilder,
): Record<string, string> {
  const gradients: Record<string, string> = {}
  const used = new Set<string>()
  const made = indexOf(g.builder.graph()).producer
  for (const name of wrt) {
    const value = found.get(name)
    if (value === undefined) throw new Bug('E_GRAD_LOST', `No gradient arrived at "${name}".`)
    const full = g.full(value, name)
    const own = full.name.startsWith(g.builder.prefix) && (full !== value || made.has(full.name))
    const output = own && !used.has(full.name) ? full.name : g.map('Identity', full).name
    used.add(output)
    gradients[name] = output
  }
  return gradients
}

function unknownValue(name: string): UserFault {
  return new UserFault('E_GRAD_VALUE', `The graph has no value "${name}".`, {
    fields: { value: name },
  })
}

interface Context {
  readonly builder: GradBuilder
  /** Nodes of the forward graph that were asked for further outputs. */
  readonly widened: ReadonlyMap<Node, readonly string[]>
}

function contextOf(graph: Graph, shapes: Shapes, active: Active, write: Builder): Context {
  const widened = new Map<Node, readonly string[]>()
  const typeOf = (name: string): TensorType => {
    const known = shapes.get(name)
    if (known !== undefined) return known
    const constant = initializerOf(graph, name)
    if (constant !== undefined) return constant
    throw new UserFault('E_GRAD_SHAPE', `The shape of "${name}" is not known.`, {
      fields: { value: name },
      cure: 'Give concrete sizes for every input; sizes that depend on data cannot be differentiated.',
    })
  }
  const formulas = algebra(write)
  const g: GradBuilder = {
    ...formulas,
    value: (name) => {
      const { type, dims } = typeOf(name)
      return { name, type, dims }
    },
    constantOf: (name) => initializerOf(graph, name),
    wanted: (name) => active.values.has(name),
    outputsOf: (node, count) => {
      const names = widened.get(node) ?? node.outputs
      const all = Array.from({ length: count }, (_, i) => names[i] || write.fresh(`${node.op}_out`))
      widened.set(node, [...all, ...names.slice(count)])
      return all
    },
    full: (gradient, name) => formulas.expand(gradient, typeOf(name).dims),
    refuse: (node, why) => {
      throw new UserFault('E_GRAD_OP', `${nodeTitle(node)} has no gradient ${why}.`, {
        fields: { op: node.op, domain: node.domain, node: node.name },
      })
    },
  }
  return { builder: g, widened }
}

function walk(
  graph: Graph,
  options: GradientOptions,
  active: Active,
  g: GradBuilder,
): ReadonlyMap<string, Value> {
  const arrived = new Map<string, Value>()
  const seed = g.value(options.loss)
  if (sizeOf(seed.dims) !== 1) {
    throw new UserFault(
      'E_GRAD_LOSS',
      `The loss "${seed.name}" has shape [${seed.dims.join(', ')}].`,
      {
        fields: { loss: seed.name, dims: seed.dims },
        cure: 'Reduce it to one number first.',
      },
    )
  }
  arrived.set(seed.name, g.constant([1], seed.dims, seed))
  for (const node of active.nodes.toReversed()) {
    const out = node.outputs.map((name) => arrived.get(name) ?? null)
    if (out.every((value) => value === null)) continue
    const rule = ruleOf(node.op, node.domain)
    if (rule === undefined) throw noRule(graph, node, options, active)
    const ready = lazyOps.has(node.op)
      ? out
      : out.map((v, i) => v && g.full(v, node.outputs[i] ?? ''))
    rule(node, ready, g).forEach((value, i) => {
      const name = node.inputs[i] ?? ''
      if (value === null || !active.values.has(name)) return
      checkFits(node, value, g.value(name))
      const before = arrived.get(name)
      arrived.set(name, before === undefined ? value : g.add(before, value))
    })
  }
  return arrived
}

/** Rules are tested for it; a gradient of the wrong shape must never reach the runtime. */
function checkFits(node: Node, gradient: Value, value: Value): void {
  const shift = value.dims.length - gradient.dims.length
  const fits = shift >= 0 && gradient.dims.every((d, k) => d === 1 || d === value.dims[k + shift])
  if (!fits || gradient.type !== value.type) {
    throw new Bug(
      'E_GRAD_RULE',
      `The rule of ${nodeTitle(node)} gave ${gradient.type}[${gradient.dims.join(', ')}] for "${value.name}", ` +
        `which is ${value.type}[${value.dims.join(', ')}].`,
    )
  }
}

function noRule(graph: Graph, node: Node, options: GradientOptions, active: Active): UserFault {
  const path = pathToTrainable(graph, node, active.values, new Set(options.wrt))
  const title = nodeTitle(node, indexOf(graph).position.get(node))
  return new UserFault('E_GRAD_OP', `${title} has no gradient. Path: ${path.join(' <- ')}.`, {
    fields: { op: node.op, domain: node.domain, node: node.name, path },
    cure: 'Lower the graph first; if it was, this operator needs a rule.',
  })
}

function finish(
  graph: Graph,
  widened: ReadonlyMap<Node, readonly string[]>,
  options: GradientOptions,
  gradients: Readonly<Record<string, string>>,
): Graph {
  const nodes = graph.nodes.map((node) => {
    const outputs = widened.get(node)
    return outputs === undefined || sameNames(outputs, node.outputs)
      ? node
      : withNode(node, { outputs })
  })
  const names = [options.loss, ...(options.outputs ?? []), ...Object.values(gradients)]
  const types = new Map(
    Object.entries(gradients).map(([name, output]) => [output, options.shapes.get(name)]),
  )
  const outputs = [...new Set(names)].map((name) => {
    const known = types.get(name) ?? options.shapes.get(name)
    return known === undefined ? { name } : { name, type: known.type, shape: known.dims }
  })
  return prune(withParts(graph, { nodes, outputs }))
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i])
}
