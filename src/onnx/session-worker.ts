import { parentPort } from 'node:worker_threads'
import { errorData } from '../base/index.ts'
import type { Compiled, HostCall, HostReply, HostRequest, Opened } from './session-host.ts'
import { buffersOf } from './session-host.ts'
import type { Program } from './prompts/program.ts'
import type { RunTensors, Session } from './session.ts'
import { openHere } from './session.ts'

/** The worker's side of a session host: compiles, opens, runs and closes, one call after another. */
const sessions = new Map<number, Session>()
const programs = new Map<number, Program>()
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
    case 'open':
      return keep(await openHere(call.model, call.options))
    case 'compile': {
      // Loaded when first needed: most workers only run sessions.
      const { compileHere } = await import('./prompts/step-program.ts')
      const { program, info } = await compileHere(call.model, call.request)
      const id = next++
      programs.set(id, program)
      return { program: id, info } satisfies Compiled
    }
    case 'open-part': {
      const { openPart } = await import('./prompts/step-program.ts')
      return keep(await openPart(find(programs, call.program), call.part, call.held, call.options))
    }
    case 'forget':
      return programs.delete(call.program)
    case 'run':
      return find(sessions, call.session).run(
        call.feeds,
        call.fetch === undefined ? {} : { fetch: call.fetch },
      )
    case 'close': {
      const session = find(sessions, call.session)
      sessions.delete(call.session)
      return session.close()
    }
    default:
      return call satisfies never
  }
}

function keep(session: Session): Opened {
  const id = next++
  sessions.set(id, session)
  return { session: id, inputs: session.inputs, outputs: session.outputs }
}

function find<T>(things: ReadonlyMap<number, T>, id: number): T {
  const thing = things.get(id)
  if (thing === undefined) throw new Error(`the worker holds nothing of number ${id}`)
  return thing
}
