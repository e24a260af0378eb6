import type { z } from 'zod'
import { isFault } from '../../base/index.ts'
import type { Abortable } from '../../base/index.ts'
import { jsonSchemaOf, readStructured, recordedCall } from '../../llm/index.ts'
import type { LanguageModel, Message, ModelReply, ModelRequest, Part } from '../../llm/index.ts'
import type { ModelCall } from '../step.ts'
import type { Ledger } from './ledger.ts'

/** Tokens that one call may take: what it shows by length, and the cap of its reply. */
export type Estimate = (request: { readonly text: string; readonly maxTokens: number }) => number

/** Four characters a token: more than English needs, so that a reservation holds. */
export const roughEstimate: Estimate = ({ text, maxTokens }) =>
  Math.ceil(text.length / 4) + maxTokens

/** A language model in one role, with what it may spend. */
export interface Desk extends Abortable {
  readonly model: LanguageModel
  readonly ledger: Ledger
  readonly estimate: Estimate
}

export interface Question<T> {
  readonly purpose: string
  readonly system: string
  readonly user: string | readonly Part[]
  readonly schema: z.ZodType<T>
  /** Default 600. */
  readonly maxTokens?: number
  /** What is wrong with a reply that fits the schema; undefined when nothing is. */
  readonly check?: (value: T) => string | undefined
}

export interface Asked<T> {
  readonly value?: T
  /** The last reply that fitted the schema, though a check refused it. */
  readonly last?: T
  readonly calls: readonly ModelCall[]
  /** Faults of replies, in order: one was sent back, the second given up. */
  readonly problems: readonly string[]
  /** Why there is no value. */
  readonly failed?: 'output' | 'model' | 'budget'
}

/**
 * A checked value from a model: one try, one repair that states the fault, then given up.
 *
 * Never throws for what a model or its server does; a cancelled signal is thrown as it is.
 */
export async function askModel<T>(desk: Desk, question: Question<T>): Promise<Asked<T>> {
  const { purpose, schema, check, maxTokens = 600 } = question
  const calls: ModelCall[] = []
  const problems: string[] = []
  let messages = await openingMessages(desk.model, question)
  let last: { last?: T } = {}
  for (let turn = 0; turn < 2; turn++) {
    const tokens = desk.estimate({ text: messages.map(textOf).join('\n'), maxTokens })
    if (desk.ledger.breaks({ llmCalls: 1, tokens }) !== undefined) {
      return { ...last, calls, problems, failed: turn === 0 ? 'budget' : 'output' }
    }
    const request: ModelRequest = { messages, maxTokens, ...(await nativeSchema(desk, question)) }
    let reply: ModelReply
    try {
      reply = await desk.model.generate(request, { signal: desk.signal })
    } catch (error) {
      if (desk.signal?.aborted === true || !isFault(error) || error.kind === 'Bug') throw error
      return { ...last, calls, problems: [...problems, error.message], failed: 'model' }
    }
    calls.push(Object.freeze({ ...recordedCall(request, reply), purpose }))
    const reading = readStructured(reply, schema)
    const problem = 'problem' in reading ? reading.problem : check?.(reading.value)
    if (problem === undefined && 'value' in reading)
      return { value: reading.value, calls, problems }
    if ('value' in reading) last = { last: reading.value }
    problems.push(problem ?? 'nothing')
    messages = [...messages, ...repairTurns(reply, problem ?? 'nothing')]
  }
  return { ...last, calls, problems, failed: 'output' }
}

async function openingMessages<T>(
  model: LanguageModel,
  { system, user, schema }: Question<T>,
): Promise<readonly Message[]> {
  const rule =
    model.capabilities.json === true
      ? ''
      : `\n\nReply with one JSON value that fits this JSON Schema, and with nothing else:\n${JSON.stringify(await jsonSchemaOf(schema))}`
  return [
    { role: 'system', content: `${system}${rule}` },
    { role: 'user', content: user },
  ]
}

async function nativeSchema<T>(
  { model }: Desk,
  { purpose, schema }: Question<T>,
): Promise<Pick<ModelRequest, 'schema'>> {
  if (model.capabilities.json !== true) return {}
  return { schema: { name: purpose.replace(/[^\w-]/g, '_'), json: await jsonSchemaOf(schema) } }
}

function repairTurns(reply: ModelReply, problem: string): readonly Message[] {
  return [
    { role: 'assistant', content: reply.text || '(nothing)' },
    {
      role: 'user',
      content: `This reply cannot be used: ${problem}. Reply again with the corrected JSON value only.`,
    },
  ]
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}
