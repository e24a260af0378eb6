import { statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import type { Abortable } from '../base/index.ts'
import { nearestNames, UserFault } from '../base/index.ts'
import type * as Onnx from '../onnx/index.ts'
import type { GraphProblem, Model, ModelSummary, Shapes } from '../onnx/index.ts'

/** An operator of a model, and what gradients do there. */
export interface OperatorUse {
  /** Empty for ONNX itself. */
  readonly domain: string
  readonly op: string
  readonly count: number
  /**
   * `rule`: they pass; `flat`: they end, since small changes change nothing; `lowered`: it is written in
   * primitives first; `none`: differentiating through it is refused.
   */
  readonly gradient: 'rule' | 'flat' | 'lowered' | 'none'
}

export interface DifferentiateRequest {
  /** Value to descend; of one with several elements, the mean. */
  readonly loss: string
  /** Inputs, initialisers or values between that are trained. */
  readonly wrt: readonly string[]
  /** All sizes of each input that has free ones. */
  readonly sizes?: Readonly<Record<string, readonly number[]>>
  /** Where the graph is written; default nowhere. */
  readonly out?: string
}

/** What differentiating gave. */
export interface Differentiated {
  readonly loss: string
  /** The value that was named, when it has several elements and its mean is descended. */
  readonly meanOf?: string
  readonly gradients: readonly {
    readonly wrt: string
    readonly output: string
    readonly dims: readonly number[]
  }[]
  readonly nodes: { readonly forward: number; readonly all: number }
  readonly summary: ModelSummary
  readonly file?: string
}

/** ONNX files for doors: what they are, what is wrong with them, and their gradients. */
export interface ModelDesk {
  /** A summary, and the graph as a person reads it; `limit`: at most so many nodes. */
  show(
    path: string,
    options?: { readonly limit?: number },
  ): { readonly summary: ModelSummary; readonly text: string }
  /** Everything that is wrong, including with declared shapes when all sizes are known. */
  check(path: string, options?: Abortable): Promise<readonly GraphProblem[]>
  /** The most frequent first. */
  operators(path: string): readonly OperatorUse[]
  /** @throws UserFault `E_GRAD_*` for what has no gradient; Unavailable when `out` cannot be written */
  differentiate(
    path: string,
    request: DifferentiateRequest,
    options?: Abortable,
  ): Promise<Differentiated>
}

/**
 * Opens the desk; it needs no configuration.
 *
 * Its functions throw UserFault `E_ONNX_*` for files that are missing, damaged or refused.
 */
export async function openModelDesk(): Promise<ModelDesk> {
  const onnx = await import('../onnx/index.ts')
  const read = (path: string): Model => {
    mustHoldBytes(path)
    return onnx.readModel(path)
  }
  return {
    show: (path, options = {}) => {
      const model = read(path)
      return { summary: onnx.describeModel(model), text: onnx.modelText(model, options) }
    },
    check: (path, options) => problems(onnx, read(path), options),
    operators: (path) => operators(onnx, read(path)),
    differentiate: (path, request, options) => differentiate(onnx, read(path), request, options),
  }
}

/** @throws UserFault `E_ONNX_DAMAGED` for what is no file or an empty one */
function mustHoldBytes(path: string): void {
  const found = statOf(path)
  if (found === undefined || (found.isFile() && found.size > 0)) return
  const what = found.isDirectory() ? 'a folder' : found.isFile() ? 'empty (0 bytes)' : 'no file'
  throw new UserFault('E_ONNX_DAMAGED', `${path} is ${what}.`, {
    fields: { file: path },
    cure: 'Give the path of an ONNX file.',
  })
}

/** Saving puts a finished file in the place of an old one, and must not replace anything else. */
function mustBeReplaceable(path: string): void {
  const found = statOf(path)
  if (found === undefined || found.isFile()) return
  throw new UserFault('E_FILE', `${path} cannot be written: it is no file.`, {
    fields: { path },
    cure: 'Give the path of a new file, or of one to replace.',
  })
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

async function problems(
  onnx: typeof Onnx,
  model: Model,
  { signal }: Abortable = {},
): Promise<readonly GraphProblem[]> {
  const found = onnx.describeModel(model).problems
  const sized = model.graph.inputs.every((input) =>
    input.shape?.every((size) => typeof size === 'number'),
  )
  if (found.length > 0 || !sized) return found
  const shapes = await onnx.inferShapes(model, { unresolved: 'skip', thread: 'here', signal })
  return onnx.shapeProblemsOf(model.graph, shapes)
}

const keyOf = ({ domain, op }: Pick<OperatorUse, 'domain' | 'op'>): string => `${domain}:${op}`

function operators(onnx: typeof Onnx, model: Model): readonly OperatorUse[] {
  const remaining = new Set(onnx.operatorCounts(onnx.lower(model).graph).map(keyOf))
  const gradient = (use: Pick<OperatorUse, 'domain' | 'op'>): OperatorUse['gradient'] => {
    if (onnx.ruleOf(use.op, use.domain) !== undefined) return 'rule'
    if (use.domain === '' && onnx.flatOps.has(use.op)) return 'flat'
    return remaining.has(keyOf(use)) ? 'none' : 'lowered'
  }
  return onnx.operatorCounts(model.graph).map((use) => ({ ...use, gradient: gradient(use) }))
}

async function differentiate(
  onnx: typeof Onnx,
  model: Model,
  { loss: wanted, wrt, sizes = {}, out }: DifferentiateRequest,
  { signal }: Abortable = {},
): Promise<Differentiated> {
  const { inputs } = onnx.checkModel(model).graph
  if (out !== undefined) mustBeReplaceable(out)
  mustKnow(Object.keys(sizes), new Set(inputs.map(({ name }) => name)), 'input')
  mustBeSized(inputs.filter(({ name }) => sizes[name] === undefined))
  const prepared = await onnx.prepare(model, sizes, { thread: 'here', signal })
  mustKnow([wanted, ...wrt], new Set(prepared.shapes.keys()), 'value')
  const { graph, loss, shapes } = withLoss(onnx, prepared, wanted)
  const made = onnx.gradient(graph, { loss, wrt, shapes })
  const whole = onnx.withGraph(prepared.model, made.graph)
  if (out !== undefined) await onnx.saveModel(whole, out, { signal })
  return {
    loss,
    ...(loss === wanted ? {} : { meanOf: wanted }),
    gradients: wrt.map((name) => ({
      wrt: name,
      output: made.gradients[name] ?? '',
      dims: shapes.get(name)?.dims ?? [],
    })),
    nodes: { forward: prepared.model.graph.nodes.length, all: made.graph.nodes.length },
    summary: onnx.describeModel(whole),
    ...(out === undefined ? {} : { file: out }),
  }
}

function mustBeSized(inputs: Model['graph']['inputs']): void {
  const free = inputs.find(({ shape }) => shape?.some((size) => typeof size !== 'number'))
  if (free === undefined) return
  const example = free.shape?.map((size) => (typeof size === 'number' ? size : 1)).join('x')
  throw new UserFault('E_ONNX_SIZES', `The input "${free.name}" has free sizes.`, {
    fields: { input: free.name, shape: free.shape },
    cure: `Give all of them, such as --size ${free.name}=${example}.`,
  })
}

/** The loss as one element: the value itself, or its mean, appended. */
function withLoss(
  onnx: typeof Onnx,
  { model, shapes }: { readonly model: Model; readonly shapes: Shapes },
  wanted: string,
) {
  const { graph } = model
  const found = shapes.get(wanted)
  if (found === undefined || found.dims.every((size) => size === 1)) {
    return { graph, loss: wanted, shapes }
  }
  const b = onnx.builder(graph, { prefix: 'loss' })
  const loss = onnx.weightedMean(b, wanted)
  return {
    ...{ graph: b.graph(), loss },
    shapes: new Map([...shapes, [loss, { type: found.type, dims: [] }]]),
  }
}

function mustKnow(names: readonly string[], known: ReadonlySet<string>, kind: string): void {
  const unknown = names.find((name) => !known.has(name))
  if (unknown === undefined) return
  const near = nearestNames(unknown, known)
  throw new UserFault('E_GRAD_VALUE', `The model has no ${kind} "${unknown}".`, {
    fields: { [kind]: unknown, near },
    cure:
      near.length > 0
        ? `Did you mean ${near.join(' or ')}?`
        : `Its ${kind}s are listed by "pupil onnx show".`,
  })
}
