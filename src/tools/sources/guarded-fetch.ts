import { lookup as dnsLookup } from 'node:dns/promises'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Abortable } from '../../base/index.ts'
import { isLoopback, isPublicAddress } from './public-address.ts'
import { sourceFault } from './provider.ts'

/** A resolved address of a name. */
export interface Address {
  readonly address: string
  readonly family: number
}

export interface GuardOptions {
  /** Sent with every request: what we are and whom to write to. */
  readonly userAgent: string
  /** Default 3. */
  readonly maxRedirects?: number
  /** Bytes after unpacking; default 2 MB. */
  readonly maxBytes?: number
  /** Only https; default true for addresses that are not loopback. */
  readonly httpsOnly?: boolean
  /** For tests alone: servers on this machine may be asked, on any port. */
  readonly allowLoopback?: boolean
  /** How names become addresses; default the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly Address[]>
}

export interface Fetched {
  /** Where it came from, after redirects. */
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface FetchOptions extends Abortable {
  readonly headers?: Readonly<Record<string, string>>
  readonly maxBytes?: number
}

export type GuardedFetch = (url: string, options?: FetchOptions) => Promise<Fetched>

/**
 * Fetches what strangers named: http(s) on its usual ports, names resolved and every address checked, the
 * connection pinned to the checked one, each redirect checked anew, size limited after unpacking.
 *
 * @throws Unavailable `E_TOOL`: `blocked` before anything is sent; `too-large`, `network`
 * @source avis §14 (address guard); product §6
 */
export function guardedFetch(options: GuardOptions): GuardedFetch {
  const { maxRedirects = 3 } = options
  return async (start, more = {}) => {
    let url = start
    for (let hop = 0; ; hop++) {
      const { target, address } = await checkedTarget(url, options)
      const response = await send(target, address, options, more)
      const location = response.headers['location']
      const { status } = response
      if (location === undefined || status < 300 || status > 399) return { ...response, url }
      if (hop >= maxRedirects) throw blocked(url, `it redirects more than ${maxRedirects} times`)
      if (!URL.canParse(location, url)) throw blocked(url, 'it redirects to no address')
      url = new URL(location, url).href
    }
  }
}

async function checkedTarget(
  url: string,
  options: GuardOptions,
): Promise<{ readonly target: URL; readonly address: Address }> {
  if (!URL.canParse(url)) throw blocked(url, 'it is no address')
  const target = new URL(url)
  const { protocol, port, username, password } = target
  if (protocol !== 'https:' && protocol !== 'http:')
    throw blocked(url, `${protocol} is not fetched`)
  if (username !== '' || password !== '') throw blocked(url, 'it holds credentials')
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const addresses = await resolved(host, url, options)
  const local =
    options.allowLoopback === true && addresses.every(({ address }) => isLoopback(address))
  if (!local) {
    if (port !== '' && port !== '80' && port !== '443')
      throw blocked(url, `port ${port} is not asked`)
    if (protocol === 'http:' && options.httpsOnly !== false) throw blocked(url, 'it is not https')
    const inside = addresses.find(({ address }) => !isPublicAddress(address))
    if (inside !== undefined) throw blocked(url, `${host} is ${inside.address}, no public address`)
  }
  const address = addresses[0]
  if (address === undefined) throw blocked(url, `${host} has no address`)
  return { target, address }
}

async function resolved(
  host: string,
  url: string,
  { resolve = systemResolve }: GuardOptions,
): Promise<readonly Address[]> {
  try {
    return await resolve(host)
  } catch (cause) {
    throw sourceFault(hostOf(url), 'network', `the name ${host} cannot be resolved`, { cause })
  }
}

const systemResolve = (host: string): Promise<readonly Address[]> => dnsLookup(host, { all: true })

/** One request to the address that was checked, whatever the name says by now. */
async function send(
  target: URL,
  { address, family }: Address,
  options: GuardOptions,
  { signal, headers = {}, maxBytes = options.maxBytes ?? 2_000_000 }: FetchOptions,
): Promise<Omit<Fetched, 'url'>> {
  signal?.throwIfAborted()
  const request = target.protocol === 'https:' ? httpsRequest : httpRequest
  const settings: RequestOptions = {
    method: 'GET',
    agent: false,
    headers: {
      'user-agent': options.userAgent,
      'accept-encoding': 'gzip, deflate, br',
      ...headers,
    },
    ...(signal === undefined ? {} : { signal }),
    lookup: (_host, asked, answer) => {
      if (typeof asked === 'object' && asked.all === true) {
        const all = answer as unknown as (error: null, list: readonly Address[]) => void
        all(null, [{ address, family }])
      } else answer(null, address, family)
    },
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(target, settings, resolve)
    outgoing.on('error', reject)
    outgoing.end()
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw signal.reason
    throw sourceFault(target.host, 'network', 'the connection failed', { cause })
  })
  const { statusCode = 0 } = response
  const plain = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  )
  const isRedirect = statusCode >= 300 && statusCode <= 399 && plain['location'] !== undefined
  if (isRedirect) {
    response.destroy()
    return { status: statusCode, headers: plain, body: new Uint8Array() }
  }
  const body = await readLimited(response, maxBytes, target, signal)
  return { status: statusCode, headers: plain, body }
}

async function readLimited(
  response: IncomingMessage,
  maxBytes: number,
  target: URL,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of unpacked(response)) {
      const bytes = chunk as Uint8Array
      size += bytes.length
      if (size > maxBytes) {
        response.destroy()
        throw sourceFault(target.host, 'too-large', `more than ${maxBytes} bytes`)
      }
      chunks.push(bytes)
    }
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason
    if (cause instanceof Error && cause.message.includes('more than')) throw cause
    throw sourceFault(target.host, 'network', 'the reply broke off', { cause })
  }
  const declared = Number(response.headers['content-length'])
  const packed = response.headers['content-encoding'] !== undefined
  if (!packed && Number.isFinite(declared) && declared > size) {
    throw sourceFault(
      target.host,
      'network',
      `the reply broke off after ${size} of ${declared} bytes`,
    )
  }
  return Buffer.concat(chunks)
}

function unpacked(response: IncomingMessage): Readable {
  switch (response.headers['content-encoding']?.toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return pumped(response, createGunzip())
    case 'deflate':
      return pumped(response, createInflate())
    case 'br':
      return pumped(response, createBrotliDecompress())
    default:
      return response
  }
}

/** A pipe whose source's failure ends it too. */
function pumped<T extends Readable & NodeJS.WritableStream>(from: Readable, to: T): T {
  from.on('error', (error) => to.destroy(error))
  from.on('aborted', () => to.destroy(new Error('the connection was closed')))
  return from.pipe(to)
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'guard')

function blocked(url: string, why: string) {
  return sourceFault(hostOf(url), 'blocked', `not fetched: ${why}`, {
    cure: 'Only public pages are read; a service of your own is configured by its address.',
  })
}
