import { z } from 'zod'
import type { Pupil, TeachRequest } from '../../../app/index.ts'
import { UserFault } from '../../../base/index.ts'
import { nextAddress, pageOf, paging } from '../api/paging.ts'
import { apiRoute } from '../api/route.ts'
import type { ApiRoute } from '../api/route.ts'
import { box, lessonReply, listReply, picture, pictureOf } from '../api/schemas.ts'
import { insist, shownExample, without } from './learning.ts'

const name = z.string().trim().min(1).max(200)

const teaching = z.strictObject({
  tool: z.enum(['LOC', 'SELECT', 'CLASSIFY', 'VQA', 'SEG']),
  concept: name,
  pictures: z.array(picture).min(1).max(50),
  boxes: z
    .array(box.nullable())
    .max(50)
    .optional()
    .describe('where it is in each picture, pixels of the original; null or left out: the whole'),
  negative: z.boolean().optional().describe('the pictures show what it is not'),
  insist,
  without,
})
type Teaching = z.infer<typeof teaching>

const preview = apiRoute<unknown, Teaching>({
  ...{ method: 'post', path: '/v1/lessons/preview', tag: 'lessons', scope: 'learn' },
  about:
    'What teaching would do: the lesson, its examples, its effect on old answers. Nothing is learnt.',
  body: teaching,
  reply: {
    about: 'the lesson as it would be',
    schema: z.object({ lesson: lessonReply, examples: z.array(shownExample) }),
  },
  handle: async ({ c, context: { pupil }, body }) => {
    const options = { without: body.without ?? [], signal: c.req.raw.signal }
    return c.json(await pupil.learning.preview(await requestOf(body, pupil), options))
  },
})

const teach = apiRoute<unknown, Teaching>({
  ...{ method: 'post', path: '/v1/teach', tag: 'lessons', scope: 'learn' },
  about: 'Teaches a concept from pictures, without a run that went wrong.',
  body: teaching,
  reply: { status: 201, about: 'the lesson, applied or kept out', schema: lessonReply },
  handle: async ({ c, context: { pupil }, body }) => {
    const lesson = await pupil.learning.teach(await requestOf(body, pupil), {
      ...{ insist: body.insist === true, without: body.without ?? [] },
    })
    return c.json(lesson, 201, { location: `/v1/lessons/${lesson.id}` })
  },
})

async function requestOf(body: Teaching, pupil: Pupil): Promise<TeachRequest> {
  const { tool, concept, negative = false, boxes = [] } = body
  const pictures = await Promise.all(
    body.pictures.map((one, index) => pictureOf(one, `picture ${index + 1}`, pupil)),
  )
  return { tool, concept, negative, pictures, boxes: boxes.map((one) => one ?? undefined) }
}

const ZIP = 'application/zip'

const imports = apiRoute({
  ...{ method: 'post', path: '/v1/lessons/import', tag: 'lessons', scope: 'learn' },
  about: 'Adds a lesson from the zip that an export gave.',
  alsoReads: [ZIP],
  reply: { status: 201, about: 'the lesson', schema: lessonReply },
  handle: async ({ c, context }) => {
    const type = c.req.header('content-type') ?? ''
    if (!type.toLowerCase().startsWith(ZIP)) {
      throw new UserFault('E_MEDIA_TYPE', `Expected ${ZIP} but got "${type}".`, {
        fields: { type },
      })
    }
    const bytes = new Uint8Array(await c.req.arrayBuffer())
    return c.json(await context.pupil.learning.import(bytes), 201)
  },
})

const forgetBody = z.strictObject({ concept: name })

const forget = apiRoute<unknown, z.infer<typeof forgetBody>>({
  ...{ method: 'post', path: '/v1/forget', tag: 'lessons', scope: 'learn' },
  about: 'Removes everything taught about a concept, for good.',
  body: forgetBody,
  reply: { about: 'the lessons that went', schema: z.object({ lessons: z.array(z.string()) }) },
  handle: async ({ c, context, body }) =>
    c.json({ lessons: await context.pupil.learning.forget(body.concept) }),
})

const conceptsQuery = z.strictObject({
  ...paging,
  words: z.string().max(200).optional().describe('only those whose name or tool has all the words'),
})

const card = z.looseObject({ tool: z.string(), concept: z.string(), versions: z.number() })

const concepts = apiRoute<z.infer<typeof conceptsQuery>>({
  ...{ method: 'get', path: '/v1/concepts', tag: 'lessons', scope: 'read' },
  about: 'What was taught, by tool and concept, newest change first.',
  query: conceptsQuery,
  reply: { about: 'a page of concepts', schema: listReply('concepts', card) },
  handle: async ({ c, context, query: { words = '', ...page } }) => {
    const wanted = words.toLowerCase().split(/\s+/)
    const all = (await context.pupil.learning.concepts.list()).filter((one) => {
      const text = `${one.tool} ${one.concept}`.toLowerCase()
      return wanted.every((word) => text.includes(word))
    })
    const { items, ...rest } = pageOf(all, page, {
      idOf: ({ tool, concept }) => `${tool}/${concept}`,
      address: words === '' ? '/v1/concepts' : nextAddress('/v1/concepts', { words }),
    })
    return c.json({ concepts: items, ...rest })
  },
})

const detail = z.looseObject({
  tool: z.string(),
  concept: z.string(),
  lessons: z.array(lessonReply),
  examples: z.array(z.looseObject({ id: z.string(), acts: z.boolean(), positive: z.boolean() })),
})

const concept = apiRoute({
  ...{ method: 'get', path: '/v1/concepts/:tool/:concept', tag: 'lessons', scope: 'read' },
  about:
    'A concept with all its versions and their examples; those that are not positive say what it never is.',
  reply: { about: 'the concept', schema: detail },
  handle: async ({ c, context, param }) =>
    c.json(await context.pupil.learning.concepts.get(param('tool'), param('concept'))),
})

const rollbackBody = z.strictObject({
  version: z.number().int().nonnegative().describe('the version that acts then; 0: none'),
})

const rollback = apiRoute<unknown, z.infer<typeof rollbackBody>>({
  ...{
    method: 'post',
    path: '/v1/concepts/:tool/:concept/rollback',
    tag: 'lessons',
    scope: 'learn',
  },
  about: 'Takes out what was learnt of a concept after a version.',
  body: rollbackBody,
  reply: { about: 'the concept as it is now', schema: detail },
  handle: async ({ c, context, body, param }) => {
    const { concepts: shelf } = context.pupil.learning
    return c.json(await shelf.rollback(param('tool'), param('concept'), body.version))
  },
})

/** Teaching without a run, and what was taught by concept. */
export const TEACHING_ROUTES: readonly ApiRoute[] = [
  ...[preview, teach, imports, forget, concepts, concept, rollback],
]
