import { errorData, errorLine, isFault } from '../../../base/index.ts'
import type { Controller } from './controller.ts'
import { bodyOf, numberField, textField } from './read-body.ts'

type Body = Readonly<Record<string, unknown>>
type Reply = object | Promise<object>

/** What workers and chat servers ask all the time; bodies are small. */
const HOT: Readonly<Record<string, (controller: Controller, body: () => Body) => Reply>> = {
  '/receive_heart_beat': ({ table }, read) => {
    const body = read()
    const address = textField(body, 'worker_name').replace(/\/+$/, '')
    return { exist: table.beat(address, numberField(body, 'queue_length')) }
  },
  '/get_worker_address': (controller, body) => {
    const model = textField(body(), 'model')
    const known = controller.addressNow(model)
    return known === undefined
      ? controller.address(model).then((address) => ({ address }))
      : { address: known }
  },
  '/list_models': ({ table }) => ({ models: table.names() }),
}

/** The list as text, by the list: it is asked for far more often than it changes. */
const LISTS = new WeakMap<readonly string[], string>()

/** Bytes of such a body at most. */
export const MOST_HOT = 64 * 1024

export const isHot = (path: string): boolean => Object.hasOwn(HOT, path)

export interface HotAnswer {
  readonly status: number
  readonly text: string
}

/** The answer as the routes give it: at once where nobody need be asked. */
export function answerHot(
  controller: Controller,
  path: string,
  body: string,
): HotAnswer | Promise<HotAnswer> {
  try {
    const reply = HOT[path]?.(controller, () => bodyOf(body)) ?? {}
    return reply instanceof Promise ? reply.then(told, refused) : told(reply)
  } catch (error) {
    return refused(error)
  }
}

function told(reply: object): HotAnswer {
  const { models } = reply as { readonly models?: readonly string[] }
  if (models === undefined) return { status: 200, text: JSON.stringify(reply) }
  const text = LISTS.get(models) ?? JSON.stringify(reply)
  LISTS.set(models, text)
  return { status: 200, text }
}

function refused(error: unknown): HotAnswer {
  const text = JSON.stringify({ detail: errorLine(errorData(error)) })
  return { status: isFault(error) ? 400 : 500, text }
}
