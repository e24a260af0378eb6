import type { Hono } from 'hono'
import type { DoorEnv } from '../door.ts'
import type { PageFiles } from '../page-files.ts'

/** The page loads nothing from elsewhere and runs no inline script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Addresses that the page shows something at. */
const SCREENS = /^\/(?:runs\/\w+|chat|memory|review|batch)?$/

/** The page and its files. Names of built files hold their hash, so they never change. */
export function pageRoutes(app: Hono<DoorEnv>, page: PageFiles): void {
  app.get('*', async (c, next) => {
    const path = new URL(c.req.url).pathname
    if (path.startsWith('/v1/')) return next()
    const file = await page.read(SCREENS.test(path) ? '/index.html' : path)
    if (file === undefined) return next()
    const fixed = path.startsWith('/assets/')
    return new Response(new Uint8Array(file.bytes), {
      headers: {
        'content-type': file.type,
        'cache-control': fixed ? 'public, max-age=31536000, immutable' : 'no-cache',
        ...(file.type.startsWith('text/html') ? { 'content-security-policy': POLICY } : {}),
      },
    })
  })
}
