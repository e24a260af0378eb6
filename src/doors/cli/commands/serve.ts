import { openProtocolHosts, registerElsewhere } from '../../../app/index.ts'
import { expected } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { configFor } from '../open.ts'
import { progressLine } from '../progress.ts'
import { writeJson } from '../report.ts'
import { paintFor } from '../style.ts'
import { oneOf } from '../world.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const { host, port, register, address } = options
  const role = oneOf(options['role'], 'role', ['all', 'controller', 'workers'] as const, 'all')
  const method = oneOf(
    options['dispatch'],
    'dispatch',
    ['shortest_queue', 'lottery'] as const,
    'shortest_queue',
  )
  if (register !== undefined && !(typeof register === 'string' && URL.canParse(register))) {
    throw expected('an http address', '--register', register)
  }
  const { config } = await configFor(input)
  const { createProtocolApp, serveProtocol } = await import('../../http/index.ts')
  const line = progressLine(io, global)
  const hosts =
    role === 'controller'
      ? undefined
      : await openProtocolHosts(config, { env: io.env, progress: line.note })
  const stop = new AbortController()
  try {
    const networks = (options['network'] as readonly string[] | undefined) ?? []
    const made = createProtocolApp({
      ...{ method, networks },
      ...(hosts === undefined ? {} : { tools: hosts.tools, chat: hosts.chat }),
    })
    const server = await serveProtocol(made, {
      ...(typeof host === 'string' ? { host } : {}),
      ...(typeof port === 'number' ? { port } : {}),
    })
    try {
      const names = made.controller.table.names()
      if (global.json) writeJson(io, { address: server.address, workers: names })
      else {
        io.stdout.write(`The controller is at ${server.address}\n`)
        if (names.length > 0) io.stderr.write(`Workers here: ${names.join(', ')}.\n`)
      }
      const paint = paintFor(io.stderr, io, global.color)
      if (!global.quiet) io.stderr.write(paint.dim('Press Ctrl-C to stop.\n'))
      if (typeof register === 'string') {
        const own = typeof address === 'string' ? address.replace(/\/+$/, '') : server.address
        const workers = names.map((name) => ({
          ...{ name, address: `${own}/workers/${encodeURIComponent(name)}` },
        }))
        const elsewhere = { controller: register.replace(/\/+$/, ''), signal: stop.signal }
        void registerElsewhere(workers, elsewhere)
      }
      await stopped(io.signal)
      return 0
    } finally {
      await server.close()
    }
  } finally {
    stop.abort()
    line.clear()
    await hosts?.close()
  }
}

/** Until Ctrl-C; for ever without one. */
function stopped(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve()
    else signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
