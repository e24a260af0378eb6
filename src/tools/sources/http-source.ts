import type { Abortable, Clock } from '../../base/index.ts'
import { isAbort, isFault } from '../../base/index.ts'
import { sourceFault } from './provider.ts'
import type { FaultReason } from './provider.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** How a service is asked: its address, what goes with each request, how often. */
export interface HttpSourceOptions {
  /** The provider's id, for errors. */
  readonly id: string
  readonly headers?: Readonly<Record<string, string>>
  /** Default the platform's. */
  readonly fetch?: Fetch
  /** Requests a minute; the next one waits. Default no limit. */
  readonly perMinute?: number
  readonly clock: Clock
  /** Default 5 MB. */
  readonly maxBytes?: number
  /** A status that means something particular here. */
  readonly statuses?: Readonly<
    Record<number, { readonly reason: FaultReason; readonly cure: string }>
  >
  /** Never shown: taken out of every error text. */
  readonly secret?: string
}

export interface HttpSource {
  /** JSON of a reply. @throws Unavailable `E_TOOL` by what came */
  json(url: string, init?: RequestInit & Abortable): Promise<unknown>
  text(url: string, init?: RequestInit & Abortable): Promise<string>
}

/**
 * A configured service, asked one request at a time, politely; every failure is named.
 *
 * @source avis §7 (kinds), §11 (manners)
 */
export function httpSource(options: HttpSourceOptions): HttpSource {
  const { fetch = globalThis.fetch, clock, perMinute } = options
  let last = -Infinity
  let line: Promise<unknown> = Promise.resolve()
  const gap = perMinute === undefined ? 0 : 60_000 / perMinute

  const turn = async (signal: AbortSignal | undefined): Promise<void> => {
    const wait = last + gap - clock.tick()
    if (wait > 0) await clock.sleep(wait, signal)
    last = clock.tick()
  }
  const ask = async (
    url: string,
    init: RequestInit & Abortable,
    accept: string,
  ): Promise<string> => {
    const { signal } = init
    signal?.throwIfAborted()
    const headers = {
      accept,
      ...options.headers,
      ...(init.headers as Record<string, string> | undefined),
    }
    let response: Response
    try {
      response = await fetch(url, { ...init, headers, redirect: 'manual', signal: signal ?? null })
    } catch (cause) {
      throw networkFault(options, cause, signal)
    }
    if (!response.ok) throw await statusFault(options, response)
    return readBody(options, response, signal)
  }
  const queued = (url: string, init: RequestInit & Abortable, accept: string): Promise<string> => {
    const work = line.then(async () => {
      await turn(init.signal ?? undefined)
      return ask(url, init, accept)
    })
    line = work.catch(() => {})
    return work
  }
  return {
    text: (url, init = {}) => queued(url, init, '*/*'),
    json: async (url, init = {}) => {
      const body = await queued(url, init, 'application/json')
      try {
        return JSON.parse(body) as unknown
      } catch (cause) {
        throw sourceFault(options.id, 'bad-response', 'the reply is not the JSON it promised', {
          ...{ cause, body: hidden(options, body) },
        })
      }
    },
  }
}

function networkFault(options: HttpSourceOptions, cause: unknown, signal?: AbortSignal | null) {
  if (signal?.aborted === true) return signal.reason as Error
  if (isFault(cause) || isAbort(cause)) return cause
  const inner = cause instanceof Error ? (cause.cause ?? cause) : cause
  const code = (inner as NodeJS.ErrnoException | undefined)?.code
  const detail = code ?? (inner instanceof Error ? inner.message : String(inner))
  return sourceFault(options.id, 'network', `no connection (${hidden(options, detail)})`, { cause })
}

async function statusFault(options: HttpSourceOptions, response: Response) {
  const { status } = response
  const body = hidden(options, (await response.text().catch(() => '')).slice(0, 200))
  const known = options.statuses?.[status]
  const told = retryAfterMs(response.headers.get('retry-after'), options.clock.now())
  const more = { body, ...(told === undefined ? {} : { retryAfter: told }) }
  if (known !== undefined) {
    return sourceFault(options.id, known.reason, `status ${status}`, { ...more, cure: known.cure })
  }
  return sourceFault(options.id, reasonOfStatus(status, told), `status ${status}`, more)
}

function reasonOfStatus(status: number, retryAfter: number | undefined): FaultReason {
  if (status === 429 || (status === 503 && retryAfter !== undefined)) return 'rate-limited'
  if (status === 401 || status === 403) return 'auth'
  if (status === 402) return 'quota'
  if (status === 413) return 'too-large'
  if (status >= 300 && status < 400) return 'blocked'
  return status >= 500 ? 'server' : 'bad-response'
}

/** The header as milliseconds from now: a number of seconds, or a date. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

async function readBody(
  options: HttpSourceOptions,
  response: Response,
  signal?: AbortSignal | null,
): Promise<string> {
  const { maxBytes = 5_000_000, id } = options
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxBytes) throw sourceFault(id, 'too-large', `more than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
  } catch (cause) {
    throw networkFault(options, cause, signal)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function hidden({ secret }: HttpSourceOptions, text: string): string {
  return secret === undefined || secret === '' ? text : text.replaceAll(secret, '***')
}

/** An address with its query; what is undefined is left out. */
export function withQuery(
  base: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const url = new URL(base)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.href
}
