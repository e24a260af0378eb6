import { UserFault } from '../base/index.ts'
import { promptText } from './messages.ts'
import type { LanguageModel, ModelCapabilities, ModelReply, ModelRequest } from './model.ts'
import { replay, replyOf } from './reply.ts'

/** A request and its reply as they stand in the record of a run: enough to replay it. */
export interface RecordedCall {
  readonly model: string
  /** By `promptText`. */
  readonly prompt: string
  readonly reply: string
  readonly ms: number
  readonly cached: boolean
  readonly toolCalls?: ModelReply['toolCalls']
  readonly finish?: ModelReply['finish']
  readonly usage?: ModelReply['usage']
}

/** The record of one request. */
export function recordedCall(request: ModelRequest, reply: ModelReply): RecordedCall {
  const { text, toolCalls, finish, usage, model, ms, cached } = reply
  return Object.freeze({
    ...{ model, prompt: promptText(request), reply: text, ms, cached, finish, usage },
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  })
}

/** A model whose every finished reply is handed to `record`. */
export function withRecord(
  model: LanguageModel,
  record: (call: RecordedCall) => void,
): LanguageModel {
  return {
    id: model.id,
    capabilities: model.capabilities,
    async generate(request, options) {
      const reply = await model.generate(request, options)
      record(recordedCall(request, reply))
      return reply
    },
    async *stream(request, options) {
      for await (const part of model.stream(request, options)) {
        if (part.type === 'finish') record(recordedCall(request, part.reply))
        yield part
      }
    },
  }
}

/**
 * A model that repeats the replies of a record, without any model.
 *
 * A request is found by its prompt, so steps that ran side by side may come in another order; equal
 * prompts get their replies in the order of the record.
 *
 * @throws UserFault `E_REPLAY` for a prompt that the record does not have, or not as often
 */
export function replayModel(
  record: readonly RecordedCall[],
  options: { readonly id?: string; readonly capabilities?: ModelCapabilities } = {},
): LanguageModel {
  const id = options.id ?? record[0]?.model ?? 'replay/record'
  const waiting = new Map<string, RecordedCall[]>()
  for (const call of record) waiting.set(call.prompt, [...(waiting.get(call.prompt) ?? []), call])

  const next = (request: ModelRequest, signal: AbortSignal | undefined): ModelReply => {
    signal?.throwIfAborted()
    const prompt = promptText(request)
    const call = waiting.get(prompt)?.shift()
    if (call === undefined) throw notRecorded(prompt, waiting)
    const { reply: text, toolCalls = [], finish = 'stop', usage, model, ms } = call
    return replyOf({ text, toolCalls, finish, model, ms, cached: true, ...(usage && { usage }) })
  }
  return {
    id,
    capabilities: options.capabilities ?? {},
    generate: async (request, { signal } = {}) => next(request, signal),
    async *stream(request, { signal } = {}) {
      yield* replay(next(request, signal))
    },
  }
}

function notRecorded(prompt: string, waiting: ReadonlyMap<string, readonly RecordedCall[]>) {
  const again = waiting.has(prompt)
  const message = again
    ? 'The replay asked the model once more than the record did.'
    : 'The replay asked the model something that the record does not have.'
  return new UserFault('E_REPLAY', message, {
    fields: { prompt },
    cure: 'The code, the prompts or the memory have changed since this run: run it again.',
  })
}
