import { basename } from 'node:path'
import { Bug, silentLog, systemClock, UserFault } from '../../base/index.ts'
import type { Clock, Log } from '../../base/index.ts'
import type { LanguageModel, Message, ModelReply, ModelRequest } from '../model.ts'
import { messageText, requestPictures } from '../messages.ts'
import { pushStream } from '../push-stream.ts'
import { collect, replyOf } from '../reply.ts'
import type { ReplyPart } from '../model.ts'
import { loadGguf } from './gguf-runtime.ts'
import type { GgufOptions, GgufRuntime, LlamaGrammar, LlamaResponse } from './gguf-runtime.ts'
import { DEFAULT_MAX_TOKENS } from './sdk-request.ts'

/** Tokens of a chat template around each message, and the least room that a reply needs. */
const TOKENS_AROUND = 12
const LEAST_ROOM = 16

/** A model in this process; it holds its memory until it is closed. */
export interface GgufModel extends LanguageModel {
  close(): Promise<void>
}

/**
 * A GGUF file through node-llama-cpp; loaded at the first request, one reply at a time.
 *
 * Decoding follows `request.grammar` (GBNF) or `request.schema`, so that even a small model writes
 * only what is well-formed; a schema that the runtime cannot follow constrains to JSON of any shape,
 * and the reply says so in its warnings. It sees no pictures and takes no tools.
 *
 * @throws UserFault `E_MODEL_FILE`, `E_MODEL_CONTEXT`, `E_MODEL_VISION`, `E_MODEL_TOOLS`;
 *   Unavailable `E_NOT_INSTALLED`, `E_MODEL_LOAD`; Bug `E_GRAMMAR` for a grammar that does not parse
 */
export function ggufModel(
  path: string,
  options: GgufOptions & {
    readonly id?: string
    readonly clock?: Clock
    readonly log?: Log
  } = {},
): GgufModel {
  const { clock = systemClock, log = silentLog, contextTokens = 4096 } = options
  const id = options.id ?? `gguf/${basename(path)}`
  let loading: Promise<GgufRuntime> | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const load = (signal: AbortSignal | undefined): Promise<GgufRuntime> => {
    loading ??= loadGguf(path, options, { log, signal }).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work)
    queue = turn.catch(() => {})
    return turn
  }
  const write = async (
    request: ModelRequest,
    signal: AbortSignal | undefined,
    onText: (text: string) => void,
  ): Promise<ModelReply> => {
    signal?.throwIfAborted()
    checkRequest(request, id)
    const runtime = await load(signal)
    const since = clock.tick()
    const reply = await writeReply(runtime, request, { id, signal, onText })
    return replyOf({ ...reply, model: id, ms: clock.tick() - since })
  }
  async function* stream(
    request: ModelRequest,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<ReplyPart> {
    const stop = new AbortController()
    const either = AbortSignal.any(signal === undefined ? [stop.signal] : [stop.signal, signal])
    const parts = pushStream<ReplyPart>()
    const onText = (text: string): void => parts.push({ type: 'text-delta', text })
    inTurn(() => write(request, either, onText)).then(
      (reply) => {
        parts.push({ type: 'finish', reply })
        parts.end()
      },
      (error: unknown) => parts.fail(error),
    )
    try {
      yield* parts.values
    } finally {
      stop.abort()
    }
  }

  return {
    id,
    capabilities: {
      vision: false,
      visionWithTools: false,
      tools: false,
      json: true,
      grammar: true,
      contextTokens,
    },
    generate: (request, options) => collect(stream(request, options)),
    stream,
    close: () =>
      inTurn(async () => {
        const runtime = await loading
        loading = undefined
        await runtime?.llama.dispose()
      }),
  }
}

