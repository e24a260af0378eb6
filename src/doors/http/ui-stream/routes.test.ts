import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DefaultChatTransport, readUIMessageStream } from 'ai'
import type { UIMessage, UIMessageChunk } from 'ai'
import { DATA, openChatDoor } from '../chat-door.cases.ts'

const { address, pupil, close } = await openChatDoor()
after(close)

const message = (text: string, url?: string): UIMessage => ({
  ...{ id: 'm1', role: 'user' },
  parts: [
    ...(url === undefined ? [] : [{ type: 'file' as const, mediaType: 'image/png', url }]),
    { type: 'text', text },
  ],
})

/** What a chat that uses the AI SDK's own transport and reader ends up with. */
async function chat(messages: UIMessage[], body: object = {}): Promise<UIMessage> {
  const transport = new DefaultChatTransport({ api: `${address}/api/chat`, body })
  const stream = await transport.sendMessages({
    ...{ chatId: 'c1', trigger: 'submit-message', messageId: undefined, messages },
    abortSignal: undefined,
  })
  let last: UIMessage | undefined
  for await (const grown of readUIMessageStream({ stream, terminateOnError: true })) last = grown
  assert.ok(last)
  return last
}

const parts = (one: UIMessage, type: string) =>
  one.parts.filter((part) => part.type === type) as unknown as Record<string, never>[]

test('an answer grows out of its program and its steps, with costs beside it', async () => {
  const reply = await chat([message('What is one and two?', DATA)], { model: 'pupil-ask' })
  assert.equal(reply.role, 'assistant')
  assert.deepEqual(
    parts(reply, 'text').map((part) => part.text),
    ['3'],
  )
  const [step] = parts(reply, 'tool-EVAL')
  assert.equal(step?.state, 'output-available')
  assert.equal(step?.output, 3)
  const [program] = parts(reply, 'data-program') as unknown as { data: { program: string } }[]
  assert.match(program?.data.program ?? '', /EVAL/)
  const metadata = reply.metadata as { run: string; cost: { calls: number }; address: string }
  assert.equal(metadata.cost.calls, 0)
  assert.equal(metadata.address, `/v1/runs/${metadata.run}`)
  assert.equal((await pupil.runs.get('last')).id, metadata.run)
})

test('a picture comes by its address, and the next message speaks of it', async () => {
  const cut = message('A=CROP(image=IMAGE,box=[[10,20,60,70]])\nR=RESULT(var=A)', DATA)
  const reply = await chat([cut], { model: 'pupil-program' })
  const [file] = parts(reply, 'file') as unknown as { url: string }[]
  assert.match(file?.url ?? '', /^\/v1\/blobs\/[0-9a-f]{64}$/)
  const again = message('A=CROP(image=IMAGE,box=[[0,0,500,500]])\nR=RESULT(var=A)')
  const second = await chat([cut, reply, again], { model: 'pupil-program' })
  const [step] = parts(second, 'tool-CROP') as unknown as { output: { width: number } }[]
  assert.equal(step?.output.width, 50)
})

test('things that lie somewhere are regions of their step', async () => {
  const program = message(
    "A=SELECT(image=IMAGE,object=[[10,20,60,70]],query='box')\nR=RESULT(var=A)",
    DATA,
  )
  const reply = await chat([program], { model: 'pupil-program' })
  const [regions] = parts(reply, 'data-regions') as unknown as {
    data: { regions: { box: number[]; label: string }[] }
  }[]
  const [step] = parts(reply, 'tool-SELECT')
  if (step?.state === 'output-available') {
    assert.deepEqual(regions?.data.regions[0]?.box, [10, 20, 60, 70])
  } else assert.fail(JSON.stringify(step))
})

test('a step that fails is a failed tool part, and the message ends with the error', async () => {
  const wrong = message('A=EVAL(expr="1 / 0")\nR=RESULT(var=A)', DATA)
  const transport = new DefaultChatTransport({
    api: `${address}/api/chat`,
    body: { model: 'pupil-program' },
  })
  const stream = await transport.sendMessages({
    ...{ chatId: 'c1', trigger: 'submit-message', messageId: undefined, messages: [wrong] },
    abortSignal: undefined,
  })
  const chunks: UIMessageChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const types = chunks.map(({ type }) => type)
  assert.ok(types.includes('tool-output-error'))
  assert.ok(types.indexOf('error') < types.indexOf('finish'))
  const finish = chunks.at(-1) as { type: string; finishReason: string }
  assert.deepEqual([finish.type, finish.finishReason], ['finish', 'error'])
})

test('the stream says what it is, and there is none to come back to', async () => {
  const response = await fetch(`${address}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [message('What is one and two?', DATA)] }),
  })
  assert.equal(response.headers.get('x-vercel-ai-ui-message-stream'), 'v1')
  assert.ok((await response.text()).endsWith('data: [DONE]\n\n'))
  const transport = new DefaultChatTransport({ api: `${address}/api/chat` })
  assert.equal(await transport.reconnectToStream({ chatId: 'c1' }), null)
})

const REFUSED: readonly (readonly [string, object, number])[] = [
  ['a body that is no chat', { messages: 'hello' }, 400],
  ['no picture', { messages: [message('x')] }, 400],
  ['a remote picture', { messages: [message('x', 'https://example.com/a.png')] }, 400],
  ['bad base64', { messages: [message('x', 'data:image/png;base64,*')] }, 400],
  ['an unknown model', { model: 'gpt', messages: [message('x', DATA)] }, 404],
]

for (const [what, body, status] of REFUSED) {
  test(`${what} is refused before a stream begins`, async () => {
    const response = await fetch(`${address}/api/chat`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify(body),
    })
    assert.equal(response.status, status)
  })
}

test('a page elsewhere cannot chat', async () => {
  const response = await fetch(`${address}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
    body: JSON.stringify({ messages: [message('What is one and two?', DATA)] }),
  })
  assert.equal(response.status, 403)
})

test('the protocol of tools is answered behind the same guard', async () => {
  const seen: string[] = []
  const { createDoor } = await import('../door.ts')
  const door = createDoor(pupil, {
    hosts: ['127.0.0.1:1'],
    mcp: (request) => {
      seen.push(request.url)
      return Promise.resolve(new Response('tools'))
    },
  })
  const ask = (host: string) => door.handle(new Request(`http://${host}/mcp`, { method: 'POST' }))
  assert.equal(await (await ask('127.0.0.1:1')).text(), 'tools')
  assert.equal((await ask('evil.example')).status, 403)
  assert.equal(seen.length, 1)
  await door.close()
})
