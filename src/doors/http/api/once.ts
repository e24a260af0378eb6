import { createHash } from 'node:crypto'
import { expected, UserFault } from '../../../base/index.ts'
import type { RouteContext } from '../door.ts'

/** A reply is given again for so long. */
const DAY = 86_400_000
/** A request that takes longer than this was lost with its process. */
const STALE = 600_000

/**
 * Carries a request out once: sent again with its key it gives the first reply.
 *
 * A request that fails gives its key back, so that it may be sent again.
 *
 * @throws UserFault `E_IDEMPOTENCY` for a key of another request, `E_BUSY` while the first is carried out
 */
export async function once(
  key: string,
  request: Request,
  {
    context: { pupil, clock },
    work,
  }: {
    readonly context: Pick<RouteContext, 'pupil' | 'clock'>
    readonly work: () => Promise<Response>
  },
): Promise<Response> {
  if (key.length === 0 || key.length > 200) {
    throw expected('1 to 200 characters', 'Idempotency-Key', key.length)
  }
  const { replies } = pupil
  const claim = await replies.claim(key, await digestOf(request.clone()), {
    ...{ now: clock.now(), keep: DAY, stale: STALE },
  })
  if (claim.is === 'other') {
    throw new UserFault('E_IDEMPOTENCY', 'This Idempotency-Key belongs to another request.', {
      fields: { key },
      cure: 'Send a new key with a new request.',
    })
  }
  if (claim.is === 'going') {
    throw new UserFault('E_BUSY', 'The request with this Idempotency-Key is being carried out.', {
      fields: { key },
      cure: 'Wait a moment and send it again.',
    })
  }
  if (claim.is === 'done') {
    const { status, head, body } = claim.reply
    return new Response(body === '' ? null : body, {
      status,
      headers: { ...head, 'idempotency-replayed': 'true' },
    })
  }
  let response: Response
  try {
    response = await work()
  } catch (error) {
    await replies.release(key)
    throw error
  }
  const { status } = response
  const head = Object.fromEntries(
    [...response.headers].filter(([name]) => name === 'content-type' || name === 'location'),
  )
  // Its work is done: what is thrown from here on must not give the key back.
  await replies.settle(key, { status, head, body: await response.clone().text() })
  return response
}

/** Of a form the fields count, not the boundary, which is another each time. */
async function digestOf(request: Request): Promise<string> {
  const hash = createHash('sha256')
  hash.update(`${request.method} ${new URL(request.url).pathname}${new URL(request.url).search}\n`)
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('multipart/form-data')) {
    return hash.update(new Uint8Array(await request.arrayBuffer())).digest('hex')
  }
  const form = await request.formData().catch(() => new FormData())
  for (const [name, value] of form) {
    hash.update(`${JSON.stringify(name)}:`)
    if (typeof value === 'string') hash.update(JSON.stringify(value))
    else {
      hash.update(`${JSON.stringify(value.name)} ${value.size}:`)
      hash.update(new Uint8Array(await value.arrayBuffer()))
    }
  }
  return hash.digest('hex')
}
