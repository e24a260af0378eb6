import type { Hono } from 'hono'
import type { RouteContext } from '../door.ts'

/** What Pupil can do and what it learnt from. */
export function skillRoutes(app: Hono, { pupil }: RouteContext): void {
  app.get('/v1/tools', async (c) => c.json({ tools: await pupil.tools() }))
  app.get('/v1/families', async (c) => c.json({ families: await pupil.families() }))
  app.get('/v1/demonstrations', async (c) =>
    c.json({ demonstrations: await pupil.demonstrations.list(c.req.query('family')) }),
  )
}
