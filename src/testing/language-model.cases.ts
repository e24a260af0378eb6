import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  LanguageModel,
  ModelReply,
  ModelRequest,
  ReplyPart,
  ToolCallPart,
} from '../llm/index.ts'

/** What both kinds of model can be told to say. */
export interface CaseReply {
  readonly text?: string
  readonly toolCalls?: readonly ToolCallPart[]
  readonly cut?: boolean
}

export interface OpenedModel {
  readonly model: LanguageModel
  close(): Promise<void>
}

const ask = (content: string): ModelRequest => ({ messages: [{ role: 'user', content }] })
const call: ToolCallPart = { id: 'call_1', name: 'LOC', args: { object: 'red "dog"', all: true } }

/** One suite for every language model: whatever has two implementations runs the same cases. */
export function languageModelCases(
  name: string,
  open: (replies: readonly CaseReply[]) => Promise<OpenedModel>,
): void {
  const withModel = async (
    replies: readonly CaseReply[],
    work: (model: LanguageModel) => Promise<void>,
  ): Promise<void> => {
    const { model, close } = await open(replies)
    try {
      await work(model)
    } finally {
      await close()
    }
  }

  test(`${name}: a reply has its text, its finish and the model's name`, () =>
    withModel([{ text: 'two dogs' }], async (model) => {
      const reply = await model.generate(ask('how many?'))
      assert.equal(reply.text, 'two dogs')
      assert.equal(reply.finish, 'stop')
      assert.equal(reply.model, model.id)
      assert.equal(reply.cached, false)
      assert.ok(Object.isFrozen(reply))
    }))

  test(`${name}: a streamed reply is the same as a plain one, in pieces`, () =>
    withModel([{ text: 'one\ntwo three' }, { text: 'one\ntwo three' }], async (model) => {
      const plain = await model.generate(ask('count'))
      const { parts, reply } = await readAll(model.stream(ask('count')))
      const texts = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : []))
      assert.equal(texts.join(''), plain.text)
      assert.ok(texts.length > 1)
      assert.deepEqual({ ...reply, ms: 0 }, { ...plain, ms: 0 })
    }))

  test(`${name}: a cut reply can be told from a whole one`, () =>
    withModel(
      [
        { text: 'and then', cut: true },
        { text: 'and then', cut: true },
      ],
      async (model) => {
        assert.equal((await model.generate(ask('tell'))).finish, 'length')
        assert.equal((await readAll(model.stream(ask('tell')))).reply?.finish, 'length')
      },
    ))

  test(`${name}: calls of tools come with their arguments as values`, () =>
    withModel([{ toolCalls: [call] }, { toolCalls: [call] }], async (model) => {
      const tools = [
        { name: 'LOC', about: 'finds', parameters: { type: 'object', properties: {} } },
      ]
      const reply = await model.generate({ ...ask('find'), tools })
      assert.deepEqual(reply.toolCalls, [call])
      assert.equal(reply.finish, 'tool-calls')
      const { parts } = await readAll(model.stream({ ...ask('find'), tools }))
      assert.deepEqual(
        parts.filter((part) => part.type === 'tool-call'),
        [{ type: 'tool-call', call }],
      )
    }))

  test(`${name}: a signal that has fired stops before anything is asked`, () =>
    withModel([{ text: 'never' }], async (model) => {
      const signal = AbortSignal.abort(new Error('enough'))
      await assert.rejects(model.generate(ask('x'), { signal }), /enough/)
      await assert.rejects(readAll(model.stream(ask('x'), { signal })), /enough/)
    }))
}

async function readAll(
  stream: AsyncIterable<ReplyPart>,
): Promise<{ parts: readonly ReplyPart[]; reply: ModelReply | undefined }> {
  const parts: ReplyPart[] = []
  for await (const part of stream) parts.push(part)
  const last = parts.at(-1)
  return { parts, reply: last?.type === 'finish' ? last.reply : undefined }
}
