import { ModelFault } from '../base/index.ts'
import type { ModelReply, ReplyPart } from './model.ts'

/** A reply with what was not given filled in: no calls, finished, no tokens, not cached. */
export function replyOf(parts: Partial<ModelReply> & { readonly model: string }): ModelReply {
  return Object.freeze({
    text: '',
    toolCalls: [],
    finish: 'stop',
    usage: { inputTokens: 0, outputTokens: 0 },
    ms: 0,
    cached: false,
    ...parts,
  })
}

/**
 * The whole reply of a stream.
 *
 * @throws ModelFault `E_MODEL_REPLY` when the stream ends without its last part
 */
export async function collect(stream: AsyncIterable<ReplyPart>): Promise<ModelReply> {
  for await (const part of stream) {
    if (part.type === 'finish') return part.reply
  }
  throw new ModelFault('E_MODEL_REPLY', 'The reply ended before it was finished.')
}

/** A finished reply as a stream: its text, its calls, its end. */
export async function* replay(reply: ModelReply): AsyncIterable<ReplyPart> {
  if (reply.text !== '') yield { type: 'text-delta', text: reply.text }
  for (const call of reply.toolCalls) yield { type: 'tool-call', call }
  yield { type: 'finish', reply }
}

/** True when the limit of new tokens cut the reply: ask again for less, or with more room. */
export function isCut(reply: ModelReply): boolean {
  return reply.finish === 'length'
}
