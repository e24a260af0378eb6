import type * as Runtime from 'onnxruntime-node'
import type { InferenceSession, Tensor as RuntimeTensor } from 'onnxruntime-node'
import { expected, Unavailable, UserFault } from '../base/index.ts'
import type { ElementType, TypedArray } from './element-types.ts'
import { byteLengthOf, elementTypes } from './element-types.ts'
import type { Dim, ValueInfo } from './graph.ts'
import { valueInfo } from './graph.ts'
import type { SessionOptions } from './session-options.ts'
import { runtimeOptions } from './session-options.ts'
import { sizeOf } from './tensor.ts'
import type { LeanModel } from './write-model.ts'

/** What goes into a run and comes out of it: row-major elements, as in `Tensor`, or texts. */
export interface RunTensor {
  readonly type: ElementType
  readonly dims: readonly number[]
  readonly data: TypedArray | readonly string[]
}

export type RunTensors = Readonly<Record<string, RunTensor>>

export interface RunOptions {
  /** Outputs that are wanted; default all. */
  readonly fetch?: readonly string[]
  /** Gives the feeds' memory to the worker instead of copying it: their arrays are empty afterwards. */
  readonly transfer?: boolean
  readonly signal?: AbortSignal
}

/** A model that is ready to run. */
export interface Session extends AsyncDisposable {
  readonly inputs: readonly ValueInfo[]
  readonly outputs: readonly ValueInfo[]
  /**
   * Runs the model.
   *
   * @throws UserFault `E_ARGUMENT` for feeds that do not fit, `E_ONNX_RUN` when the runtime gives up
   */
  run(feeds: RunTensors, options?: RunOptions): Promise<RunTensors>
  /** Gives the memory back; running afterwards is an error. */
  close(): Promise<void>
}

/**
 * Opens a session in this thread: fastest to start, but creating and running block the event loop.
 *
 * @throws UserFault `E_ONNX_REFUSED` with the runtime's reason; Unavailable `E_ONNX_RUNTIME` when the
 *   runtime is not installed for this machine, `E_ONNX_PROVIDER` when the provider does not work here
 */
