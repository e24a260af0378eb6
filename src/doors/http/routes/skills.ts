import { z } from 'zod'
import { pageOf, paging } from '../api/paging.ts'
import { apiRoute } from '../api/route.ts'
import type { ApiRoute } from '../api/route.ts'
import { listReply } from '../api/schemas.ts'

const named = z.looseObject({ name: z.string() })

const tools = apiRoute({
  ...{ method: 'get', path: '/v1/tools', tag: 'skills', scope: 'read' },
  about: 'The tools that programs are made of.',
  reply: { about: 'their signatures', schema: listReply('tools', named) },
  handle: async ({ c, context }) => c.json({ tools: await context.pupil.tools() }),
})

const families = apiRoute({
  ...{ method: 'get', path: '/v1/families', tag: 'skills', scope: 'read' },
  about: 'The families of tasks, with the inputs and tools of each.',
  reply: { about: 'the families', schema: listReply('families', named) },
  handle: async ({ c, context }) => c.json({ families: await context.pupil.families() }),
})

const demonstrationsQuery = z.strictObject({ ...paging, family: z.string().optional() })

const demonstrations = apiRoute<z.infer<typeof demonstrationsQuery>>({
  ...{ method: 'get', path: '/v1/demonstrations', tag: 'skills', scope: 'read' },
  about: 'The examples that planning learns from: those that ship, were added, or came of lessons.',
  query: demonstrationsQuery,
  reply: {
    about: 'a page of demonstrations',
    schema: listReply('demonstrations', z.looseObject({ id: z.string(), family: z.string() })),
  },
  handle: async ({ c, context, query: { family, ...page } }) => {
    const all = await context.pupil.demonstrations.list(family)
    const address = family === undefined ? '' : `?family=${encodeURIComponent(family)}`
    const { items, ...rest } = pageOf(all, page, {
      idOf: ({ id }) => id,
      address: `/v1/demonstrations${address}`,
    })
    return c.json({ demonstrations: items, ...rest })
  },
})

const demonstrationBody = z.strictObject({
  family: z.string().min(1),
  instruction: z.string().trim().min(1).max(2000),
  program: z.string().min(1).max(20_000),
})

const addDemonstration = apiRoute<unknown, z.infer<typeof demonstrationBody>>({
  ...{ method: 'post', path: '/v1/demonstrations', tag: 'skills', scope: 'learn' },
  about: 'Adds a right example: an instruction and the program for it.',
  body: demonstrationBody,
  reply: { status: 201, about: 'the demonstration', schema: z.looseObject({ id: z.string() }) },
  handle: async ({ c, context, body }) => c.json(await context.pupil.demonstrations.add(body), 201),
})

const removeDemonstration = apiRoute({
  ...{ method: 'delete', path: '/v1/demonstrations/:id', tag: 'skills', scope: 'learn' },
  about: 'Removes an example that was added.',
  reply: { status: 204, about: 'it is gone' },
  handle: async ({ c, context, param }) => {
    await context.pupil.demonstrations.remove(param('id'))
    return c.body(null, 204)
  },
})

const decisionsQuery = z.strictObject(paging)

/** Where in which search, and when. */
interface Decided {
  readonly runId: string
  readonly step: number
  readonly at: number
}

const decisions = apiRoute<z.infer<typeof decisionsQuery>>({
  ...{ method: 'get', path: '/v1/decisions', tag: 'skills', scope: 'read' },
  about: 'What people decided in searches; of private ones only hashes.',
  query: decisionsQuery,
  reply: { about: 'a page of decisions', schema: listReply('decisions', z.looseObject({})) },
  handle: async ({ c, context, query }) => {
    const text = await context.pupil.study.export()
    const lines = text.split('\n').filter((line) => line !== '')
    const all = lines.map((line) => JSON.parse(line) as Decided)
    const { items, ...rest } = pageOf(all, query, {
      idOf: ({ runId, step, at }) => `${runId}/${step}/${at}`,
      address: '/v1/decisions',
    })
    return c.json({ decisions: items, ...rest })
  },
})

const graph = apiRoute({
  ...{ method: 'get', path: '/v1/decisions/graph', tag: 'skills', scope: 'read' },
  about: 'The transition graph that these decisions make, edge by edge.',
  reply: { about: 'the graph', schema: z.looseObject({ edges: z.array(z.looseObject({})) }) },
  handle: async ({ c, context }) => {
    const { json, ...rest } = await context.pupil.study.graph()
    return c.json({ ...rest, graph: JSON.parse(json) as unknown })
  },
})

/** What Pupil can do and what it learnt from. */
export const SKILL_ROUTES: readonly ApiRoute[] = [
  ...[tools, families, demonstrations, addDemonstration, removeDemonstration, decisions, graph],
]
