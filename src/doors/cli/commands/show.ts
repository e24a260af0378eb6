import { runDocument } from '../../../app/index.ts'
import type { CommandInput } from '../command.ts'
import { pathFrom, withPupil } from '../open.ts'
import { writeFile } from '../output.ts'
import { writeJson } from '../report.ts'
import { seekText } from '../seek-text.ts'
import { paintFor } from '../style.ts'
import { costText, traceText, valueText } from '../trace.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const [name = ''] = input.args
  return withPupil(input, async (pupil) => {
    const stored = await pupil.runs.get(name)
    const value = stored.outcome.status === 'done' ? stored.outcome.value : null
    const hash = (value as { hash?: string } | null)?.hash
    const path = hash === undefined ? undefined : await pupil.pictures.path(hash)
    const document = runDocument(stored, { place: () => path })
    if (typeof options.html === 'string') {
      const html = await pupil.runs.html(document.run)
      if (options.html === '-') io.stdout.write(html)
      else await writeFile(pathFrom(input, options.html), html)
      if (options.html !== '-' && !global.quiet) io.stderr.write(`Written to ${options.html}.\n`)
    }
    if (global.json) writeJson(io, document)
    if (global.json || options.html === '-') return 0
    const paint = paintFor(io.stdout, io, global.color)
    io.stdout.write(traceText(document, paint))
    const { answer, tags, error, image } = document
    const said = answer ?? (tags === undefined ? image : valueText(tags))
    if (said !== undefined) io.stdout.write(`\n${paint.bold(said)}\n`)
    if (document.seek !== undefined) io.stdout.write(`${seekText(document.seek, paint)}\n`)
    if (document.status === 'open')
      io.stdout.write(`\n${paint.yellow('This run was not finished.')}\n`)
    else if (error !== undefined)
      io.stdout.write(`\n${paint.red(`${error.code} ${error.message}`)}\n`)
    io.stdout.write(paint.dim(`${costText(document)}\n`))
    return 0
  })
}
