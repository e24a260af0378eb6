import { runDocument } from '../../../app/index.ts'
import { chatLines } from '../chat-lines.ts'
import type { CommandInput } from '../command.ts'
import { pathFrom, withPupil } from '../open.ts'
import { writeErrorData, exitCodeOf, writeJson } from '../report.ts'
import { seekText } from '../seek-text.ts'
import { STUDY_HELP, studyPerson } from '../study-person.ts'
import { paintFor } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { args, options, io, global } = input
  const [picture = '', question = ''] = args
  const terminal = io.stdin.isTTY === true && io.stderr.isTTY === true
  return withPupil(input, async (pupil) => {
    const paint = paintFor(io.stderr, io, global.color)
    const write = (text: string): void => void io.stderr.write(`${text}\n`)
    const lines = chatLines(io, terminal)
    if (!global.quiet) write(paint.dim(STUDY_HELP))
    try {
      const live = await pupil.study.answer(
        { picture: pathFrom(input, picture), question },
        {
          ...{ person: studyPerson({ lines, write, paint }), signal: io.signal },
          ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps as number }),
          ...{ offline: options.offline === true, private: options.private === true },
        },
      )
      const { id } = await live.result
      const document = runDocument(await pupil.runs.get(id))
      const recorded = (await pupil.study.decisions()).filter(({ runId }) => runId === id).length
      if (global.json) writeJson(io, { ...document, recorded })
      else if (document.error !== undefined) writeErrorData(document.error, { ...global, io })
      else if (document.seek !== undefined) {
        io.stdout.write(`${document.answer ?? ''}\n\n${seekText(document.seek, paint)}\n`)
      }
      if (!global.quiet) write(paint.dim(`${recorded} decisions were recorded under ${id}.`))
      return document.error === undefined ? 0 : exitCodeOf(document.error)
    } finally {
      lines.close()
    }
  })
}
