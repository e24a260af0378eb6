import { isFault, Unavailable } from '../../../base/index.ts'
import type { Clock } from '../../../base/index.ts'
import { systemClock } from '../../../base/index.ts'
import type { ControllerClient } from './controller-client.ts'
import { postJson } from './post.ts'
import type { PostOptions } from './post.ts'
import type { PythonDict, PythonValue } from './python-value.ts'
import { isDict, numberOf } from './python-value.ts'
import { ERROR_CODES, SERVER_ERROR } from './strings.ts'

/** Where tool workers are found: a controller, or fixed addresses by name. */
export interface RemoteTools {
  /**
   * Calls a tool worker. A call that ended in 500 or hung is not tried again: the reference loses one of
   * its five permits each time. Its worker is avoided for a while.
   *
   * @throws Unavailable `T_REMOTE`, `T_REMOTE_TOOL` with the worker's own reason, `T_NOT_REGISTERED`
   */
  call(worker: string, body: PythonDict, options?: PostOptions): Promise<PythonDict>
  /** Names that can be called now. */
  names(options?: PostOptions): Promise<readonly string[]>
}

export interface RemoteToolsOptions extends PostOptions {
  readonly controller?: ControllerClient
  /** Fixed addresses; they are asked before the controller. */
  readonly addresses?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** Milliseconds for which a sick worker is avoided; default 60 s. */
  readonly restMs?: number
}

/** Tool workers of the protocol as we call them (llava-plus §5.4, §6). */
export function remoteTools(options: RemoteToolsOptions): RemoteTools {
  const { controller, addresses = {}, clock = systemClock, restMs = 60_000 } = options
  const sick = new Map<string, { readonly until: number; readonly reason: string }>()
  const addressOf = async (worker: string, asked: PostOptions): Promise<string> => {
    const fixed = Object.hasOwn(addresses, worker) ? addresses[worker] : undefined
    if (fixed !== undefined) return fixed.replace(/\/+$/, '')
    if (controller === undefined) throw nowhere(worker, Object.keys(addresses))
    return controller.workerFor(worker, asked)
  }
  return {
    names: async (asked = {}) => {
      const known = controller === undefined ? [] : await controller.models(asked)
      return [...new Set([...Object.keys(addresses), ...known])].toSorted()
    },
    call: async (worker, body, asked = {}) => {
      const post = { ...options, ...asked }
      const address = await addressOf(worker, post)
      const known = sick.get(address)
      if (known !== undefined && clock.tick() < known.until) throw resting(worker, address, known)
      try {
        const reply = await postJson(`${address}/worker_generate`, body, post)
        sick.delete(address)
        return checked(worker, reply)
      } catch (error) {
        if (makesSick(error)) {
          const reason = error instanceof Error ? error.message : ''
          sick.set(address, { until: clock.tick() + restMs, reason })
        }
        throw error
      }
    },
  }
}

function makesSick(error: unknown): boolean {
  if (!isFault(error) || error.code !== 'T_REMOTE') return false
  const { status, hung, refused } = error.fields
  return hung === true || refused === true || (typeof status === 'number' && status >= 500)
}

function checked(worker: string, reply: PythonValue): PythonDict {
  if (!isDict(reply)) {
    throw new Unavailable('T_REMOTE_TOOL', `${worker} answered something that is no object.`, {
      fields: { worker },
      cure: 'Check that the address belongs to a tool worker.',
    })
  }
  const code = numberOf(reply.get('error_code'))
  if (code === undefined || code === 0) return reply
  const text = reply.get('text')
  const detail = typeof text === 'string' ? text.replace(SERVER_ERROR, '').trim() : ''
  const said = detail.replace(/^\((.*)\)$/s, '$1') || ERROR_CODES[code] || 'no reason was given'
  throw new Unavailable('T_REMOTE_TOOL', failureText(worker, said), {
    fields: { worker, error_code: code, reason: said },
    cure:
      code === 50002
        ? 'The accelerator of that worker has no memory left: use a smaller picture, or wait.'
        : 'Look into the log of that worker, or leave this skill out.',
  })
}

/** A composite worker shows a part's page or empty reply as a parser's message (llava-plus §6, row 18). */
function failureText(worker: string, said: string): string {
  return /Expecting value|JSONDecode|line 1 column 1/.test(said)
    ? `The part behind ${worker} failed: ${said}`
    : `${worker} failed: ${said}`
}

function nowhere(worker: string, known: readonly string[]): Unavailable {
  return new Unavailable('T_NOT_REGISTERED', `No worker for "${worker}" is configured.`, {
    fields: { name: worker, known },
    cure: 'Give its address, or a controller at which it is registered.',
  })
}

function resting(
  worker: string,
  address: string,
  { reason }: { readonly reason: string },
): Unavailable {
  return new Unavailable(
    'T_REMOTE_SICK',
    `${worker} at ${address} is left alone for a while, because its last call failed: ${reason}`,
    { fields: { worker, address }, cure: 'Restart that worker, or try later.' },
  )
}
