// Your own server that uses Pupil, with Pupil's whole API beside it:
//   curl -F picture=@street.jpg http://127.0.0.1:3000/people
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { openPupil } from 'pupil'
import { createDoor } from 'pupil/server'

const port = Number(process.env.PORT ?? 3000)
const pupil = await openPupil({ thread: 'worker' })
const app = new Hono()

app.post('/people', async (c) => {
  const { picture } = await c.req.parseBody()
  if (!(picture instanceof File)) return c.json({ error: 'send a file "picture"' }, 400)
  const bytes = new Uint8Array(await picture.arrayBuffer())
  const { outcome, id } = await pupil.ask(bytes, 'How many people are there?', {
    signal: c.req.raw.signal,
  })
  return outcome.status === 'done'
    ? c.json({ people: Number(outcome.answer), run: id })
    : c.json({ error: 'it could not be counted', run: id }, 422)
})

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, ({ port: taken }) => {
  // The door answers to its own names only, so that no page elsewhere can reach it.
  const door = createDoor(pupil, { hosts: [`127.0.0.1:${taken}`, `localhost:${taken}`] })
  app.all('*', (c) => door.handle(c.req.raw))
  console.log(`http://127.0.0.1:${taken}`)
})

process.once('SIGTERM', () => {
  server.close()
  void pupil.close()
})
