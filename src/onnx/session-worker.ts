import { parentPort } from 'node:worker_threads'
import { errorData } from '../base/index.ts'
import type { HostCall, HostReply, HostRequest, Opened } from './session-host.ts'
import { buffersOf } from './session-host.ts'
import type { RunTensors, Session } from './session.ts'
import { openHere } from './session.ts'

/** The worker's side of a session host: opens, runs and closes, one call after another. */
const sessions = new Map<number, Session>()
let next = 0
let last: Promise<void> = Promise.resolve()

parentPort?.on('message', (request: HostRequest) => {
  last = last.then(() => answer(request))
})

async function answer({ id, call }: HostRequest): Promise<void> {
  try {
    const result = await work(call)
    const transfer = call.kind === 'run' ? buffersOf(result as RunTensors) : []
    parentPort?.postMessage({ id, result } satisfies HostReply, transfer)
  } catch (error) {
    parentPort?.postMessage({ id, error: plain(error) } satisfies HostReply)
  }
}

/** Errors as data that can cross threads. */
function plain(error: unknown): ReturnType<typeof errorData> {
  const data = errorData(error)
  return { ...data, fields: JSON.parse(JSON.stringify(data.fields)) as typeof data.fields }
}

async function work(call: HostCall): Promise<unknown> {
  switch (call.kind) {
    case 'open': {
      const session = await openHere(call.model, call.options)
      const id = next++
      sessions.set(id, session)
      return { session: id, inputs: session.inputs, outputs: session.outputs } satisfies Opened
    }
    case 'run':
      return find(call.session).run(
        call.feeds,
        call.fetch === undefined ? {} : { fetch: call.fetch },
      )
    case 'close': {
      const session = find(call.session)
      sessions.delete(call.session)
      return session.close()
    }
    default:
      return call satisfies never
  }
}

function find(id: number): Session {
  const session = sessions.get(id)
  if (session === undefined) throw new Error(`there is no session ${id}`)
  return session
}
