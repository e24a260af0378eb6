import type { CommandInput } from '../command.ts'
import { configFor } from '../open.ts'
import { paintFor } from '../style.ts'

/** Standard output belongs to the protocol; whatever else is said goes to stderr. */
export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const { config } = await configFor(input)
  const { createPupil } = await import('../../../app/index.ts')
  const { serveMcpStdio } = await import('../../mcp/index.ts')
  const pupil = createPupil(config, { env: io.env, thread: 'worker' })
  const paint = paintFor(io.stderr, io, global.color)
  const note = (text: string): void => void io.stderr.write(paint.dim(`${text}\n`))
  if (!global.quiet && io.stdin.isTTY === true) {
    note(
      'This speaks the Model Context Protocol on stdin and stdout; a client starts it. Ctrl-C ends it.',
    )
  }
  try {
    await serveMcpStdio(pupil, { stdin: io.stdin, signal: io.signal, note })
    return 0
  } finally {
    await pupil.close()
  }
}
