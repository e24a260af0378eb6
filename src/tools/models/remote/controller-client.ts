import { Unavailable } from '../../../base/index.ts'
import { postJson } from './post.ts'
import type { PostOptions } from './post.ts'
import { dict, isDict, isList } from './python-value.ts'
import type { PythonValue } from './python-value.ts'

/** A controller of the protocol, ours or the reference's, as we ask it. */
export interface ControllerClient {
  readonly address: string
  /** Lets it look at all its workers again. */
  refresh(options?: PostOptions): Promise<void>
  /** Names of what is registered, sorted. */
  models(options?: PostOptions): Promise<readonly string[]>
  /**
   * The address of the worker for a name.
   *
   * @throws Unavailable `T_NOT_REGISTERED` naming what is registered and where was asked; `T_REMOTE`
   */
  workerFor(name: string, options?: PostOptions): Promise<string>
}

/** Milliseconds for a question to the controller. */
const PATIENCE = 10_000

/**
 * Asks a controller; survives every reply of the reference's (llava-plus §5.1, golden `controller`).
 *
 * @param address  such as `http://127.0.0.1:21001`
 */
export function controllerClient(address: string, common: PostOptions = {}): ControllerClient {
  const base = address.replace(/\/+$/, '')
  const ask = (path: string, body: PythonValue | undefined, options: PostOptions = {}) =>
    postJson(`${base}${path}`, body, { timeoutMs: PATIENCE, ...common, ...options })
  const models = async (options?: PostOptions): Promise<readonly string[]> => {
    const reply = await ask('/list_models', undefined, options)
    const list = isDict(reply) ? reply.get('models') : undefined
    if (!isList(list)) throw odd(base, '/list_models', '{"models": […]}')
    return list.filter((one) => typeof one === 'string').toSorted()
  }
  return {
    address: base,
    refresh: async (options) => void (await ask('/refresh_all_workers', undefined, options)),
    models,
    workerFor: async (name, options) => {
      const reply = await ask('/get_worker_address', dict({ model: name }), options)
      const found = isDict(reply) ? reply.get('address') : undefined
      if (typeof found !== 'string') throw odd(base, '/get_worker_address', '{"address": …}')
      if (found === '') throw notRegistered(name, base, await models(options))
      if (!/^https?:\/\//.test(found)) throw odd(base, '/get_worker_address', 'an http address')
      return found.replace(/\/+$/, '')
    },
  }
}

function odd(base: string, path: string, what: string): Unavailable {
  return new Unavailable('T_REMOTE', `${base}${path} gave something else than ${what}.`, {
    fields: { address: base, path },
    cure: 'Check that the address is a controller of this protocol.',
  })
}

function notRegistered(name: string, base: string, known: readonly string[]): Unavailable {
  const list = known.length === 0 ? 'nothing' : known.join(', ')
  return new Unavailable(
    'T_NOT_REGISTERED',
    `No worker for "${name}" is registered at ${base}; registered: ${list}.`,
    {
      fields: { name, address: base, known },
      cure: `Start a worker that registers "${name}" there.`,
    },
  )
}
