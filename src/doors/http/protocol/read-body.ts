import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { expected } from '../../../base/index.ts'

/**
 * The text of a request's body: from the socket where there is one, which saves making a web request and its
 * stream (most of the time of a heartbeat); else from the request.
 */
export async function bodyText({ env, req }: Context): Promise<string> {
  const { incoming } = (env ?? {}) as { readonly incoming?: Partial<IncomingMessage> }
  const untouched = incoming !== undefined && !incoming.readableDidRead
  // Without a length the limit of the body has read it already.
  if (!untouched || incoming.headers?.['content-length'] === undefined) return req.text()
  const chunks: Buffer[] = []
  for await (const chunk of incoming as IncomingMessage) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** A body as an object, whatever its Content-Type says. @throws UserFault `E_ARGUMENT` */
export async function readBody(context: Context): Promise<Readonly<Record<string, unknown>>> {
  return bodyOf(await bodyText(context))
}

/** The same of a body that was read. */
export function bodyOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>
    }
  } catch {
    // Told below, with what came.
  }
  throw expected('a JSON object', 'the body', text.slice(0, 60))
}

export function textField(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name]
  if (typeof value === 'string' && value !== '') return value
  throw expected('a text', name, value)
}

export function numberField(body: Readonly<Record<string, unknown>>, name: string): number {
  const value = body[name]
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw expected('a number', name, value)
}

/** The address of a worker: http or https, nothing after the path. @throws UserFault `E_ARGUMENT` */
export function workerAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const good = url !== undefined && ['http:', 'https:'].includes(url.protocol)
  if (!good || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw expected('an http address', 'worker_name', text)
  }
  return text.replace(/\/+$/, '')
}
