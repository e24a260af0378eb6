import type { Abortable } from '../../base/index.ts'
import { fitPrompt, isCut, recordedCall, withoutThoughts } from '../../llm/index.ts'
import type { LanguageModel, Message, ModelReply, ModelRequest } from '../../llm/index.ts'
import type { Retrieved } from '../../memory/index.ts'
import type { Demonstration } from '../../memory/index.ts'
import type { ModelCall } from '../step.ts'

/** One question to the model, with examples that may be left out. */
export interface Question extends Abortable {
  readonly purpose: string
  /** From the least to the most similar. */
  readonly examples: readonly Retrieved[]
  readonly build: (examples: readonly Demonstration[]) => readonly Message[]
  readonly temperature?: number
  readonly seed?: number
  /** Constrains decoding; only for models that can. */
  readonly grammar?: string | undefined
}

export interface Reply {
  readonly text: string
  /** Ids of the demonstrations shown, in the prompt's order. */
  readonly demonstrations: readonly string[]
  readonly calls: readonly ModelCall[]
}

/** New tokens for a reply (clova §2, LLM settings). */
export const MAX_TOKENS = 768

/**
 * The model's reply. The prompt is fitted to its window by dropping the least similar examples; a reply
 * that was cut off is asked for once more with half of them.
 *
 * @throws what the model throws
 */
export async function ask(model: LanguageModel, question: Question): Promise<Reply> {
  const first = await askOnce(model, question)
  if (!isCut(first.reply)) return replyOf(first, [])
  const fewer = { ...question, examples: first.kept.slice(Math.ceil(first.kept.length / 2)) }
  const second = await askOnce(model, fewer)
  return replyOf(second, [first.call])
}

interface Asked {
  readonly reply: ModelReply
  readonly call: ModelCall
  readonly kept: readonly Retrieved[]
}

async function askOnce(model: LanguageModel, question: Question): Promise<Asked> {
  const { examples, build, purpose, temperature = 0, seed, grammar, signal } = question
  const { messages, kept } = await fitPrompt(examples, {
    build: (some) => build(some.map((one) => one.demonstration)),
    contextTokens: model.capabilities.contextTokens,
    maxTokens: MAX_TOKENS,
  })
  const request: ModelRequest = {
    messages,
    temperature,
    maxTokens: MAX_TOKENS,
    ...(seed === undefined ? {} : { seed }),
    ...(grammar === undefined ? {} : { grammar }),
  }
  const reply = await model.generate(request, { signal })
  return { reply, kept, call: { ...recordedCall(request, reply), purpose } }
}

function replyOf({ reply, call, kept }: Asked, before: readonly ModelCall[]): Reply {
  return {
    text: withoutThoughts(reply.text).trim(),
    demonstrations: inPromptOrder(kept).map((one) => one.demonstration.id),
    calls: [...before, call],
  }
}

/** Wrong ones stand before right ones. */
function inPromptOrder(kept: readonly Retrieved[]): readonly Retrieved[] {
  const isRight = ({ demonstration }: Retrieved): boolean => demonstration.verdict === 'right'
  return [...kept.filter((one) => !isRight(one)), ...kept.filter(isRight)]
}
