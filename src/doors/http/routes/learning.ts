import type { Hono } from 'hono'
import { z } from 'zod'
import type { CorrectionRequest } from '../../../app/index.ts'
import { checkBody } from '../check-body.ts'
import type { RouteContext } from '../door.ts'

const box = z.tuple([z.number(), z.number(), z.number(), z.number()])
const index = z.number().int().nonnegative()
const words = z.string().min(1).max(10_000)

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
  scope: z.enum(['this', 'teach']).optional(),
  /** Show what would be learnt; the correction itself is kept. */
  preview: z.boolean().optional(),
  /** Apply the lesson whatever speaks against it. */
  insist: z.boolean().optional(),
})

/** Corrections of runs, and the lessons that came of them. */
export function learningRoutes(app: Hono, { pupil }: RouteContext): void {
  const { learning } = pupil
  app.post('/v1/runs/:id/corrections', async (c) => {
    const { preview, insist, ...given } = await checkBody(c.req.raw, correction)
    const options = { preview: preview === true, insist: insist === true }
    const { verdict, ...rest } = await learning.correct(
      c.req.param('id'),
      // JSON has no undefined: what was not given is not there.
      given as CorrectionRequest,
      options,
    )
    const blames = verdict?.blames.map(({ expected: _, ...blame }) => blame)
    return c.json({ ...rest, ...(verdict && { verdict: { by: verdict.by, blames } }) }, 201)
  })
  app.get('/v1/runs/:id/corrections', async (c) => {
    const { id } = await pupil.runs.get(c.req.param('id'))
    return c.json({ corrections: await learning.corrections(id) })
  })
  app.get('/v1/lessons', async (c) => c.json({ lessons: await learning.lessons() }))
  app.get('/v1/lessons/:id', async (c) => {
    const { lesson } = await learning.lesson(c.req.param('id'))
    return c.json(lesson)
  })
  app.post('/v1/lessons/:id/undo', async (c) => c.json(await learning.undo(c.req.param('id'))))
  app.post('/v1/lessons/:id/redo', async (c) => c.json(await learning.redo(c.req.param('id'))))
  app.get('/v1/lessons/:id/export', async (c) => {
    const zip = await learning.export(c.req.param('id'))
    return c.body(Buffer.from(zip), 200, { 'content-type': 'application/zip' })
  })
}
