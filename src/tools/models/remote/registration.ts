import type { Abortable, Clock, Log } from '../../../base/index.ts'
import { silentLog, systemClock } from '../../../base/index.ts'
import { postJson } from './post.ts'
import type { Fetch } from './post.ts'
import { dict, isDict } from './python-value.ts'

/** What a worker tells a controller about itself. */
export interface WorkerStatus {
  readonly model_names: readonly string[]
  readonly speed: number
  readonly queue_length: number
}

export interface RegistrationOptions extends Abortable {
  readonly controller: string
  /** Our own address as the controller may call it. */
  readonly worker: string
  readonly status: () => WorkerStatus
  readonly clock?: Clock
  readonly log?: Log
  readonly fetch?: Fetch
  /** Milliseconds between heartbeats; default 15 s. */
  readonly beatMs?: number
  /** Milliseconds after a failure; default 5 s. */
  readonly retryMs?: number
}

/**
 * Registers a worker and keeps it registered until the signal fires: start order does not matter, a
 * controller that forgot it is told again.
 *
 * @returns when the signal has fired
 * @source llava-plus §5.2
 */
export async function keepRegistered(options: RegistrationOptions): Promise<void> {
  const { clock = systemClock, beatMs = 15_000, retryMs = 5_000, signal, log = silentLog } = options
  let registered = false
  const stopped = (): boolean => signal?.aborted === true
  while (!stopped()) {
    try {
      if (registered) registered = await beat(options)
      if (!registered) {
        await register(options)
        registered = true
      }
      await clock.sleep(beatMs, signal)
    } catch (error) {
      if (stopped()) return
      log.warn('the controller did not answer', { controller: options.controller, error })
      try {
        await clock.sleep(retryMs, signal)
      } catch {
        return // stopped while waiting
      }
    }
  }
}

async function register({
  controller,
  worker,
  status,
  ...rest
}: RegistrationOptions): Promise<void> {
  const body = dict({ worker_name: worker, check_heart_beat: true, worker_status: { ...status() } })
  await postJson(`${controller}/register_worker`, body, { timeoutMs: 5_000, ...postOptions(rest) })
}

async function beat({
  controller,
  worker,
  status,
  ...rest
}: RegistrationOptions): Promise<boolean> {
  const body = dict({ worker_name: worker, queue_length: status().queue_length })
  const reply = await postJson(`${controller}/receive_heart_beat`, body, {
    timeoutMs: 5_000,
    ...postOptions(rest),
  })
  return isDict(reply) && reply.get('exist') === true
}

function postOptions({ fetch, signal }: Pick<RegistrationOptions, 'fetch' | 'signal'>) {
  return { ...(fetch === undefined ? {} : { fetch }), ...(signal == null ? {} : { signal }) }
}
