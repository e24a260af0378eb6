import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ToolCallPart } from '../llm/index.ts'

/** One answer of the server: a reply, or some way of going wrong. */
export type FakeAnswer = FakeReply | FakeRefusal | { readonly hang: true }

/** A reply, as JSON or, when the request asks to stream, as server-sent events. */
export interface FakeReply {
  readonly text?: string
  /** How streaming cuts the text; joined, they are the text. */
  readonly chunks?: readonly string[]
  readonly toolCalls?: readonly ToolCallPart[]
  readonly finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  /** Null: the server does not count. */
  readonly usage?: { readonly prompt: number; readonly completion: number } | null
  /** A stream that ends early: closed politely before its finish, or the connection reset. */
  readonly broken?: 'closed' | 'reset'
  readonly contentType?: string
}

/** Anything else, byte for byte. */
export interface FakeRefusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface FakeRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
}

export interface FakeOpenAiServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  readonly requests: readonly FakeRequest[]
  /** Resolves when this many requests have come, those that hang included. */
  arrived(count: number): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A server on 127.0.0.1 that speaks OpenAI's chat completions: real HTTP, real server-sent events.
 *
 * Answers come in order; a function answers every request that is left. What was not scripted is
 * refused with status 501.
 */
export async function fakeOpenAiServer(
  answers: readonly FakeAnswer[] | ((request: FakeRequest) => FakeAnswer),
): Promise<FakeOpenAiServer> {
  const requests: FakeRequest[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []

  const answerOf = (request: FakeRequest): FakeAnswer => {
    if (typeof answers === 'function') return answers(request)
    return answers[requests.length - 1] ?? problem(501, 'nothing is scripted for this request')
  }
  const server = createServer((incoming, outgoing) => {
    void readRequest(incoming).then((request) => {
      requests.push(request)
      const answer = answerOf(request)
      for (const { count, resolve } of waiting) if (requests.length >= count) resolve()
      send(outgoing, request, answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    arrived: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return {
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  }
}

function send(outgoing: ServerResponse, request: FakeRequest, answer: FakeAnswer): void {
  if ('hang' in answer) return
  if ('status' in answer) {
    outgoing.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    outgoing.end(answer.body ?? '')
    return
  }
  const model = String(request.body.model ?? 'unknown')
  if (request.body.stream === true) {
    sendStream(outgoing, model, answer)
    return
  }
  outgoing.writeHead(200, { 'content-type': answer.contentType ?? 'application/json' })
  outgoing.end(JSON.stringify(completion(model, answer)))
}

function completion(model: string, answer: FakeReply): object {
  const { toolCalls = [], usage = { prompt: 10, completion: 5 } } = answer
  const message = {
    role: 'assistant',
    content: textOf(answer),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(wireCall) }),
  }
  const choices = [{ index: 0, message, finish_reason: finishOf(answer) }]
  return { ...head('chat.completion', model), choices, ...wireUsage(usage) }
}

function sendStream(outgoing: ServerResponse, model: string, answer: FakeReply): void {
  const { toolCalls = [], usage = { prompt: 10, completion: 5 } } = answer
  outgoing.writeHead(200, { 'content-type': answer.contentType ?? 'text/event-stream' })
  const chunk = (delta: object, finish: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    outgoing.write(event({ ...head('chat.completion.chunk', model), choices }))
  }
  chunk({ role: 'assistant', content: '' })
  for (const content of answer.chunks ?? textOf(answer).match(/\S*\s*/g) ?? []) {
    if (content !== '') chunk({ content })
  }
  if (answer.broken === 'reset') {
    // Only after the chunks have left, so that the reader sees them first.
    outgoing.write(': reset follows\n\n', () => outgoing.destroy())
    return
  }
  if (answer.broken === 'closed') {
    outgoing.end()
    return
  }
  for (const [index, call] of toolCalls.entries()) sendCall(chunk, index, call)
  chunk({}, finishOf(answer))
  if (usage !== null) {
    outgoing.write(
      event({ ...head('chat.completion.chunk', model), choices: [], ...wireUsage(usage) }),
    )
  }
  outgoing.end('data: [DONE]\n\n')
}

/** A call in two deltas, its arguments cut in the middle, as servers do. */
function sendCall(chunk: (delta: object) => void, index: number, call: ToolCallPart): void {
  const { id, type, function: named } = wireCall(call)
  const half = Math.floor(named.arguments.length / 2)
  const parts = [named.arguments.slice(0, half), named.arguments.slice(half)]
  chunk({ tool_calls: [{ index, id, type, function: { name: named.name, arguments: parts[0] } }] })
  chunk({ tool_calls: [{ index, function: { arguments: parts[1] } }] })
}

function wireCall({ id, name, args }: ToolCallPart) {
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  return { id, type: 'function', function: { name, arguments: text } }
}

function textOf({ text, chunks }: FakeReply): string {
  return text ?? chunks?.join('') ?? ''
}

function finishOf({ finish, toolCalls = [] }: FakeReply): string {
  return finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')
}

function wireUsage(usage: FakeReply['usage']): object {
  if (usage === null || usage === undefined) return {}
  const { prompt, completion } = usage
  const total_tokens = prompt + completion
  return { usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens } }
}

function head(object: string, model: string): object {
  return { id: 'fake-1', object, created: 0, model }
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function problem(status: number, message: string): FakeRefusal {
  return { status, body: JSON.stringify({ error: { message, type: 'fake' } }) }
}
