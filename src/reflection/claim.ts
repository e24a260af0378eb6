import type { Abortable } from '../base/index.ts'
import { jsonSchemaOf, recordedCall } from '../llm/index.ts'
import type { LanguageModel, Message, ModelRequest, RecordedCall } from '../llm/index.ts'
import type { Attempt } from './attempt.ts'
import { conceptOf } from './concept-of.ts'
import { claimSchema, readClaim } from './schema.ts'
import type { Claim } from './schema.ts'
import type { Blame } from './verdict.ts'

/** A claim, or none when two replies fitted nothing. */
export interface Claimed {
  readonly claim?: Claim
  readonly calls: readonly RecordedCall[]
}

/**
 * Asks for a claim. A reply that does not fit, or names a step that there is not, is asked for once
 * more; then there is no claim (vector L13).
 *
 * @throws what the model throws
 */
export async function askClaim(
  model: LanguageModel,
  messages: readonly Message[],
  steps: number,
  options: Abortable = {},
): Promise<Claimed> {
  const schema = claimSchema(steps)
  const request = await requestFor(model, messages, schema)
  const first = await model.generate(request, options)
  const reading = readClaim(first, schema)
  const calls = [recordedCall(request, first)]
  if ('value' in reading) return { claim: reading.value, calls }
  const again: ModelRequest = {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: first.text || '(nothing)' },
      { role: 'user', content: `This does not fit: ${reading.problem}. Answer again.` },
    ],
  }
  const second = await model.generate(again, options)
  const better = readClaim(second, schema)
  const all = [...calls, recordedCall(again, second)]
  return 'value' in better ? { claim: better.value, calls: all } : { calls: all }
}

async function requestFor(
  model: LanguageModel,
  messages: readonly Message[],
  schema: ReturnType<typeof claimSchema>,
): Promise<ModelRequest> {
  const shared = { temperature: 0, maxTokens: 768 }
  if (model.capabilities.json === true) {
    const json = await jsonSchemaOf(schema)
    return { ...shared, messages, schema: { name: 'verdict', json } }
  }
  const form =
    'Answer with one JSON object: {"location": "plan" | "program" | "tool" | "none", "step": number of the step, "reason": text, "expected": what the step should have given, "confidence": 0..1}.'
  const [first, ...rest] = messages
  return {
    ...shared,
    messages:
      first?.role === 'system'
        ? [{ role: 'system', content: `${first.content}\n\n${form}` }, ...rest]
        : messages,
  }
}

/**
 * The blame that a claim means: the tool is the one called at that step, and one that cannot learn
 * makes it the program's fault (vector L14).
 */
export function blameOf(claim: Claim, attempt: Attempt): Blame | undefined {
  const { location, reason, expected } = claim
  if (location === 'none') return undefined
  const confidence = claim.confidence ?? 0.5
  const index = typeof claim.step === 'number' ? claim.step - 1 : undefined
  const step = attempt.steps.find((one) => one.index === index)
  const place = step === undefined ? {} : { step: step.index, tool: step.tool }
  if (location !== 'tool' || step === undefined) {
    return { location: location === 'tool' ? 'program' : location, ...place, confidence, reason }
  }
  const signature = attempt.signatures.find(({ name }) => name === step.tool)
  if (signature?.learnable !== true) return { location: 'program', ...place, confidence, reason }
  const text = typeof step.result === 'string' && expected ? { expected } : {}
  return { location, ...place, concept: conceptOf(step), ...text, confidence, reason }
}
