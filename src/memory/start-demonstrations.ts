import { deepFreeze } from '../base/index.ts'
import type { Demonstration } from './demonstration.ts'
import gqa from './demonstrations/gqa.json' with { type: 'json' }
import imgedit from './demonstrations/imgedit.json' with { type: 'json' }
import nlvr from './demonstrations/nlvr.json' with { type: 'json' }
import tagging from './demonstrations/tagging.json' with { type: 'json' }

/** A file of demonstrations as it lies on disk: plan sentences and program lines as lists. */
interface DemonstrationFile {
  readonly family: string
  readonly demonstrations: readonly {
    readonly id: string
    readonly instruction: string
    readonly verdict: string
    readonly plan?: readonly string[]
    readonly program?: readonly string[]
    readonly critique?: string
  }[]
}

/** What start entries begin with; they are never dropped (clova §7). */
const START_SCORE = 1000

/**
 * The demonstrations that ship with Pupil, written by us: for each family of the paper over thirty right
 * ones and at least eight wrong ones with a critique.
 */
export function startDemonstrations(): readonly Demonstration[] {
  return [gqa, nlvr, imgedit, tagging].flatMap((file) => readFile(file))
}

function readFile({ family, demonstrations }: DemonstrationFile): readonly Demonstration[] {
  return demonstrations.map(({ plan, program, verdict, ...rest }) =>
    deepFreeze({
      ...rest,
      family,
      verdict: verdict === 'wrong' ? 'wrong' : 'right',
      score: START_SCORE,
      origin: 'start',
      ...(plan && { plan: plan.map((line, i) => `${i + 1}. ${line}`).join('\n') }),
      ...(program && { program: program.join('\n') }),
    } satisfies Demonstration),
  )
}
