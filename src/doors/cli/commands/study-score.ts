import type { StudyScore } from '../../../app/index.ts'
import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { readEdgeOptions } from '../study-options.ts'

export async function run(input: CommandInput): Promise<number> {
  const { options, io, global } = input
  return withPupil(input, async (pupil) => {
    const score = await pupil.study.score(readEdgeOptions(options))
    for (const problem of await pupil.study.problems()) io.stderr.write(`${problem}\n`)
    if (global.json) writeJson(io, score)
    else io.stdout.write(`${scoreText(score)}\n`)
    return 0
  })
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

function scoreText({ decisions, questions, held, derived, shipped, examples }: StudyScore): string {
  const head = `${decisions} decisions on ${questions} questions; ${held} of them held out.`
  if (held === 0) return `${head}\nToo few questions to hold some out.`
  const graph = (name: string, one: StudyScore['derived']): string =>
    `${name}: allows ${percent(one.coverage)} of what led to something (${percent(one.interval[0])} … ${percent(one.interval[1])}), ` +
    `likeliest is the one taken ${percent(one.top1)}, ${one.feasible.toFixed(1)} actions allowed on average`
  return [
    head,
    graph('Graph of the others', derived),
    graph('Graph that ships', shipped),
    `Graph and similar decisions together: likeliest is the one taken ${percent(examples.top1)} (${percent(examples.interval[0])} … ${percent(examples.interval[1])}); graph alone ${percent(examples.graphOnly)}`,
  ].join('\n')
}
