import { z } from 'zod'
import type { ChatPartDocument } from '../../../app/index.ts'
import { UserFault } from '../../../base/index.ts'
import { nextAddress } from '../api/paging.ts'
import { apiRoute } from '../api/route.ts'
import type { ApiRoute } from '../api/route.ts'
import { budget, flag, listReply, picture, pictureOf, seed } from '../api/schemas.ts'
import type { RouteContext } from '../door.ts'
import { documentOf, resumeFrom } from '../run-events.ts'
import { sseResponse } from '../sse.ts'

const head = z.looseObject({
  id: z.string(),
  title: z.string(),
  turns: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
})

const chat = head.extend({
  model: z.string().describe('who answers'),
  pictures: z.array(z.looseObject({ name: z.string(), image: z.string() })),
  said: z.array(z.looseObject({ role: z.enum(['user', 'assistant']), text: z.string() })),
})

const about = { tag: 'chats', scope: 'read' as const }

const open = apiRoute({
  ...{ method: 'post', path: '/v1/chats', tag: 'chats', scope: 'run' },
  about: 'Opens a conversation.',
  reply: { status: 201, about: 'the conversation', schema: chat },
  handle: async ({ c, context }) => {
    const made = await context.pupil.chats.open()
    return c.json(made, 201, { location: `/v1/chats/${made.id}` })
  },
})

const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(20),
  before: z.string().optional().describe('the place that `next` of the page before gave'),
})

const list = apiRoute<z.infer<typeof listQuery>>({
  ...{ ...about, method: 'get', path: '/v1/chats' },
  about: 'Conversations, those last gone on with first.',
  query: listQuery,
  reply: { about: 'a page of conversations', schema: listReply('chats', head) },
  handle: async ({ c, context, query: { limit, before } }) => {
    const place = before === undefined ? {} : { before: placeOf(before) }
    const chats = await context.pupil.chats.list({ limit, ...place })
    const last = chats.at(-1)
    if (chats.length < limit || last === undefined) return c.json({ chats })
    const next = nextAddress('/v1/chats', { limit, before: `${last.updatedAt}.${last.id}` })
    return c.json({ chats, next })
  },
})

function placeOf(text: string): { readonly updatedAt: number; readonly id: string } {
  const [, time = '', id = ''] = /^(\d{1,16})\.(\w+)$/.exec(text) ?? []
  if (id !== '') return { updatedAt: Number(time), id }
  throw new UserFault('E_ARGUMENT', `There is no page before "${text}".`, {
    fields: { path: 'before', got: text },
    cure: 'Begin again without "before".',
  })
}

const get = apiRoute({
  ...{ ...about, method: 'get', path: '/v1/chats/:id' },
  about: 'A conversation with all that was said.',
  reply: { about: 'the conversation', schema: chat },
  handle: async ({ c, context, param }) => c.json(await context.pupil.chats.get(param('id'))),
})

const remove = apiRoute({
  ...{ method: 'delete', path: '/v1/chats/:id', tag: 'chats', scope: 'run' },
  about: 'Removes a conversation; its runs stay.',
  reply: { status: 204, about: 'it is gone' },
  handle: async ({ c, context, param }) => {
    await context.turns.cancel(param('id'))
    await context.pupil.chats.remove(param('id'))
    return c.body(null, 204)
  },
})

const skills = apiRoute({
  ...{ ...about, method: 'get', path: '/v1/chats/:id/skills' },
  about: 'What the assistant can call, and what is missing for the rest.',
  reply: { about: 'the skills', schema: listReply('skills', z.looseObject({ name: z.string() })) },
  handle: async ({ c, context, param }) =>
    c.json({ skills: await context.pupil.chats.skills(param('id')) }),
})

const showBody = z.strictObject({ picture })

const show = apiRoute<unknown, z.infer<typeof showBody>>({
  ...{ method: 'post', path: '/v1/chats/:id/pictures', tag: 'chats', scope: 'run' },
  about: 'Shows a picture; what is said from then on may be about it.',
  body: showBody,
  reply: { status: 201, about: 'the conversation', schema: chat },
  handle: async ({ c, context: { pupil }, body, param }) => {
    const shown = await pictureOf(body.picture, 'picture', pupil)
    return c.json(await pupil.chats.show(param('id'), shown), 201)
  },
})

