import type { Run } from '../agents/index.ts'
import { thumbnail } from '../image/index.ts'
import { parse, rationale } from '../program/index.ts'
import type { CallStep } from '../program/index.ts'

/** The visual rationale of a run: one self-contained HTML file. */
export async function runHtml(run: Run): Promise<string> {
  const made = run.steps.findLast((step) => step.kind === 'program')
  const plan = run.steps.findLast((step) => step.kind === 'plan')?.plan
  return rationale({
    instruction: run.task.instruction || 'A program given by hand',
    ...{ inputs: run.task.inputs, outcome: run.outcome, plan },
    program: parse(made?.program ?? run.task.program ?? ''),
    steps: run.steps.filter((step): step is CallStep => step.kind === 'call'),
    thumbnail,
    ms: run.cost.seconds * 1000,
    remarks: [...(run.fallback === undefined ? [] : [run.fallback]), ...run.warnings],
    facts: factsOf(run),
  })
}

function factsOf(run: Run): readonly (readonly [string, string])[] {
  const { id, createdAt, version, cost, models } = run
  const spent =
    cost.calls === 0
      ? []
      : [['Language model', `${cost.calls} calls, ${cost.tokens} tokens`] as const]
  const stamps = models.map(
    ({ name, hash }) => `${name}${hash === undefined ? '' : ` ${hash.slice(0, 12)}`}`,
  )
  return [
    ['Run', id],
    ['When', new Date(createdAt).toISOString()],
    ['Pupil', version],
    ...spent,
    ...(stamps.length === 0 ? [] : [['Models', stamps.join(', ')] as const]),
  ]
}
