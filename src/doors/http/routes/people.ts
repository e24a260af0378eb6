import { z } from 'zod'
import { apiRoute } from '../api/route.ts'
import type { ApiRoute } from '../api/route.ts'
import { box, lessonReply, picture, pictureOf } from '../api/schemas.ts'

const state = z.object({
  enabled: z.boolean(),
  people: z.array(z.object({ name: z.string(), faces: z.number() })),
})

const list = apiRoute({
  ...{ method: 'get', path: '/v1/people', tag: 'people', scope: 'read' },
  about: 'Whether people are recognised, and who is known.',
  reply: { about: 'names and counts; never numbers of faces', schema: state },
  handle: async ({ c, context }) => {
    const { people } = context.pupil.learning
    return c.json({ enabled: await people.enabled(), people: await people.list() })
  },
})

const enableBody = z.strictObject({ enabled: z.boolean() })

const enable = apiRoute<unknown, z.infer<typeof enableBody>>({
  ...{ method: 'put', path: '/v1/people', tag: 'people', scope: 'learn' },
  about: 'Turns recognising people on or off.',
  body: enableBody,
  reply: { about: 'how it is now', schema: state },
  handle: async ({ c, context, body }) => {
    const { people } = context.pupil.learning
    await people.enable(body.enabled)
    return c.json({ enabled: await people.enabled(), people: await people.list() })
  },
})

const nameBody = z.strictObject({
  name: z.string().trim().min(1).max(200),
  picture,
  box: box.optional().describe('the face, in pixels of the original; default the only or surest'),
  negative: z.boolean().optional().describe('this is not that person'),
})

const teach = apiRoute<unknown, z.infer<typeof nameBody>>({
  ...{ method: 'post', path: '/v1/people', tag: 'people', scope: 'learn' },
  about: 'Learns a face, where recognising people is turned on.',
  body: nameBody,
  reply: { status: 201, about: 'the lesson', schema: lessonReply },
  handle: async ({ c, context: { pupil }, body }) => {
    const shown = await pictureOf(body.picture, 'picture', pupil)
    const lesson = await pupil.learning.people.name(body.name, shown, {
      ...(body.box === undefined ? {} : { box: body.box }),
      negative: body.negative === true,
    })
    return c.json(lesson, 201)
  },
})

const forget = apiRoute({
  ...{ method: 'delete', path: '/v1/people/:name', tag: 'people', scope: 'learn' },
  about: 'Deletes all that is known of a person, for good.',
  reply: { about: 'the lessons that went', schema: z.object({ lessons: z.array(z.string()) }) },
  handle: async ({ c, context, param }) =>
    c.json({ lessons: await context.pupil.learning.people.forget(param('name')) }),
})

/** Faces of people: off until somebody turns it on. */
export const PEOPLE_ROUTES: readonly ApiRoute[] = [list, enable, teach, forget]
