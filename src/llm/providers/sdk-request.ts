import type { Image } from '../../image/index.ts'
import { messageText } from '../messages.ts'
import type { Message, ModelRequest, Part, ToolOffer } from '../model.ts'
import type { PictureEncoder } from '../picture.ts'

/** New tokens at most, when a request does not say (clova §2). */
export const DEFAULT_MAX_TOKENS = 768

export interface SdkRequestSettings {
  /** Specification of the AI SDK model, such as `v3`; from `v4` on, file data are tagged. */
  readonly version: string
  readonly encode: PictureEncoder
  /** Where the provider reads its own options: the name it was made with. */
  readonly optionsKey: string
  /** Whether the server takes a GBNF grammar beside the messages. */
  readonly grammar: boolean
}

/** A request of ours as the call options of an AI SDK model. */
export async function sdkRequest(
  request: ModelRequest,
  settings: SdkRequestSettings,
): Promise<Record<string, unknown>> {
  const { tools = [], schema } = request
  return {
    prompt: await sdkPrompt(request.messages, settings),
    maxOutputTokens: request.maxTokens ?? DEFAULT_MAX_TOKENS,
    temperature: request.temperature ?? 0,
    ...(request.topP === undefined ? {} : { topP: request.topP }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    ...(request.stop === undefined ? {} : { stopSequences: [...request.stop] }),
    ...(schema === undefined
      ? {}
      : { responseFormat: { type: 'json', name: schema.name, schema: schema.json } }),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(sdkTool), toolChoice: { type: 'auto' as const } }),
    providerOptions: { [settings.optionsKey]: providerOptions(request, settings) },
  }
}

function providerOptions(
  { schema, grammar }: ModelRequest,
  settings: SdkRequestSettings,
): Record<string, unknown> {
  return {
    ...(schema === undefined ? {} : { strictJsonSchema: isStrict(schema.json) }),
    ...(grammar !== undefined && settings.grammar ? { grammar } : {}),
  }
}

/**
 * Whether a schema may be sent as `strict`: every object closed, every property required.
 *
 * OpenAI refuses a strict schema with optional properties; a loose one is only advice to it, and the
 * reply is validated by us in either case.
 */
export function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (schema === null || typeof schema !== 'object') return true
  const { properties, required, additionalProperties } = schema as Record<string, unknown>
  if (properties !== undefined) {
    const names = Object.keys(properties as object)
    const wanted = Array.isArray(required) ? required : []
    if (additionalProperties !== false || names.some((name) => !wanted.includes(name))) return false
  }
  return Object.values(schema).every(isStrict)
}

function sdkTool(tool: ToolOffer): object {
  const { name, about, parameters } = tool
  return { type: 'function', name, description: about, inputSchema: parameters }
}

async function sdkPrompt(
  messages: readonly Message[],
  settings: SdkRequestSettings,
): Promise<object[]> {
  const prompt: object[] = []
  let waiting: readonly Image[] = []
  for (const message of messages) {
    if (message.role !== 'tool') {
      await flush()
      prompt.push(await sdkMessage(message, settings))
      continue
    }
    prompt.push(toolResult(message))
    waiting = [...waiting, ...(message.pictures ?? [])]
  }
  await flush()
  return prompt

  // A picture in a tool result is sent as JSON text, which no model can see; and all results of one
  // turn must stand together. So the pictures follow the last result, as a turn of the user.
  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    const parts: Part[] = [
      { type: 'text', text: 'The pictures that the tools returned, in order:' },
      ...waiting.map((image) => ({ type: 'image' as const, image })),
    ]
    waiting = []
    prompt.push({ role: 'user', content: await sdkParts(parts, settings) })
  }
}

async function sdkMessage(
  message: Exclude<Message, { role: 'tool' }>,
  settings: SdkRequestSettings,
): Promise<object> {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user': {
      const { content } = message
      const parts =
        typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
      return { role: 'user', content: await sdkParts(parts, settings) }
    }
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(({ id, name, args }) => ({
        ...{ type: 'tool-call', toolCallId: id, toolName: name, input: args },
      }))
      const text = message.content === '' ? [] : [{ type: 'text', text: message.content }]
      return { role: 'assistant', content: [...text, ...calls] }
    }
    default:
      throw message satisfies never
  }
}

function toolResult(message: Extract<Message, { role: 'tool' }>): object {
  const output = {
    type: message.isError === true ? 'error-text' : 'text',
    value: messageText(message),
  }
  const part = { type: 'tool-result', toolCallId: message.callId, toolName: message.name, output }
  return { role: 'tool', content: [part] }
}

function sdkParts(parts: readonly Part[], settings: SdkRequestSettings): Promise<object[]> {
  return Promise.all(
    parts.map(async (part) => {
      if (part.type === 'text') return { type: 'text', text: part.text }
      const { bytes, mediaType } = await settings.encode(part.image)
      const tagged = !['v2', 'v3'].includes(settings.version)
      return { type: 'file', mediaType, data: tagged ? { type: 'data', data: bytes } : bytes }
    }),
  )
}
