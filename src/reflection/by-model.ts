import type { Abortable } from '../base/index.ts'
import { generateStructured, recordedCall } from '../llm/index.ts'
import type { LanguageModel, RecordedCall } from '../llm/index.ts'
import { isFault } from '../base/index.ts'
import type { Attempt, Wish } from './attempt.ts'
import { askClaim, blameOf } from './claim.ts'
import { convertSteps } from './convert.ts'
import type { Caption } from './convert.ts'
import { answersPrompt, globalPrompt, localPrompt } from './prompts.ts'
import type { Briefing } from './prompts.ts'
import { leadsTo } from './replay.ts'
import type { ReplayOptions } from './replay.ts'
import { answersSchema } from './schema.ts'
import type { Blame, Reflector, Verdict } from './verdict.ts'
import { noVerdict } from './verdict.ts'

export interface ModelReflection {
  readonly model: LanguageModel
  readonly caption?: Caption
  /** False: intermediate results are not told (ablation, CLOVA table 4). */
  readonly results?: boolean
}

/** One request for the whole run (CLOVA §3.3). */
export function globalReflector(options: ModelReflection): Reflector {
  return {
    by: 'global',
    reflect: async (attempt, wish, abortable = {}) => {
      const briefing = await briefingOf(attempt, wish, { ...options, ...abortable })
      const count = attempt.steps.length
      const asked = await askClaim(options.model, globalPrompt(briefing), count, abortable)
      return verdictOf('global', asked.claim && blameOf(asked.claim, attempt), asked.calls)
    },
  }
}

/**
 * Step by step in order, until the first that is wrong; none found wrong is the verdict none.
 *
 * At most one request a step, and one more for an unreadable reply.
 */
export function localReflector(options: ModelReflection): Reflector {
  return {
    by: 'local',
    reflect: async (attempt, wish, abortable = {}) => {
      const briefing = await briefingOf(attempt, wish, { ...options, ...abortable })
      const calls: RecordedCall[] = []
      for (const [at, step] of attempt.steps.entries()) {
        const prompt = localPrompt(briefing, at)
        const asked = await askClaim(options.model, prompt, attempt.steps.length, abortable)
        calls.push(...asked.calls)
        if (asked.claim === undefined || asked.claim.location === 'none') continue
        // It is this step that was asked about, whatever number the model gives.
        const claim = { ...asked.claim, step: step.index + 1 }
        return verdictOf('local', blameOf(claim, attempt), calls)
      }
      return noVerdict('local', calls)
    },
  }
}

/**
 * What a blamed VQA step should have answered: up to three proposals of the model, of which the first is
 * taken that leads to the wished answer when it is put into the record. None does: undefined.
 *
 * @source CLOVA §3.3; clova §3.6
 */
export async function inferAnswer(
  attempt: Attempt,
  wish: Wish,
  blame: Blame,
  options: ModelReflection & ReplayOptions & Abortable,
): Promise<{ readonly answer?: string; readonly calls: readonly RecordedCall[] }> {
  const { step, reason } = blame
  const { answer } = wish
  if (step === undefined || answer === undefined) return { calls: [] }
  const { signal } = options
  const briefing = await briefingOf(attempt, wish, options)
  const request = {
    messages: answersPrompt(briefing, step, reason),
    temperature: 0,
    maxTokens: 256,
  }
  try {
    const reply = await generateStructured(options.model, request, answersSchema, {
      name: 'answers',
      signal,
    })
    const calls = reply.replies.map((one) => recordedCall(request, one))
    for (const proposed of reply.value.answers) {
      const value = proposed.trim().toLowerCase()
      if (await leadsTo(attempt, { [step]: value }, answer, options))
        return { answer: value, calls }
    }
    return { calls }
  } catch (error) {
    // Rubbish is no answer; what does not answer at all is the caller's matter.
    if (isFault(error) && error.code === 'E_MODEL_REPLY') return { calls: [] }
    throw error
  }
}

async function briefingOf(
  attempt: Attempt,
  wish: Wish,
  { caption, results = true, signal }: ModelReflection & Abortable,
): Promise<Briefing> {
  const more = { signal, ...(caption === undefined ? {} : { caption }) }
  const captions = Object.entries(attempt.inputs).map(async ([name, image]) => {
    const size = `${image.width} x ${image.height}`
    return [name, caption === undefined ? size : await caption(image, { signal })] as const
  })
  const steps = await convertSteps(attempt.steps, more)
  return {
    attempt,
    wish,
    steps,
    captions: Object.fromEntries(await Promise.all(captions)),
    results,
  }
}

function verdictOf(
  by: Verdict['by'],
  blame: Blame | undefined,
  calls: readonly RecordedCall[],
): Verdict {
  return blame === undefined ? noVerdict(by, calls) : { by, blames: [blame], calls }
}
