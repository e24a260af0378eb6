import { writeFile } from 'node:fs/promises'
import { evaluateOnWorld } from '../../../app/index.ts'
import type { EvaluateRequest, Evaluation } from '../../../app/index.ts'
import { expected } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { configFor, pathFrom } from '../open.ts'
import { writeJson } from '../report.ts'
import { table } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const { config } = await configFor(input)
  const evaluation = await evaluateOnWorld(config, io.env, requestOf(options))
  const { plot } = options
  if (typeof plot === 'string') await writeFile(pathFrom(input, plot), evaluation.svg)
  if (global.json) writeJson(io, evaluation)
  else io.stdout.write(`${reportText(evaluation)}\n`)
  return 0
}

function requestOf(options: CommandInput['options']): EvaluateRequest {
  const { tasks, style, split, seeds, limit, tools, threads, baseline } = options
  if (tools !== undefined && tools !== 'configured' && tools !== 'truth') {
    throw expected('configured or truth', '--tools', tools)
  }
  if (split !== undefined && split !== 'known' && split !== 'new') {
    throw expected('known or new', '--split', split)
  }
  return {
    // Names that are not there are refused where they are known.
    ...(typeof tasks === 'string'
      ? { tasks: tasks.split(',') as NonNullable<EvaluateRequest['tasks']> }
      : {}),
    ...(typeof style === 'string' ? { style: style as NonNullable<EvaluateRequest['style']> } : {}),
    ...(split === undefined ? {} : { split }),
    ...(typeof seeds === 'number' ? { seeds } : {}),
    ...(typeof limit === 'number' ? { limit } : {}),
    ...(tools === undefined ? {} : { tools }),
    ...(typeof threads === 'number' ? { threads } : {}),
    baseline: baseline !== false,
  }
}

function reportText(evaluation: Evaluation): string {
  const { table: rows, errors, baseline, fitness, profile, style, tools } = evaluation
  const figures = style === 'twemoji' ? 'development figures' : 'figures of a training style'
  const codes = Object.entries(errors).map(([code, count]) => `${code} ${count}`)
  return [
    `Profile ${profile}, tools ${tools}, style ${style}: ${figures}; per cent with 95 % intervals.`,
    '',
    rows,
    '',
    `Errors: ${codes.join(', ') || 'none'}.`,
    ...(fitness.length === 0 ? [] : ['', ...fitnessText(fitness)]),
    ...(baseline.length === 0
      ? []
      : [
          '',
          'By the words alone, without looking:',
          table(
            baseline.map(({ kind, right, of, bound }) => [
              kind,
              `${((100 * right) / Math.max(1, of)).toFixed(1)} % of ${of}`,
              bound === undefined ? '' : `at most ${Math.round(100 * bound)} %`,
            ]),
          ),
        ]),
  ].join('\n')
}

/** What every figure of edits is worth. */
function fitnessText(rows: Evaluation['fitness']): readonly string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
  const fit = rows.every((row) => row.fit)
  return [
    fit
      ? 'The judge of edits is fit:'
      : 'The judge of edits is UNFIT, so the figures of edits above are void:',
    table(
      rows.map(({ split, pasted, unedited, wrong, cases }) => [
        `${split} targets, ${cases} cases`,
        `true drawings taken for what they are ${percent(pasted)} (at least 85 %)`,
        `unedited ${percent(unedited)}, wrong ${percent(wrong)} (at most 3 %)`,
      ]),
    ),
  ]
}
