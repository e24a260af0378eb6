import { expected } from '../../../base/index.ts'
import type { WorkerStatus } from './worker-table.ts'

/** How the controller reaches workers; tests give their own. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

const PATIENCE_MS = 5_000

/** What a worker says of itself within five seconds. @throws what fetch throws; UserFault `E_ARGUMENT` */
export async function askStatus(send: Fetch, address: string): Promise<WorkerStatus> {
  const response = await send(`${address}/worker_get_status`, {
    ...{ method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) },
  })
  if (!response.ok) throw expected('status 200', `${address}/worker_get_status`, response.status)
  return readStatus(await response.json())
}

/** A status out of JSON. @throws UserFault `E_ARGUMENT` */
export function readStatus(value: unknown): WorkerStatus {
  const status = (value ?? {}) as Readonly<Record<string, unknown>>
  const names = status['model_names']
  const { speed, queue_length: queue } = status
  const isList = Array.isArray(names) && names.every((one) => typeof one === 'string')
  if (!isList) throw expected('a list of texts', 'worker_status.model_names', names)
  if (typeof speed !== 'number') throw expected('a number', 'worker_status.speed', speed)
  if (typeof queue !== 'number') throw expected('a number', 'worker_status.queue_length', queue)
  return { model_names: names as readonly string[], speed, queue_length: queue }
}

/** Why a request to a worker failed, in a few words. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return error instanceof Error ? error.message : String(error)
}
