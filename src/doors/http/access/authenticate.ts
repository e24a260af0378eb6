import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Hono } from 'hono'
import { errorData, UserFault } from '../../../base/index.ts'
import type { DoorEnv } from '../door.ts'
import { problem } from '../problem.ts'
import { tokenMissing } from './callers.ts'
import type { Caller, Callers } from './callers.ts'
import { LOGIN_POLICY, loginPage } from './login-page.ts'

const COOKIE = 'pupil_token'
const MONTH = 30 * 86_400

/**
 * Lets in who shows a token, as a bearer or in the cookie of `/session`; everything else is refused but what
 * `isOpen` says everybody may see.
 */
export function authenticate(
  callers: Callers,
  isOpen: (path: string) => boolean,
): MiddlewareHandler<DoorEnv> {
  return async (c, next) => {
    const shown = await callerOf(c, callers)
    if (!(shown instanceof Response)) {
      c.set('caller', shown)
      c.set('context', shown.context)
      return next()
    }
    if (isOpen(c.req.path)) {
      // What everybody may see says nothing of anybody's space.
      c.set('context', callers.owner.context)
      return next()
    }
    return isPage(c) ? c.redirect('/login', 303) : shown
  }
}

/** Who calls, or what is said to who may not. */
async function callerOf(c: Context<DoorEnv>, callers: Callers): Promise<Caller | Response> {
  try {
    const token = bearerOf(c) ?? cookieOf(c)
    if (token === undefined) throw tokenMissing()
    return await callers.byToken(token, c.env?.peer ?? '')
  } catch (error) {
    const response = problem(error)
    if (response.status === 401) response.headers.set('www-authenticate', 'Bearer realm="pupil"')
    return response
  }
}

function bearerOf(c: Context<DoorEnv>): string | undefined {
  const [, token] = /^Bearer +([\w.~+/=-]{1,200})$/i.exec(c.req.header('authorization') ?? '') ?? []
  return token
}

/**
 * The cookie counts for what changes things only where the browser says that the request is from our own page:
 * whoever makes another's browser send a form has its cookies.
 *
 * @throws UserFault `E_STRANGER`
 */
function cookieOf(c: Context<DoorEnv>): string | undefined {
  const token = getCookie(c, COOKIE)
  if (token === undefined) return undefined
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return token
  const isOurs =
    c.req.header('origin') !== undefined || c.req.header('sec-fetch-site') === 'same-origin'
  if (isOurs) return token
  throw new UserFault('E_STRANGER', 'A cookie alone is not enough to change anything.', {
    cure: 'Send "Authorization: Bearer TOKEN".',
  })
}

function isPage(c: Context<DoorEnv>): boolean {
  return c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html')
}

/** The page that asks for a token, and the session that it begins and ends. */
export function sessionRoutes(app: Hono<DoorEnv>, callers: Callers): void {
  const page = (c: Context<DoorEnv>, wrong: boolean): Response | Promise<Response> =>
    c.html(loginPage(wrong), wrong ? 401 : 200, {
      ...{ 'content-security-policy': LOGIN_POLICY, 'cache-control': 'no-store' },
    })
  app.get('/login', (c) => page(c, false))
  app.post('/session', async (c) => {
    const { token } = await c.req.parseBody()
    try {
      if (typeof token !== 'string' || token === '') throw tokenMissing()
      await callers.byToken(token.trim(), c.env?.peer ?? '')
      setCookie(c, COOKIE, token.trim(), {
        ...{ httpOnly: true, sameSite: 'Strict', path: '/', maxAge: MONTH },
        secure: c.req.header('x-forwarded-proto') === 'https',
      })
      return c.redirect('/', 303)
    } catch (error) {
      const { kind } = errorData(error)
      if (kind === 'UserFault') return page(c, true)
      throw error
    }
  })
  app.post('/session/end', (c) => {
    deleteCookie(c, COOKIE, { path: '/' })
    return c.redirect('/login', 303)
  })
}
