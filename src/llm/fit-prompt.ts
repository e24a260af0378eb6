import { UserFault } from '../base/index.ts'
import type { Message } from './model.ts'
import { estimateTokens } from './tokens.ts'

export interface FittedPrompt<T> {
  readonly messages: readonly Message[]
  /** Those that fit, in their order. */
  readonly kept: readonly T[]
  readonly dropped: number
  /** Estimated tokens of the messages; undefined when the window is unknown and nothing was counted. */
  readonly tokens: number | undefined
}

/**
 * A prompt that fits the context window: the least similar examples go first, the instruction never.
 *
 * @param examples  from least to most similar, as they stand in the prompt
 * @param options.build  the messages with these examples; whatever it writes besides them is kept
 * @param options.contextTokens  of the model; unknown: nothing is dropped
 * @param options.maxTokens  room for the reply
 * @throws UserFault `E_MODEL_CONTEXT` when it is too long even without examples
 * @source clova §2 (LLM settings)
 */
export async function fitPrompt<T>(
  examples: readonly T[],
  options: {
    readonly build: (examples: readonly T[]) => readonly Message[]
    readonly contextTokens: number | undefined
    readonly maxTokens: number
  },
): Promise<FittedPrompt<T>> {
  const { build, contextTokens, maxTokens } = options
  if (contextTokens === undefined) {
    return { messages: build(examples), kept: examples, dropped: 0, tokens: undefined }
  }
  const room = contextTokens - maxTokens
  for (let dropped = 0; ; dropped++) {
    const kept = examples.slice(dropped)
    const messages = build(kept)
    const tokens = await estimateTokens(messages)
    if (tokens <= room) return { messages, kept, dropped, tokens }
    if (kept.length === 0) throw tooLong(tokens, room)
  }
}

function tooLong(tokens: number, room: number): UserFault {
  return new UserFault(
    'E_MODEL_CONTEXT',
    `The prompt without any example is about ${tokens} tokens, but the model has room for ${room}.`,
    {
      fields: { tokens, room },
      cure: 'Shorten the instruction, or use a model with a larger context window.',
    },
  )
}
