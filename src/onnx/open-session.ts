import type { Model } from './graph.ts'
import { readModel } from './read-model.ts'
import { SessionHost } from './session-host.ts'
import type { SessionOptions } from './session-options.ts'
import type { Session } from './session.ts'
import { openHere } from './session.ts'
import type { LeanModel } from './write-model.ts'
import { writeLean } from './write-model.ts'

export interface OpenSessionOptions extends SessionOptions {
  /**
   * Where it runs: in a worker thread (default), in this thread (fastest to start, blocks while it
   * works), or in a host that holds several sessions.
   */
  readonly thread?: 'worker' | 'here' | SessionHost
  readonly signal?: AbortSignal
}

/**
 * Opens a session for a model, or for the file at a path. Weights that lie in files are mapped from
 * there, never copied.
 *
 * @throws UserFault `E_ONNX_MISSING` for a file that is not there, `E_ONNX_REFUSED` with the runtime's
 *   reason, and what `readModel` throws
 */
export async function openSession(
  model: Model | string,
  options: OpenSessionOptions = {},
): Promise<Session> {
  options.signal?.throwIfAborted()
  return openLean(writeLean(typeof model === 'string' ? readModel(model) : model), options)
}

/** The same for a model that is written already. */
export async function openLean(
  lean: LeanModel,
  options: OpenSessionOptions = {},
): Promise<Session> {
  const { thread = 'worker', ...rest } = options
  rest.signal?.throwIfAborted()
  if (thread === 'here') return openHere(lean, rest)
  if (thread instanceof SessionHost) return thread.open(lean, rest)
  const host = new SessionHost()
  try {
    const session = await host.open(lean, rest)
    const close = async (): Promise<void> => {
      await session.close()
      await host.close()
    }
    return Object.freeze({ ...session, close, [Symbol.asyncDispose]: close })
  } catch (error) {
    await host.close()
    throw error
  }
}
