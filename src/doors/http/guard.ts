import type { MiddlewareHandler } from 'hono'
import { UserFault } from '../../base/index.ts'
import { problem } from './problem.ts'

const HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/**
 * Keeps strangers out: the Host must be ours (or a page elsewhere could reach us under its own name by
 * changing its DNS), and what a browser sends from another origin is refused.
 */
export function guard(hosts: readonly string[] | null): MiddlewareHandler {
  return async (c, next) => {
    const refused = refuse(c.req.raw, hosts)
    if (refused !== undefined) return problem(refused)
    await next()
    for (const [name, value] of Object.entries(HEADERS)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
    return undefined
  }
}

function refuse(request: Request, hosts: readonly string[] | null): UserFault | undefined {
  const host = request.headers.get('host') ?? new URL(request.url).host
  if (hosts !== null && !hosts.includes(host.toLowerCase())) return stranger('host', host)
  const origin = request.headers.get('origin')
  if (origin !== null && (!URL.canParse(origin) || new URL(origin).host !== host)) {
    return stranger('origin', origin)
  }
  const site = request.headers.get('sec-fetch-site')
  const navigates = request.headers.get('sec-fetch-mode') === 'navigate' && request.method === 'GET'
  if (site === 'cross-site' && !navigates) return stranger('site', site)
  return undefined
}

function stranger(what: string, value: string): UserFault {
  return new UserFault('E_STRANGER', `Requests with the ${what} "${value}" are not answered.`, {
    fields: { [what]: value },
    cure: 'Open the address that "pupil start" printed.',
  })
}
