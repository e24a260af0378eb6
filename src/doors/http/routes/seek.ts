import { z } from 'zod'
import { apiRoute } from '../api/route.ts'
import type { ApiRoute } from '../api/route.ts'
import { budget, flag, picture, pictureOf, seed, startedReply } from '../api/schemas.ts'
import { startedResponse } from '../started.ts'

const waiting = z.strictObject({ wait: flag.describe('answer with the finished search') })

const seekBody = z.strictObject({
  picture,
  question: z.string().trim().min(1).max(2000),
  budget: budget.optional(),
  seed: seed.optional(),
  maxSteps: z.number().int().min(1).max(100).optional().describe('most calls of tools; default 12'),
  maxCost: z.number().nonnegative().optional().describe('most USD for sources that cost money'),
  offline: z.boolean().optional().describe('nothing leaves this machine'),
  sendPictures: z
    .boolean()
    .optional()
    .describe('the picture may be sent to configured services, for this search'),
})
type SeekBody = z.infer<typeof seekBody>

const make = apiRoute<z.infer<typeof waiting>, SeekBody>({
  ...{ method: 'post', path: '/v1/seek', tag: 'runs', scope: 'run' },
  about:
    'Starts a search for what is known about what a picture shows; a run like any other, its document has its sources.',
  query: waiting,
  body: seekBody,
  reply: { status: 202, about: 'the run that goes on; its end with wait', schema: startedReply },
  handle: async ({ context, query, body }) => {
    const { pupil, live } = context
    const { picture: given, question, ...asked } = body
    // JSON has no undefined: what was not given is not there.
    const options = asked as { [K in keyof typeof asked]: Exclude<(typeof asked)[K], undefined> }
    const shown = await pictureOf(given, 'picture', pupil)
    const run = await pupil.startSeek({ picture: shown, question }, options)
    live.add(run)
    return startedResponse(run, query.wait, context)
  },
})

/** Searching; watched, listed and stopped under `/v1/runs`. */
export const SEEK_ROUTES: readonly ApiRoute[] = [make]
