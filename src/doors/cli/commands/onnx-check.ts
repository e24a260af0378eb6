import { openModelDesk } from '../../../app/index.ts'
import type { CommandInput } from '../command.ts'
import { pathFrom } from '../open.ts'
import { writeJson } from '../report.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const [model = ''] = input.args
  const desk = await openModelDesk()
  const problems = await desk.check(pathFrom(input, model), { signal: input.io.signal })
  if (global.json) writeJson(io, { problems })
  else {
    for (const { message } of problems) io.stdout.write(`${model}: ${message}\n`)
    if (problems.length === 0 && !global.quiet) io.stderr.write('The model is sound.\n')
  }
  return problems.length === 0 ? 0 : 1
}
