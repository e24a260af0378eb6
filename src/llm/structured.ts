import type { z } from 'zod'
import { ModelFault } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import { jsonCandidates } from './extract-json.ts'
import type { LanguageModel, Message, ModelReply, ModelRequest } from './model.ts'
import { isCut } from './reply.ts'

export interface StructuredReply<T> {
  readonly value: T
  /** Every reply, the faulty one before a repair included. */
  readonly replies: readonly ModelReply[]
  readonly repaired: boolean
}

/**
 * A value of a schema from a model.
 *
 * The schema goes to the provider where it decodes by it (`capabilities.json`), else into the
 * prompt; in both cases the reply is read leniently and validated. A reply that does not fit goes
 * back once with the validator's words.
 *
 * @param options.name  of the schema, for the provider and the record; letters, digits, `_`, `-`
 * @throws ModelFault `E_MODEL_REPLY` with `fields.problem` and `fields.reply` when the second reply
 *   does not fit either; whatever the model throws
 */
export async function generateStructured<T>(
  model: LanguageModel,
  request: Omit<ModelRequest, 'schema' | 'grammar'>,
  schema: z.ZodType<T>,
  options: Abortable & { readonly name: string },
): Promise<StructuredReply<T>> {
  const { name, signal } = options
  const asked = await withSchema(model, request, { name, json: await jsonSchemaOf(schema) })
  const first = await model.generate(asked, { signal })
  const reading = readStructured(first, schema)
  if ('value' in reading) return { value: reading.value, replies: [first], repaired: false }

  const again = { ...asked, messages: [...asked.messages, ...repairTurns(first, reading.problem)] }
  const second = await model.generate(again, { signal })
  const better = readStructured(second, schema)
  if ('value' in better) return { value: better.value, replies: [first, second], repaired: true }
  throw new ModelFault(
    'E_MODEL_REPLY',
    `${model.id}: the reply does not fit ${name}: ${better.problem}`,
    {
      fields: {
        model: model.id,
        schema: name,
        problem: better.problem,
        reply: second.text.slice(0, 2000),
      },
      cure: 'Use a larger model for this role, or one that decodes by a schema.',
    },
  )
}

/** What a reply means by a schema, or what is wrong with it, as one line for the model. */
export function readStructured<T>(
  reply: Pick<ModelReply, 'text' | 'finish'>,
  schema: z.ZodType<T>,
): { readonly value: T } | { readonly problem: string } {
  let problem: string | undefined
  for (const candidate of jsonCandidates(reply.text)) {
    const checked = schema.safeParse(candidate)
    if (checked.success) return { value: checked.data }
    problem ??= checked.error.issues.map(issueText).join('; ')
  }
  if (isCut(reply as ModelReply))
    return { problem: 'it was cut before its end; write a shorter one' }
  return { problem: problem ?? 'there is no JSON value in it' }
}

const schemas = new WeakMap<z.ZodType, object>()

/** The JSON Schema (draft 7) of what a model may write for a zod schema; made once for each. */
export async function jsonSchemaOf(schema: z.ZodType): Promise<object> {
  const known = schemas.get(schema)
  if (known !== undefined) return known
  const { z } = await import('zod')
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })
  const closed = closeObjects(json) as object
  schemas.set(schema, closed)
  return closed
}

/** Objects take no other properties: providers that decode by a schema ask for it to be said. */
function closeObjects(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closeObjects)
  if (node === null || typeof node !== 'object') return node
  const entries = Object.entries(node).map(([key, value]) => [key, closeObjects(value)])
  const copy = Object.fromEntries(entries) as Record<string, unknown>
  const isObject = copy.type === 'object' && typeof copy.properties === 'object'
  return isObject && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy
}

async function withSchema(
  model: LanguageModel,
  request: Omit<ModelRequest, 'schema' | 'grammar'>,
  schema: { readonly name: string; readonly json: object },
): Promise<ModelRequest> {
  if (model.capabilities.json === true) return { ...request, schema }
  const rule =
    'Reply with one JSON value that fits this JSON Schema, and with nothing else:\n' +
    JSON.stringify(schema.json)
  const [first, ...rest] = request.messages
  const messages: readonly Message[] =
    first?.role === 'system'
      ? [{ role: 'system', content: `${first.content}\n\n${rule}` }, ...rest]
      : [{ role: 'system', content: rule }, ...request.messages]
  return { ...request, messages }
}

function repairTurns(reply: ModelReply, problem: string): readonly Message[] {
  return [
    { role: 'assistant', content: reply.text || '(nothing)' },
    {
      role: 'user',
      content: `This reply does not fit the schema: ${problem}. Reply again with the corrected JSON value only.`,
    },
  ]
}

function issueText({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}
