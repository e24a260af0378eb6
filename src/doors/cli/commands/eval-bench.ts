import { runBench } from '../../../app/index.ts'
import type { BenchReport, BenchRequest } from '../../../app/index.ts'
import { UserFault } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { configFor, pathFrom } from '../open.ts'
import { progressLine } from '../progress.ts'
import { writeJson } from '../report.ts'
import { table } from '../style.ts'
import { oneOf } from '../world.ts'

/** The tools bench is LLaVA-Bench with other categories. */
export type BenchName = BenchRequest['bench'] | 'tools'

/** Scores one benchmark and prints it: figures, coverage, what failed, what must be known to read them. */
export async function runNamed(name: BenchName, input: CommandInput): Promise<number> {
  const { io, global } = input
  const requests = requestsOf(name, input)
  const { config } = await configFor(input)
  const line = progressLine(io, global)
  const reports: BenchReport[] = []
  try {
    for (const request of requests) {
      const { signal } = io
      const setting = { config, env: io.env, progress: line.note }
      reports.push(
        await runBench(request, { ...setting, ...(signal === undefined ? {} : { signal }) }),
      )
    }
  } finally {
    line.clear()
  }
  if (global.json) writeJson(io, { reports })
  else io.stdout.write(`${reports.map(reportText).join('\n\n')}\n`)
  return 0
}

function requestsOf(name: BenchName, input: CommandInput): readonly BenchRequest[] {
  const { options, args } = input
  const optional = (key: string): string | undefined =>
    typeof options[key] === 'string' ? pathFrom(input, options[key]) : undefined
  const file = (key: string): string => {
    const found = optional(key)
    if (found !== undefined) return found
    throw new UserFault('E_USAGE', `Expected a file for --${key}.`, {
      ...{ fields: { option: key }, cure: `See "pupil eval ${name} --help".` },
    })
  }
  const predictions = pathFrom(input, args[0] ?? '')
  const { judge: model } = options
  const judge = typeof model === 'string' ? { judge: model } : {}
  switch (name) {
    case 'infoseek':
      return modes(options).map((mode) => ({
        ...{ bench: name, predictions, mode },
        ...{ references: file('references'), types: file('types') },
      }))
    case 'okvqa':
      return modes(options).map((mode) => ({
        ...{ bench: name, predictions, mode },
        ...{ annotations: file('annotations'), raw: options['raw'] === true },
      }))
    case 'evqa':
      return [{ bench: name, predictions, questions: file('questions'), ...judge }]
    case 'llava-bench':
    case 'tools': {
      const rules = optional('rules')
      return [
        {
          ...{ bench: 'llava-bench', questions: file('questions'), contexts: file('contexts') },
          ...{ references: file('references'), swap: options['swap'] === true },
          ...(rules === undefined ? {} : { rules }),
          ...(typeof options['prefix'] === 'string' ? { prefix: options['prefix'] } : {}),
          ...judge,
          ...answering(input),
        },
      ]
    }
    case 'seed':
      return [{ bench: name, annotations: file('annotations'), ...answering(input) }]
    case 'mm-vet': {
      const runs = typeof options['runs'] === 'number' ? { runs: options['runs'] } : {}
      const annotations = file('annotations')
      return [{ bench: name, annotations, ...runs, ...judge, ...answering(input) }]
    }
    default:
      return name satisfies never
  }
}

function modes({ mode }: CommandInput['options']): readonly ('strict' | 'sane')[] {
  const chosen = oneOf(mode, 'mode', ['strict', 'sane', 'both'] as const, 'both')
  return chosen === 'both' ? ['strict', 'sane'] : [chosen]
}

function answering(input: CommandInput) {
  const { options } = input
  const given = (['answers', 'pictures', 'out'] as const).flatMap((key) =>
    typeof options[key] === 'string' ? [[key, pathFrom(input, options[key])] as const] : [],
  )
  const skills = oneOf(options['skills'], 'skills', ['fly', 'plain', 'all-tools'] as const, 'fly')
  return { ...Object.fromEntries(given), mode: skills }
}

/** Failures that are listed one by one, at most. */
const LISTED = 10

function reportText(report: BenchReport): string {
  const { bench, model, judge, figures, coverage, questions, failed, notes, published } = report
  const who = [
    ...(model === undefined ? [] : [`answered by ${model}`]),
    ...(judge === undefined ? [] : [`judged by ${judge}`]),
  ]
  const rows = figures.map(({ name, value, interval, n }) => [
    name,
    value.toFixed(2),
    interval === undefined ? '' : `${interval[0].toFixed(1)} … ${interval[1].toFixed(1)}`,
    n === undefined ? '' : `n ${n}`,
  ])
  const more = failed.length - LISTED
  return [
    [bench, ...who].join(', '),
    table(rows),
    `Coverage: ${coverage.toFixed(2)} % of ${questions} questions.`,
    ...(failed.length === 0 ? [] : [`Failed, in no mean: ${failed.length}.`]),
    ...failed.slice(0, LISTED).map(({ id, reason }) => `  ${id}: ${reason}`),
    ...(more > 0 ? [`  and ${more} more (--json has all)`] : []),
    ...notes,
    ...(published === undefined ? [] : ['As the published script prints it:', published.trimEnd()]),
  ].join('\n')
}
