import { messageText, requestPictures } from './messages.ts'
import type { Message, ModelRequest, Usage } from './model.ts'

/** Marks around a message in chat templates; an average of common ones. */
const TOKENS_PER_MESSAGE = 4

/**
 * How many tokens a text is, by the o200k vocabulary: an estimate for every other vocabulary.
 *
 * The vocabulary is loaded at the first call, some 100 ms.
 */
export async function countTokens(text: string): Promise<number> {
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base')
  // A special token in a user's text is text like any other.
  return count(text, { disallowedSpecial: new Set() })
}

/** What messages take of the context window; pictures by area, 750 pixels a token, at most 1,600. */
export async function estimateTokens(messages: readonly Message[]): Promise<number> {
  const texts = await Promise.all(
    messages.map(async (message) => TOKENS_PER_MESSAGE + (await countTokens(messageText(message)))),
  )
  const pictures = requestPictures({ messages }).map(({ width, height }) =>
    Math.min(1600, Math.ceil((width * height) / 750)),
  )
  return [...texts, ...pictures].reduce((sum, count) => sum + count, 0)
}

/** Usage for a server that does not count, marked as estimated. */
export async function estimateUsage(request: ModelRequest, text: string): Promise<Usage> {
  const inputTokens = await estimateTokens(request.messages)
  return { inputTokens, outputTokens: await countTokens(text), estimated: true }
}
