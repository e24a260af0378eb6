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
  try {
    const running = await serve(pupil, {
      ...{ host: config.server.host, port: config.server.port, signal: io.signal },
      // Only a port that nobody asked for may move.
      exact: origins['server.port'] !== 'default',
      note: (text) => void io.stderr.write(paint.dim(`${text}\n`)),
      mcp: toolProtocol(pupil),
    })
    if (global.json) writeJson(io, { address: running.address })
    else io.stdout.write(`Pupil is at ${paint.bold(running.address)}\n`)
    if (!global.quiet) io.stderr.write(paint.dim('Press Ctrl-C to stop.\n'))
    await running.closed
    return 0
  } finally {
    await pupil.close()
  }
}

/** The door for agents under `/mcp`, opened by the first who comes; the server has looked at Host and Origin. */
function toolProtocol(pupil: Pupil): (request: Request) => Promise<Response> {
  const open = async () => (await import('../../mcp/index.ts')).mcpDoor(pupil, { hostnames: null })
  let door: ReturnType<typeof open> | undefined
  return async (request) => (await (door ??= open())).handle(request)
}
