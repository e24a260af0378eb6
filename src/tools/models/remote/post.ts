import { isFault, Unavailable } from '../../../base/index.ts'
import type { Abortable } from '../../../base/index.ts'
import { readPython } from './python-read.ts'
import type { PythonValue } from './python-value.ts'
import { compactJson } from './python-write.ts'

/** How requests leave the house; tests give their own. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

export interface PostOptions extends Abortable {
  readonly fetch?: Fetch
  /** Milliseconds for the whole call; default 120 s. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 120_000
const MOST_REPLY_BYTES = 64 * 2 ** 20

/**
 * Posts JSON to a worker or controller and reads JSON back.
 *
 * @throws Unavailable `T_REMOTE` when the other side refuses, hangs, answers a status that is no success or
 *   a body that is no JSON: its status and first line are the reason; the signal's reason
 */
export async function postJson(
  address: string,
  body: PythonValue | undefined,
  options: PostOptions = {},
): Promise<PythonValue> {
  const { timeoutMs = TIMEOUT_MS, signal } = options
  const limit = AbortSignal.timeout(timeoutMs)
  const both = signal == null ? limit : AbortSignal.any([signal, limit])
  try {
    const response = await post(address, body, { ...options, signal: both })
    return readReply(address, response, await limited(response))
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    if (limit.aborted) throw hung(address, timeoutMs)
    throw error
  }
}

/** Posts JSON and gives the response as it comes. @throws Unavailable `T_REMOTE` when nothing answers */
export async function post(
  address: string,
  body: PythonValue | undefined,
  { fetch: send = fetch, signal }: PostOptions = {},
): Promise<Response> {
  try {
    return await send(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Pupil Client' },
      ...(body === undefined ? {} : { body: compactJson(body) }),
      ...(signal === undefined ? {} : { signal }),
      // A worker that sends us elsewhere is not followed: its address comes from the configuration.
      redirect: 'manual',
    })
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    throw new Unavailable('T_REMOTE', `${address} does not answer: ${reasonOf(error)}.`, {
      fields: { address, refused: true },
      cure: 'Start the worker, or correct its address.',
      cause: error,
    })
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code !== '') return code
  return error instanceof Error ? error.message : String(error)
}

async function limited(response: Response): Promise<string> {
  const length = Number(response.headers.get('content-length') ?? 0)
  if (length > MOST_REPLY_BYTES) {
    await response.body?.cancel()
    return ''
  }
  return response.text()
}

function readReply(address: string, { ok, status }: Response, text: string): PythonValue {
  if (!ok) throw badStatus(address, status, text)
  try {
    return readPython(text)
  } catch (error) {
    if (!isFault(error) || error.code !== 'E_WIRE_JSON') throw error
    throw new Unavailable('T_REMOTE', `${address} answered no JSON: ${firstLine(text)}`, {
      fields: { address, status, body: text.slice(0, 200) },
      cure: 'Check that the address is a worker of this protocol and not a page or a proxy.',
    })
  }
}

/** The failure of a status that is no success: the status and the first line of the body are the reason. */
export function badStatus(address: string, status: number, text: string): Unavailable {
  return new Unavailable('T_REMOTE', `${address} answered ${status}: ${firstLine(text)}`, {
    fields: { address, status, body: text.slice(0, 200) },
    cure:
      status >= 500
        ? 'The reason stands in the log of that worker; it may need a restart.'
        : 'Check that the address is a worker of this protocol.',
  })
}

function hung(address: string, ms: number): Unavailable {
  return new Unavailable('T_REMOTE', `${address} gave no reply within ${ms / 1000} s.`, {
    fields: { address, timeoutMs: ms, hung: true },
    cure: 'A worker that lost all its permits hangs on every call: restart it, or allow more time.',
  })
}

function firstLine(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? ''
  return line === '' ? '(no text)' : line.slice(0, 160)
}
