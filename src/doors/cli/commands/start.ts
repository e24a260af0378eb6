import type { Pupil } from '../../../app/index.ts'
import type { CommandInput } from '../command.ts'
import { configFor } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const { host, port } = options as { host?: string; port?: number }
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
      mcp: toolProtocol(pupil),
    })
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

/** The door for agents under `/mcp`, opened by the first who comes; the server has looked at Host and Origin. */
function toolProtocol(pupil: Pupil): (request: Request) => Promise<Response> {
  const open = async () => (await import('../../mcp/index.ts')).mcpDoor(pupil, { hostnames: null })
  let door: ReturnType<typeof open> | undefined
  return async (request) => (await (door ??= open())).handle(request)
}