function checkRequest(request: ModelRequest, id: string): void {
  if (requestPictures(request).length > 0) {
    throw new UserFault('E_MODEL_VISION', `${id} sees no pictures.`, {
      fields: { model: id },
      cure: 'Use a model that sees, such as ollama/qwen2.5vl:7b, for this role.',
    })
  }
  if ((request.tools ?? []).length > 0) {
    throw new UserFault('E_MODEL_TOOLS', `${id} takes no tools.`, {
      fields: { model: id },
      cure: 'Ask for JSON by a schema instead, or use a model that takes tools.',
    })
  }
}

async function writeReply(
  runtime: GgufRuntime,
  request: ModelRequest,
  {
    id,
    signal,
    onText,
  }: { id: string; signal: AbortSignal | undefined; onText: (text: string) => void },
): Promise<Partial<ModelReply>> {
  const inputTokens = countInput(runtime, request.messages)
  const room = runtime.context.contextSize - inputTokens
  if (room < LEAST_ROOM) throw tooLong(id, inputTokens, runtime.context.contextSize)
  const { grammar, warning } = await grammarFor(runtime, request)
  let outputTokens = 0
  const result = await runtime.chat.generateResponse(historyOf(request.messages), {
    ...(signal && { signal }),
    maxTokens: Math.min(request.maxTokens ?? DEFAULT_MAX_TOKENS, room),
    temperature: request.temperature ?? 0,
    ...(request.topP === undefined ? {} : { topP: request.topP }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    ...(request.stop === undefined ? {} : { customStopTriggers: [...request.stop] }),
    ...(grammar === undefined ? {} : { grammar }),
    onTextChunk: onText,
    onToken: (tokens: readonly unknown[]) => (outputTokens += tokens.length),
  })
  return {
    text: result.response,
    finish: finishOf(result),
    usage: { inputTokens, outputTokens },
    ...(warning === undefined ? {} : { warnings: [warning] }),
  }
}

function countInput({ weights }: GgufRuntime, messages: readonly Message[]): number {
  return messages.reduce(
    (sum, message) => sum + weights.tokenize(messageText(message)).length + TOKENS_AROUND,
    0,
  )
}

async function grammarFor(
  { llama }: GgufRuntime,
  { grammar, schema }: ModelRequest,
): Promise<{ grammar?: LlamaGrammar; warning?: string }> {
  if (grammar !== undefined) {
    try {
      return { grammar: await llama.createGrammar({ grammar }) }
    } catch (cause) {
      throw new Bug('E_GRAMMAR', `llama.cpp cannot read the grammar: ${String(cause)}`, {
        ...{ fields: { grammar }, cause },
      })
    }
  }
  if (schema === undefined) return {}
  try {
    return { grammar: await llama.createGrammarForJsonSchema(schema.json) }
  } catch (cause) {
    const warning = `the schema ${schema.name} is not followed while decoding: ${String(cause)}`
    return { grammar: await llama.getGrammarFor('json'), warning }
  }
}

/** Our messages as llama.cpp's chat; it must end with an empty turn of the model, which it fills. */
function historyOf(messages: readonly Message[]): object[] {
  const turns = messages.map((message): object => {
    switch (message.role) {
      case 'system':
        return { type: 'system', text: message.content }
      case 'user':
        return { type: 'user', text: messageText(message) }
      case 'tool':
        return { type: 'user', text: `Result of ${message.name}:\n${message.content}` }
      case 'assistant':
        return { type: 'model', response: [message.content] }
      default:
        throw message satisfies never
    }
  })
  return [...turns, { type: 'model', response: [] }]
}

function finishOf({ metadata: { stopReason } }: LlamaResponse): ModelReply['finish'] {
  if (stopReason === 'maxTokens') return 'length'
  return ['eogToken', 'stopGenerationTrigger', 'customStopTrigger'].includes(stopReason)
    ? 'stop'
    : 'other'
}

function tooLong(id: string, tokens: number, contextTokens: number): UserFault {
  return new UserFault(
    'E_MODEL_CONTEXT',
    `The prompt is ${tokens} tokens, but ${id} reads ${contextTokens}.`,
    {
      fields: { model: id, tokens, contextTokens },
      cure: 'Give a larger contextTokens for this model, or show fewer examples.',
    },
  )
}
