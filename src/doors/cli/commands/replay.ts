import { runDocument } from '../../../app/index.ts'
import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { exitCodeOf, writeErrorData, writeJson } from '../report.ts'
import { paintFor } from '../style.ts'
import { costText, traceText } from '../trace.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const [name = ''] = input.args
  return withPupil(input, async (pupil) => {
    const from =
      options.from === undefined ? {} : { from: Math.max(0, (options.from as number) - 1) }
    const run = await pupil.replay(name, { ...from, signal: io.signal })
    const stored = await pupil.runs.get(run.id)
    const hash =
      run.outcome.status === 'done'
        ? (run.outcome.value as { hash?: string } | null)?.hash
        : undefined
    const path = hash === undefined ? undefined : await pupil.pictures.path(hash)
    const document = runDocument(stored, { place: () => path })
    if (options.trace === true)
      io.stderr.write(traceText(document, paintFor(io.stderr, io, global.color)))
    if (global.json) writeJson(io, document)
    if (document.error !== undefined) {
      if (!global.json) writeErrorData(document.error, { ...global, io })
      return exitCodeOf(document.error)
    }
    if (!global.json) io.stdout.write(`${document.answer ?? path ?? ''}\n`)
    if (!global.json && !global.quiet) io.stderr.write(`${document.run} · ${costText(document)}\n`)
    return 0
  })
}
