import { openModelDesk } from '../../../app/index.ts'
import type { CommandInput } from '../command.ts'
import { summaryText } from '../onnx-text.ts'
import { pathFrom } from '../open.ts'
import { writeJson } from '../report.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const [model = ''] = input.args
  const limit = options.limit as number | undefined
  const desk = await openModelDesk()
  const { summary, text } = desk.show(pathFrom(input, model), limit === undefined ? {} : { limit })
  const wanted = options.text === true || limit !== undefined
  if (global.json) writeJson(io, { ...summary, ...(wanted ? { text } : {}) })
  else io.stdout.write(`${summaryText(summary)}\n${wanted ? `\n${text}\n` : ''}`)
  return 0
}
