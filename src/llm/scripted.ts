import type { Abortable } from '../base/index.ts'
import { Bug, orAbort } from '../base/index.ts'
import { requestText } from './messages.ts'
import type { LanguageModel, ModelCapabilities, ModelReply, ModelRequest } from './model.ts'
import { replyOf } from './reply.ts'

/** What a scripted model says: text, parts of a reply, or an error that is thrown. */
export type ScriptedReply = string | Error | ScriptedParts

export interface ScriptedParts extends Partial<ModelReply> {
  /** How streaming cuts the text; joined, they are the text. Default: after each space. */
  readonly chunks?: readonly string[]
  /** Thrown after the chunks: a connection that breaks in the middle. */
  readonly error?: Error
}

/** A reply made from the request; it may be late, and is dropped when the signal fires. */
export type ScriptedAnswer =
  ScriptedReply | ((request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>)

/** Which requests a line of the script answers: a part of their text, a pattern, or a test. */
export type ScriptedWhen = string | RegExp | ((request: ModelRequest) => boolean)

/** A line with `when` answers each request that matches; the others answer once, in order. */
export type ScriptLine =
  ScriptedAnswer | { readonly when: ScriptedWhen; readonly reply: ScriptedAnswer }

export interface ScriptedModel extends LanguageModel {
  /** Every request so far, oldest first, those that failed included. */
  readonly calls: readonly ModelRequest[]
  /** How many lines without `when` are still to be said. */
  remaining(): number
}

/**
 * A language model that says what it was told to say and records what it was asked.
 *
 * A line whose `when` matches wins over the lines in order.
 *
 * @param options.id  default `scripted/model`
 * @throws Bug `E_NOT_SCRIPTED` for a request that nothing answers, quoting its last message
 * @example scriptedModel(['first reply', { when: /plan/i, reply: 'LOC, then COUNT' }])
 */
export function scriptedModel(
  script: readonly ScriptLine[],
  options: { id?: string; capabilities?: ModelCapabilities } = {},
): ScriptedModel {
  const id = options.id ?? 'scripted/model'
  const calls: ModelRequest[] = []
  const inOrder = script.filter((line) => !hasWhen(line)) as ScriptedAnswer[]
  let said = 0

  const next = async (request: ModelRequest, { signal }: Abortable): Promise<ScriptedReply> => {
    signal?.throwIfAborted()
    calls.push(request)
    const line = script.find((line) => hasWhen(line) && matches(line.when, request))
    const answer = hasWhen(line) ? line.reply : inOrder[said++]
    if (answer === undefined) throw notScripted(id, request, calls.length)
    if (typeof answer !== 'function') return answer
    return orAbort(Promise.resolve(answer(request)), signal)
  }

  return {
    id,
    capabilities: options.capabilities ?? {},
    calls,
    remaining: () => Math.max(0, inOrder.length - said),
    generate: async (request, options = {}) => {
      const answer = await next(request, options)
      const parts = partsOf(answer)
      if (parts.error !== undefined) throw parts.error
      return fullReply(parts, id)
    },
    async *stream(request, options = {}) {
      const parts = partsOf(await next(request, options))
      const reply = fullReply(parts, id)
      for (const text of parts.chunks ?? reply.text.match(/\S*\s*/g) ?? []) {
        options.signal?.throwIfAborted()
        if (text !== '') yield { type: 'text-delta', text }
      }
      if (parts.error !== undefined) throw parts.error
      for (const call of reply.toolCalls) yield { type: 'tool-call', call }
      yield { type: 'finish', reply }
    },
  }
}

function hasWhen(
  line: ScriptLine | undefined,
): line is { when: ScriptedWhen; reply: ScriptedAnswer } {
  return typeof line === 'object' && 'when' in line
}

function matches(when: ScriptedWhen, request: ModelRequest): boolean {
  if (typeof when === 'function') return when(request)
  const text = requestText(request)
  return typeof when === 'string' ? text.includes(when) : new RegExp(when).test(text)
}

function partsOf(answer: ScriptedReply): ScriptedParts {
  if (answer instanceof Error) return { error: answer }
  return typeof answer === 'string' ? { text: answer } : answer
}

function fullReply({ chunks, error: _, ...parts }: ScriptedParts, id: string): ModelReply {
  const toolCalls = parts.toolCalls ?? []
  return replyOf({
    text: parts.text ?? chunks?.join('') ?? '',
    finish: toolCalls.length > 0 ? 'tool-calls' : 'stop',
    model: id,
    ...parts,
  })
}

function notScripted(id: string, request: ModelRequest, count: number): Bug {
  const last = request.messages.at(-1)
  const text = requestText({ messages: last === undefined ? [] : [last] })
  return new Bug(
    'E_NOT_SCRIPTED',
    `${id}: nothing is scripted for call ${count}: ${JSON.stringify(text.slice(-200))}.`,
    { fields: { call: count, text }, cure: 'Add a line to the script of this test.' },
  )
}
