import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { errorLine, isFault, UserFault } from '../../../base/index.ts'
import { errorData } from '../../../base/index.ts'
import type { Controller } from './controller.ts'
import { readStatus, totalStatus } from './controller.ts'
import { bodyOf, bodyText, numberField, readBody, textField, workerAddress } from './read-body.ts'
import { pipeStream } from './pipe-stream.ts'
import { mayRegister } from './trusted.ts'

export interface ControllerRoutesOptions {
  /** Networks beside loopback from which workers may register, such as `10.0.0.0/8`. */
  readonly networks?: readonly string[]
}

/** Bytes of a body at most; an 800-pixel PNG is 1 to 2 MB in base64. */
export const MOST_BYTES = 32 * 2 ** 20

/** All routes of a controller (llava-plus §5.1); every one but GET `/`, `/health` and `/metrics` is POST. */
export function controllerRoutes(
  controller: Controller,
  { networks = [] }: ControllerRoutesOptions = {},
): Hono {
  const app = new Hono()
  const { table } = controller
  app.post('/register_worker', async (c) => {
    if (!mayRegister(c.env, networks)) throw notTrusted()
    const body = await readBody(c)
    const status = body['worker_status']
    const isEmpty = status == null || Object.keys(status).length === 0
    await controller.register({
      address: workerAddress(textField(body, 'worker_name')),
      beats: body['check_heart_beat'] !== false,
      status: isEmpty ? undefined : readStatus(status),
      multimodal: body['multimodal'] === true,
    })
    return c.json(null)
  })
  app.post('/receive_heart_beat', async (c) => {
    const body = await readBody(c)
    const address = textField(body, 'worker_name').replace(/\/+$/, '')
    return c.json({ exist: table.beat(address, numberField(body, 'queue_length')) })
  })
  app.post('/get_worker_address', async (c) => {
    const model = textField(await readBody(c), 'model')
    return c.json({ address: await controller.address(model) })
  })
  app.post('/refresh_all_workers', async (c) => {
    await controller.refresh()
    return c.json(null)
  })
  app.post('/list_models', (c) => c.json({ models: table.names() }))
  const named = (multimodal: boolean): readonly string[] =>
    table.list().flatMap((one) => (one.multimodal === multimodal ? one.names : []))
  app.post('/list_multimodal_models', (c) => c.json({ models: named(true) }))
  app.post('/list_language_models', (c) => c.json({ models: named(false) }))
  app.post('/worker_generate_stream', async (c) => {
    const text = await bodyText(c)
    const model = textField(bodyOf(text), 'model')
    const { outgoing } = (c.env ?? {}) as { readonly outgoing?: ServerResponse }
    const worker = outgoing === undefined ? undefined : await controller.piped(model)
    if (outgoing === undefined || worker === undefined) {
      return controller.generate(text, model, c.req.raw.signal)
    }
    await pipeStream(outgoing, { worker, body: text, table: controller.table })
    return RESPONSE_ALREADY_SENT
  })
  app.post('/worker_get_status', async (c) => c.json(await totalStatus(controller)))
  app.get('/test_connection', (c) => c.json('success'))
  app.get('/metrics', (c) => c.text(metrics(controller)))
  return app
}

/** What stands in `/health` of each worker. */
export function health({ table }: Controller): object {
  return {
    workers: table.list().map(({ address, names, state, queue, speed, beats, error }) => ({
      ...{ address, names, state, queue, speed, beats },
      ...(error === undefined ? {} : { error }),
    })),
  }
}

function metrics({ table, counts }: Controller): string {
  const lines = table
    .list()
    .map(({ address, queue }) => `pupil_worker_queue{worker=${JSON.stringify(address)}} ${queue}`)
  const requests = Object.entries(counts).map(
    ([kind, n]) => `pupil_controller_requests_total{kind="${kind}"} ${n}`,
  )
  return [...lines, ...requests, `pupil_workers ${table.list().length}`, ''].join('\n')
}

function notTrusted(): UserFault {
  return new UserFault(
    'E_NOT_TRUSTED',
    'Workers register from this machine or configured networks.',
    {
      cure: 'Add the network of that worker to the configuration of the controller.',
    },
  )
}

const POST_ONLY =
  'register_worker receive_heart_beat get_worker_address refresh_all_workers list_models worker_generate_stream worker_get_status'
    .split(' ')
    .map((name) => `/${name}`)

/** Answers of a stand-alone server to what no route knows, and to what went wrong. */
export function protocolErrors(app: Hono, what: string): void {
  app.get('/', (c) => c.json({ what, protocol: 'LLaVA-Plus / FastChat', made_by: 'pupil' }))
  app.onError((error, c) => {
    const data = errorData(error)
    const status = !isFault(error) ? 500 : data.code === 'E_NOT_TRUSTED' ? 403 : 400
    return c.json({ detail: errorLine(data) }, status)
  })
  app.notFound((c) => {
    const path = new URL(c.req.url).pathname
    if (c.req.method !== 'POST' && POST_ONLY.includes(path)) {
      return c.json({ detail: 'Method Not Allowed' }, 405, { allow: 'POST' })
    }
    if (POST_ONLY.includes(path.replace(/\/$/, ''))) {
      return c.body(null, 307, { location: path.replace(/\/$/, '') })
    }
    return c.json({ detail: 'Not Found' }, 404)
  })
}
