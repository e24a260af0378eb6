import type { ModelReply, ToolCallPart, Usage } from '../model.ts'

/** A reply as far as it has come: from one result, or part by part from a stream. */
export interface SdkReply {
  text: string
  toolCalls: ToolCallPart[]
  finish: ModelReply['finish']
  /** False when a stream ended without saying why. */
  finished: boolean
  /** Undefined where the server did not count. */
  inputTokens: number | undefined
  outputTokens: number | undefined
  model: string | undefined
  warnings: string[]
}

type Loose = Readonly<Record<string, unknown>>

/** Nothing yet. */
export function emptyReply(): SdkReply {
  return {
    text: '',
    toolCalls: [],
    finish: 'other',
    finished: false,
    inputTokens: undefined,
    outputTokens: undefined,
    model: undefined,
    warnings: [],
  }
}

/** Reads the result of `doGenerate`; lenient, since vendors differ and versions drift. */
export function readResult(result: unknown): SdkReply {
  const reply = emptyReply()
  const { content, response, warnings, ...rest } = asLoose(result)
  for (const part of Array.isArray(content) ? content.map(asLoose) : []) {
    if (part.type === 'text') reply.text += String(part.text ?? '')
    if (part.type === 'tool-call') reply.toolCalls.push(readCall(part))
  }
  readEnd(reply, rest)
  reply.finished = true
  readModel(reply, asLoose(response))
  readWarnings(reply, warnings)
  return reply
}

/**
 * Adds one part of `doStream` to the reply.
 *
 * @returns what the reader of our stream should see of it, if anything
 */
export function readStreamPart(
  reply: SdkReply,
  raw: unknown,
): { text: string } | { call: ToolCallPart } | undefined {
  const part = asLoose(raw)
  switch (part.type) {
    case 'text-delta': {
      const text = String(part.delta ?? '')
      reply.text += text
      return text === '' ? undefined : { text }
    }
    case 'tool-call': {
      const call = readCall(part)
      reply.toolCalls.push(call)
      return { call }
    }
    case 'response-metadata':
      readModel(reply, part)
      return undefined
    case 'stream-start':
      readWarnings(reply, part.warnings)
      return undefined
    case 'finish':
      readEnd(reply, part)
      return undefined
    default:
      return undefined
  }
}

/** What the server counted, or undefined where it did not. */
export function countedUsage({ inputTokens, outputTokens }: SdkReply): Usage | undefined {
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  return { inputTokens, outputTokens }
}

function readCall(part: Loose): ToolCallPart {
  return {
    id: String(part.toolCallId ?? ''),
    name: String(part.toolName ?? ''),
    args: readArgs(part.input),
  }
}

/** The arguments as a value; text that is no JSON is passed on as it is, for the checker to refuse. */
function readArgs(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {}
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

function readEnd(reply: SdkReply, { finishReason, usage }: Loose): void {
  const { unified, raw } = asLoose(finishReason)
  const reason = typeof finishReason === 'string' ? finishReason : String(unified ?? 'other')
  reply.finish = finishOf(reason)
  reply.finished = typeof finishReason === 'string' || raw != null || reason !== 'other'
  const { inputTokens, outputTokens } = asLoose(usage)
  reply.inputTokens = countOf(inputTokens)
  reply.outputTokens = countOf(outputTokens)
}

function finishOf(reason: string): ModelReply['finish'] {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'tool-calls':
    case 'content-filter':
      return reason
    default:
      return 'other'
  }
}

/** A number (v2) or `{ total }` (v3 and later). */
function countOf(value: unknown): number | undefined {
  const count = typeof value === 'number' ? value : asLoose(value).total
  return typeof count === 'number' && Number.isFinite(count) ? count : undefined
}

function readModel(reply: SdkReply, { modelId }: Loose): void {
  if (typeof modelId === 'string' && modelId !== '') reply.model = modelId
}

function readWarnings(reply: SdkReply, warnings: unknown): void {
  for (const warning of Array.isArray(warnings) ? warnings.map(asLoose) : []) {
    const about = warning.message ?? warning.details ?? ''
    const what = warning.feature ?? warning.setting
    const parts = [what === undefined ? '' : `${String(what)} is not supported`, String(about)]
    reply.warnings.push(parts.filter((part) => part !== '').join(': '))
  }
}

function asLoose(value: unknown): Loose {
  return value !== null && typeof value === 'object' ? (value as Loose) : {}
}
