import { expected } from '../../../base/index.ts'

/** A body as an object, whatever its Content-Type says. @throws UserFault `E_ARGUMENT` */
export async function readBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const text = await request.text()
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