export async function openHere(
  model: LeanModel,
  options: SessionOptions & { readonly signal?: AbortSignal } = {},
): Promise<Session> {
  options.signal?.throwIfAborted()
  const runtime = await loadRuntime()
  const settings = runtimeOptions(options, model.folder)
  let session: InferenceSession
  try {
    session = await runtime.InferenceSession.create(model.bytes, settings)
  } catch (cause) {
    throw refusal(cause, options.provider)
  }
  let open = true
  const inputs = session.inputMetadata.map(toInfo)
  const outputs = session.outputMetadata.map(toInfo)
  const close = async (): Promise<void> => {
    if (!open) return
    open = false
    await session.release()
  }
  return Object.freeze({
    inputs: Object.freeze(inputs),
    outputs: Object.freeze(outputs),
    run: async (feeds: RunTensors, run: RunOptions = {}) => {
      run.signal?.throwIfAborted()
      if (!open) throw closed()
      checkFeeds(feeds, inputs)
      const fetch = run.fetch ?? session.outputNames
      checkFetch(fetch, session.outputNames)
      try {
        const given = Object.entries(feeds).map(([name, tensor]) => [
          name,
          toRuntime(runtime, tensor),
        ])
        const results = await session.run(Object.fromEntries(given), [...fetch])
        return Object.fromEntries(
          fetch.flatMap((name) => {
            const result = results[name]
            return result === undefined ? [] : [[name, fromRuntime(result)]]
          }),
        )
      } catch (cause) {
        throw runFailure(cause)
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  })
}

async function loadRuntime(): Promise<typeof Runtime> {
  try {
    return await import('onnxruntime-node')
  } catch (cause) {
    throw new Unavailable(
      'E_ONNX_RUNTIME',
      `onnxruntime-node cannot be loaded on ${process.platform} ${process.arch}.`,
      {
        cause,
        cure: 'Install it with "npm install onnxruntime-node", or use a supported machine.',
      },
    )
  }
}

function toInfo(metadata: InferenceSession.ValueMetadata): ValueInfo {
  if (!metadata.isTensor) return valueInfo(metadata.name)
  const shape = metadata.shape.map((dim): Dim => (dim === '' ? null : dim))
  return valueInfo(metadata.name, metadata.type as ElementType, shape)
}

function toRuntime(runtime: typeof Runtime, { type, data, dims }: RunTensor): RuntimeTensor {
  if (type !== 'float16') {
    return new runtime.Tensor(type as 'float32', data as Float32Array, dims)
  }
  // The runtime would make a Float16Array of it, which its own native side cannot read (1.30, Node 24).
  const patterns = new runtime.Tensor('uint16', data as Uint16Array, dims)
  return Object.assign(patterns, { type }) as unknown as RuntimeTensor
}

function fromRuntime(tensor: RuntimeTensor): RunTensor {
  const { data } = tensor
  const type = tensor.type as ElementType
  const { array } = elementTypes[type]
  const plain =
    Array.isArray(data) || data instanceof array
      ? data
      : // Half floats come as Float16Array where the engine has it; ours are patterns.
        new array(data.buffer, data.byteOffset, data.byteLength / array.BYTES_PER_ELEMENT)
  return { type, dims: tensor.dims, data: plain as TypedArray }
}

/** Throws unless every input is fed with a tensor of its type and shape. */
export function checkFeeds(feeds: RunTensors, inputs: readonly ValueInfo[]): void {
  for (const input of inputs) {
    const tensor = Object.hasOwn(feeds, input.name) ? feeds[input.name] : undefined
    const name = `input "${input.name}"`
    if (tensor === undefined) throw expected('a tensor', name, undefined)
    if (input.type !== undefined && tensor.type !== input.type) {
      throw expected(input.type, name, tensor.type)
    }
    const { dims, data, type } = tensor
    const fits =
      input.shape === undefined ||
      (input.shape.length === dims.length &&
        input.shape.every((dim, i) => typeof dim !== 'number' || dim === dims[i]))
    if (!fits) throw expected(`dims [${input.shape?.join(', ')}]`, name, `[${dims.join(', ')}]`)
    const { bits, array } = elementTypes[type]
    if (type === 'string' ? !Array.isArray(data) : !(data instanceof array)) {
      throw expected(type === 'string' ? 'a list of texts' : array.name, `${name} of ${type}`, data)
    }
    const count = bits === 4 ? byteLengthOf(type, sizeOf(dims)) : sizeOf(dims)
    if (data.length !== count) {
      throw expected(`${count} elements for [${dims.join(', ')}]`, name, data.length)
    }
  }
  const known = new Set(inputs.map((input) => input.name))
  for (const name of Object.keys(feeds)) {
    if (!known.has(name)) {
      throw expected(`one of the inputs ${[...known].join(', ')}`, 'a feed', name)
    }
  }
}

function checkFetch(fetch: readonly string[], known: readonly string[]): void {
  for (const name of fetch) {
    if (!known.includes(name)) throw expected(`one of ${known.join(', ')}`, 'an output', name)
  }
}

function closed(): UserFault {
  return new UserFault('E_ONNX_CLOSED', 'The session was closed.', {
    cure: 'Open it again.',
  })
}

function refusal(cause: unknown, provider = 'cpu'): UserFault | Unavailable {
  const reason = cause instanceof Error ? cause.message : String(cause)
  if (provider !== 'cpu' && /shared library|adapter|ExecutionProvider/i.test(reason)) {
    return new Unavailable(
      'E_ONNX_PROVIDER',
      `The provider ${provider} does not work here: ${reason}`,
      {
        fields: { provider, reason },
        cause,
        cure: 'Use provider "cpu", or install what the provider needs.',
      },
    )
  }
  return new UserFault('E_ONNX_REFUSED', `The runtime refuses the model: ${reason}`, {
    fields: { reason },
    cause,
    cure: 'Check the model with "pupil onnx check".',
  })
}

function runFailure(cause: unknown): UserFault {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new UserFault('E_ONNX_RUN', `The model does not run on these inputs: ${reason}`, {
    fields: { reason },
    cause,
    cure: 'Compare the shapes of the inputs with what the model wants.',
  })
}
