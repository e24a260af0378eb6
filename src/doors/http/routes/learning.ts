import { z } from 'zod'
import type { CorrectionRequest } from '../../../app/index.ts'
import { pageOf, paging } from '../api/paging.ts'
import { apiRoute } from '../api/route.ts'
import type { ApiRoute } from '../api/route.ts'
import { box, lessonReply, listReply } from '../api/schemas.ts'

const index = z.number().int().nonnegative()
const words = z.string().min(1).max(10_000)

/** Apply the lesson whatever speaks against it. */
export const insist = z.boolean().optional().describe('apply the lesson whatever speaks against it')

export const without = z
  .array(index)
  .max(1000)
  .optional()
  .describe('examples to leave out, by their `at` in the examples of a preview')

/** An example before it is learnt from. */
export const shownExample = z.looseObject({
  at: z.number(),
  kind: z.enum(['thing', 'face', 'answer']),
  concept: z.string(),
  positive: z.boolean(),
  picture: z.string().describe('hash of a picture'),
  box: box.optional(),
  leftOut: z.enum(['person', 'validation']).optional(),
})

const correction = z.strictObject({
  target: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('answer') }),
    z.strictObject({ kind: z.literal('step'), index }),
    z.strictObject({ kind: z.literal('region'), index, picture: z.string(), box }),
    z.strictObject({ kind: z.literal('plan') }),
    z.strictObject({ kind: z.literal('program') }),
  ]),
  expected: z.strictObject({
    answer: words.optional(),
    label: words.optional(),
    boxes: z.array(box).max(200).optional(),
    plan: words.optional(),
    program: words.optional(),
    rejected: z.literal(true).optional(),
  }),
  reason: z
    .enum([
      ...(['not-there', 'wrong-thing', 'wrong-place', 'misread-text'] as const),
      ...(['wrong-fact', 'bad-plan', 'bad-photo'] as const),
    ])
    .optional(),
  comment: words.optional(),
  scope: z.enum(['this', 'teach']).optional().describe('this: set the answer right, teach nothing'),
  preview: z
    .boolean()
    .optional()
    .describe('only show what would be learnt; the correction itself is kept'),
  insist,
  without,
})

const corrected = z.looseObject({
  feedback: z.looseObject({ id: z.string(), run: z.string() }),
  retired: z.array(z.string()).describe('lessons of an earlier correction of the same thing'),
  verdict: z.looseObject({ by: z.string(), blames: z.array(z.unknown()) }).optional(),
  lesson: lessonReply.optional(),
  examples: z.array(shownExample).optional().describe('what it was, or would be, learnt from'),
  nothing: z.string().optional().describe('why nothing was learnt'),
})

const correct = apiRoute<unknown, z.infer<typeof correction>>({
  ...{ method: 'post', path: '/v1/runs/:id/corrections', tag: 'lessons', scope: 'learn' },
  about: 'Keeps a correction of a run, then learns from it.',
  body: correction,
  reply: { status: 201, about: 'what came of it', schema: corrected },
  handle: async ({ c, context, body, param }) => {
    const { preview, insist: insists, without: out = [], ...given } = body
    const options = { preview: preview === true, insist: insists === true, without: out }
    const { verdict, ...rest } = await context.pupil.learning.correct(
      param('id'),
      // JSON has no undefined: what was not given is not there.
      given as CorrectionRequest,
      options,
    )
    const blames = verdict?.blames.map(({ expected: _, ...blame }) => blame)
    return c.json({ ...rest, ...(verdict && { verdict: { by: verdict.by, blames } }) }, 201)
  },
})

const corrections = apiRoute({
  ...{ method: 'get', path: '/v1/runs/:id/corrections', tag: 'lessons', scope: 'read' },
  about: 'Corrections of a run that stand, oldest first.',
  reply: { about: 'the corrections', schema: listReply('corrections', z.looseObject({})) },
  handle: async ({ c, context: { pupil }, param }) => {
    const { id } = await pupil.runs.get(param('id'))
    return c.json({ corrections: await pupil.learning.corrections(id) })
  },
})

const lessonsQuery = z.strictObject({
  ...paging,
  tool: z.string().optional(),
  concept: z.string().optional(),
  status: z.enum(['applied', 'kept-out', 'undone', 'superseded']).optional(),
})

const lessons = apiRoute<z.infer<typeof lessonsQuery>>({
  ...{ method: 'get', path: '/v1/lessons', tag: 'lessons', scope: 'read' },
  about: 'Lessons, oldest first.',
  query: lessonsQuery,
  reply: { about: 'a page of lessons', schema: listReply('lessons', lessonReply) },
  handle: async ({ c, context, query: { limit, after, ...filter } }) => {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined)
    const all = await context.pupil.learning.lessons(Object.fromEntries(given))
    const words = given.map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`)
    const address = ['/v1/lessons', ...(words.length > 0 ? [words.join('&')] : [])].join('?')
    const { items, ...rest } = pageOf(all, { limit, after }, { idOf: ({ id }) => id, address })
    return c.json({ lessons: items, ...rest })
  },
})

const lesson = apiRoute({
  ...{ method: 'get', path: '/v1/lessons/:id', tag: 'lessons', scope: 'read' },
  about: 'A lesson; by id, the beginning of it, or `last`.',
  reply: { about: 'the lesson', schema: lessonReply },
  handle: async ({ c, context, param }) =>
    c.json((await context.pupil.learning.lesson(param('id'))).lesson),
})

const change = (verb: 'undo' | 'redo', about: string): ApiRoute =>
  apiRoute({
    ...{ method: 'post', path: `/v1/lessons/:id/${verb}`, tag: 'lessons', scope: 'learn', about },
    reply: { about: 'the lesson as it is now', schema: lessonReply },
    handle: async ({ c, context, param }) =>
      c.json(await context.pupil.learning[verb](param('id'))),
  })

const exported = apiRoute({
  ...{ method: 'get', path: '/v1/lessons/:id/export', tag: 'lessons', scope: 'read' },
  about: 'A lesson as a zip of JSON and pictures; without faces.',
  reply: { about: 'the zip', media: 'application/zip' },
  handle: async ({ c, context, param }) => {
    const zip = await context.pupil.learning.export(param('id'))
    return c.body(Buffer.from(zip), 200, {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="lesson.zip"',
    })
  },
})

/** Corrections of runs, and the lessons that came of them. */
export const LEARNING_ROUTES: readonly ApiRoute[] = [
  ...[correct, corrections, lessons, lesson, exported],
  change('undo', 'Takes a lesson out; one that it superseded acts again.'),
  change('redo', 'Puts a lesson in that was undone, superseded or kept out.'),
]
