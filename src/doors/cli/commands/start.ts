import type { Pupil } from '../../../app/index.ts'
import type { CommandInput } from '../command.ts'
import { configFor } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor } from '../style.ts'

interface StartOptions {
  readonly host?: string
  readonly port?: number
  readonly token?: boolean
  readonly name?: readonly string[]
}

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const { host, port, token = false, name = [] } = options as StartOptions
  const server = {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
  }
  const { config, origins } = await configFor(input, { server })
  const { createPupil } = await import('../../../app/index.ts')
  const { serve } = await import('../../http/index.ts')
  const pupil = createPupil(config, { env: io.env, thread: 'worker' })
  const paint = paintFor(io.stderr, io, global.color)
  const say = (text: string): void => void io.stderr.write(paint.dim(`${text}\n`))
  const stop = new AbortController()
  const lessons = workLater(pupil, { signal: stop.signal, note: say })
  try {
    const running = await serve(pupil, {
      ...{ host: config.server.host, port: config.server.port, signal: io.signal },
      // Only a port that nobody asked for may move.
      exact: origins['server.port'] !== 'default',
      note: say,
      ...{ tokens: token, names: name, mcp: toolProtocol() },
    })
    if (token)
      say('Tokens go over the wire as they are: put a server with TLS in front (docs/doors.md).')
    if (global.json) writeJson(io, { address: running.address })
    else io.stdout.write(`Pupil is at ${paint.bold(running.address)}\n`)
    if (!global.quiet) io.stderr.write(paint.dim('Press Ctrl-C to stop.\n'))
    await running.closed
    return 0
  } finally {
    stop.abort()
    await lessons
    await pupil.close()
  }
}

/** Lessons that wait are worked off beside the server; that it cannot be done stops no answer. */
async function workLater(
  { config, learning }: Pupil,
  options: { readonly signal: AbortSignal; readonly note: (text: string) => void },
): Promise<void> {
  if (config.learning.workers === 0) return
  await learning.jobs.processes(options).catch((error: unknown) => {
    options.note(`Lessons are not worked off here: ${(error as Error).message}`)
  })
}

/** The door for agents under `/mcp`, one for each caller, opened by its first request; Host and Origin were looked at. */
function toolProtocol(): (request: Request, pupil: Pupil) => Promise<Response> {
  const open = async (pupil: Pupil) =>
    (await import('../../mcp/index.ts')).mcpDoor(pupil, { hostnames: null })
  const doors = new WeakMap<Pupil, ReturnType<typeof open>>()
  return async (request, pupil) => {
    const door = doors.get(pupil) ?? open(pupil)
    doors.set(pupil, door)
    return (await door).handle(request)
  }
}