const turnBody = z.strictObject({
  text: z.string().trim().min(1).max(10_000),
  budget: budget.optional(),
  seed: seed.optional(),
})

const waiting = z.strictObject({ wait: flag.describe('answer when the turn is over') })

const turn = apiRoute<z.infer<typeof waiting>, z.infer<typeof turnBody>>({
  ...{ method: 'post', path: '/v1/chats/:id/turns', tag: 'chats', scope: 'run' },
  about: 'Says something. The turn goes on whether anybody listens or not.',
  query: waiting,
  body: turnBody,
  reply: {
    ...{ status: 202, about: 'where to listen; with wait the conversation after the turn' },
    schema: z.looseObject({ events: z.string() }),
  },
  handle: async ({ c, context, query, body: { text, ...asked }, param }) => {
    const { pupil, turns } = context
    const id = param('id')
    await pupil.chats.get(id)
    // JSON has no undefined: what was not given is not there.
    const options = asked as { [K in keyof typeof asked]: Exclude<(typeof asked)[K], undefined> }
    const live = turns.start(id, (signal) =>
      addressed(pupil.chats.tell(id, text, { ...options, signal }), context),
    )
    if (!query.wait) {
      const made = { chat: id, status: 'open', events: `/v1/chats/${id}/events` }
      return c.json(made, 202)
    }
    await live.ended
    if (live.failed() !== undefined) throw live.failed()
    return c.json(await pupil.chats.get(id))
  },
})

/** Parts whose run has addresses in place of bare hashes. */
async function* addressed(
  parts: AsyncIterable<ChatPartDocument>,
  context: RouteContext,
): AsyncIterable<ChatPartDocument> {
  for await (const part of parts) {
    if (part.type === 'finish') yield { ...part, run: await documentOf(context, part.run.run) }
    else yield part
  }
}

const eventsQuery = z.strictObject({
  after: z.string().optional().describe('as Last-Event-ID, for who cannot send headers'),
})

const events = apiRoute<z.infer<typeof eventsQuery>>({
  ...{ ...about, method: 'get', path: '/v1/chats/:id/events' },
  about:
    'The last turn as server-sent events, named for their `type`, until `finish` or `failed`; comes back after Last-Event-ID. Nothing (204) when no turn was begun since the server started.',
  query: eventsQuery,
  reply: { about: 'events until the turn ends', media: 'text/event-stream' },
  handle: async ({ c, context, query, param }) => {
    const after = resumeFrom(c.req.header('last-event-id') ?? query.after)
    await context.pupil.chats.get(param('id'))
    const live = context.turns.get(param('id'))
    // An event source that is answered so does not come back: what was said stands in the conversation.
    if (live === undefined) return c.body(null, 204)
    return sseResponse((signal) => live.events(after, signal), {
      ...{ signal: c.req.raw.signal, clock: context.clock },
    })
  },
})

const cancel = apiRoute({
  ...{ method: 'post', path: '/v1/chats/:id/cancel', tag: 'chats', scope: 'run' },
  about: 'Stops the turn that goes on; the conversation stays as it was before it.',
  reply: { about: 'the conversation', schema: chat },
  handle: async ({ c, context, param }) => {
    await context.turns.cancel(param('id'))
    return c.json(await context.pupil.chats.get(param('id')))
  },
})

const correctBody = z.strictObject({ value: z.string().trim().min(1).max(10_000) })

const correct = apiRoute<unknown, z.infer<typeof correctBody>>({
  ...{ method: 'post', path: '/v1/chats/:id/corrections', tag: 'chats', scope: 'learn' },
  about: 'Notes what the last answer should have been.',
  body: correctBody,
  reply: { about: 'the conversation', schema: chat },
  handle: async ({ c, context, body, param }) =>
    c.json(await context.pupil.chats.correct(param('id'), body.value)),
})

/** Conversations that are kept. */
export const CHAT_ROUTES: readonly ApiRoute[] = [
  ...[open, list, get, remove, skills, show, turn, events, cancel, correct],
]
