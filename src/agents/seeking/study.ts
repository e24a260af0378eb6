import { canonicalJson, sha256, UserFault } from '../../base/index.ts'
import type { Json } from '../../base/index.ts'
import type { Decision, DecisionBook } from '../../memory/index.ts'
import type { Run } from '../step.ts'
import { normalised } from './examples.ts'
import { findQuote } from './outside-text.ts'
import type { Action, SeekCallStep, SeekDecideStep, SeekReasonStep, SeekStep } from './types.ts'

/** Decisions of a run, one for each action it took, as the record keeps them. */
export function decisionsOfRun(
  run: Run,
  about: {
    readonly actor: Decision['actor']
    readonly consent: boolean
    readonly private?: boolean
  },
): readonly Decision[] {
  const steps = run.steps as readonly SeekStep[]
  return steps.flatMap((step, i): Decision[] => {
    if (step.kind !== 'decide' || (step as SeekDecideStep).by === 'code') return []
    const decide = step as SeekDecideStep
    const call = steps[i + 1]
    if (call?.kind !== 'call' || !('sought' in call)) return []
    const reading = steps
      .slice(i + 2)
      .find(
        (one): one is SeekReasonStep =>
          one.kind === 'reason' && (one as SeekReasonStep).call === i + 1,
      )
    return [decisionOf(run, i, decide, call as SeekCallStep, { reading, ...about })]
  })
}

function decisionOf(
  run: Run,
  step: number,
  decide: SeekDecideStep,
  call: SeekCallStep,
  more: {
    readonly reading: SeekReasonStep | undefined
    readonly actor: Decision['actor']
    readonly consent: boolean
    readonly private?: boolean
  },
): Decision {
  const { reading, actor, consent } = more
  const picture = Object.values(run.task.inputs)[0]?.hash ?? ''
  const first = reading?.claims[0]
  const { tool, args } = decide.chosen as Action
  return {
    ...{ v: 1, runId: run.id, step, at: call.start, actor, question: run.task.instruction },
    questionId: sha256(normalised(run.task.instruction)).slice(0, 16),
    ...{ picture: `sha256:${picture}`, phase: decide.phase, stateBefore: decide.state },
    feasible: [...new Set(decide.feasible.map((one) => one.tool))],
    chosen: { tool, args: args as Json },
    outputRef: call.sought.outputRef ?? '',
    outputSummary: typeof call.result === 'string' ? call.result.slice(0, 300) : '',
    verdict: call.error !== undefined ? 'error' : (reading?.verdict ?? 'informative'),
    ...(first === undefined
      ? {}
      : { extracted: { text: first.text, entry: first.entry, quote: first.quote } }),
    ...(decide.reason === '' ? {} : { rationale: decide.reason }),
    ...{ ms: decide.ms + call.ms, cost: decide.cost.money + call.cost.money },
    ...{ private: more.private ?? false, consent },
  }
}

/** What a reviewer changes about one recorded decision. */
export interface DecisionCorrection {
  readonly tool?: string
  readonly q?: string
  readonly verdict?: Decision['verdict']
  readonly extracted?: Decision['extracted']
  readonly rationale?: string
}

/**
 * Stores a person's correction of a run's decision, before anything else happens with it; the record it corrects
 * stays as it is.
 *
 * @throws UserFault `E_DECISIONS` when the step is no decision, or a quote does not stand in its entry
 */
export async function correctDecision(
  book: DecisionBook,
  run: Run,
  step: number,
  correction: DecisionCorrection,
  about: { readonly consent: boolean; readonly at: number },
): Promise<Decision> {
  const made = decisionsOfRun(run, { actor: 'human', consent: about.consent })
  const old = made.find((one) => one.step === step)
  if (old === undefined) {
    throw new UserFault('E_DECISIONS', `Step ${step} of ${run.id} is no decision.`, {
      fields: { step, decisions: made.map((one) => one.step) },
      cure: `Decisions are the steps ${made.map((one) => one.step).join(', ')}.`,
    })
  }
  const { extracted } = correction
  if (extracted !== undefined) checkQuote(run, step, extracted)
  const args = correction.q === undefined ? old.chosen.args : { q: correction.q }
  const decision: Decision = {
    ...old,
    ...{ at: about.at, chosen: { tool: correction.tool ?? old.chosen.tool, args } },
    verdict: correction.verdict ?? old.verdict,
    correctedFrom: `${old.runId}/${old.step}:${old.chosen.tool}:${old.verdict}`,
    ...(extracted === undefined ? {} : { extracted }),
    ...(correction.rationale === undefined ? {} : { rationale: correction.rationale }),
  }
  await book.append(decision)
  return decision
}

function checkQuote(
  run: Run,
  step: number,
  { entry, quote }: NonNullable<Decision['extracted']>,
): void {
  const call = run.steps[step + 1]
  const found =
    call?.kind === 'call' && 'sought' in call
      ? (call as SeekCallStep).sought.entries.find(({ id }) => id === entry)
      : undefined
  if (found !== undefined && findQuote(found.text, quote) !== undefined) return
  throw new UserFault('E_DECISIONS', `"${quote.slice(0, 80)}" does not stand in ${entry}.`, {
    cure: 'Select the words in the output itself.',
  })
}

/** Decisions as JSON lines; what is private leaves only hashes and summaries. */
export function exportDecisions(decisions: readonly Decision[]): string {
  const lines = decisions.map((one) =>
    canonicalJson(
      one.private
        ? {
            ...one,
            question: `sha256:${sha256(one.question)}`,
            // Its query is the question again, or words that were read.
            chosen: { tool: one.chosen.tool, args: {} },
            extracted: undefined,
            rationale: undefined,
          }
        : one,
    ),
  )
  return lines.map((line) => `${line}\n`).join('')
}

/** Decisions of JSON lines; a bad line is told with its number and skipped. */
export function importDecisions(
  text: string,
  file = 'decisions',
): { readonly decisions: readonly Decision[]; readonly problems: readonly string[] } {
  const problems: string[] = []
  const decisions = text.split(/\r?\n/).flatMap((line, i): Decision[] => {
    if (line.trim() === '') return []
    const problem = lineProblem(line)
    if (typeof problem !== 'string') return [problem]
    problems.push(`${file}, line ${i + 1}: ${problem}`)
    return []
  })
  return { decisions, problems }
}

const TEXTS = [
  'runId',
  'questionId',
  'question',
  'picture',
  'phase',
  'stateBefore',
  'outputRef',
] as const
const VERDICTS = ['informative', 'uninformative', 'answer', 'error']

function lineProblem(line: string): string | Decision {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(line) as Record<string, unknown>
  } catch {
    return 'this is not JSON'
  }
  if (value === null || typeof value !== 'object') return 'this is no decision'
  if (value['v'] !== 1) return `version ${String(value['v'])} is not 1`
  const missing = TEXTS.find((name) => typeof value[name] !== 'string')
  if (missing !== undefined) return `the field "${missing}" is missing`
  const chosen = value['chosen'] as { tool?: unknown } | undefined
  if (typeof chosen?.tool !== 'string') return 'the field "chosen.tool" is missing'
  if (!VERDICTS.includes(String(value['verdict'])))
    return `"${String(value['verdict'])}" is no verdict`
  if (value['actor'] !== 'human' && value['actor'] !== 'agent')
    return 'the actor must be human or agent'
  if (value['consent'] !== true) return 'there is no consent'
  return {
    feasible: [],
    outputSummary: '',
    ms: 0,
    cost: 0,
    private: false,
    step: 0,
    at: 0,
    ...value,
  } as unknown as Decision
}
