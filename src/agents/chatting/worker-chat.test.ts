import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { solidImage } from '../../image/index.ts'
import { controllerClient, NO_BACKENDS, remoteTools } from '../../tools/index.ts'
import { golden } from '../../tools/models/remote/golden.cases.ts'
import { promptTurns } from './chat-host.ts'
import { addPicture, createChattingAgent, createRepository } from './index.ts'
import { newConversation, workerChat } from './index.ts'
import type { ChatPart } from './index.ts'

/** A controller, a model worker and a tool worker in one peer, all that they hear written down. */
async function withPeer<T>(
  answers: readonly string[],
  use: (address: string, heard: readonly { path: string; body: string }[]) => Promise<T>,
): Promise<T> {
  const heard: { path: string; body: string }[] = []
  const said = [...answers]
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const path = request.url ?? ''
      heard.push({ path, body })
      const here = `http://127.0.0.1:${(server.address() as { port: number }).port}`
      if (path === '/get_worker_address') response.end(JSON.stringify({ address: here }))
      else if (path === '/list_models') response.end('{"models":["grounding_dino"]}')
      else if (path === '/worker_generate') response.end(golden.turn.tool_reply_json)
      else {
        const { prompt } = JSON.parse(body) as { prompt: string }
        response.end(`${JSON.stringify({ text: prompt + said.shift(), error_code: 0 })}\u0000`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await use(`http://127.0.0.1:${(server.address() as { port: number }).port}`, heard)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a turn with a skill asks the reference’s workers in the reference’s bytes', async () => {
  const { turn } = golden
  const model = String(turn.first_request['model'])
  const last = '"thoughts🤔" t\n"actions🚀" []\n"value👉" One cat.\n'
  await withPeer([turn.first_answer, last], async (address, heard) => {
    const controller = controllerClient(address)
    const repository = createRepository({
      ...{ backends: NO_BACKENDS, remote: remoteTools({ controller }) },
    })
    const agent = createChattingAgent({
      model: workerChat({ model, worker: controller, compat: true }),
      repository,
      call: () => Promise.reject(new Error('no tool is here')),
    })
    const picture = solidImage({ width: 64, height: 48 }, [5, 6, 7])
    const { conversation } = addPicture(newConversation('c'), picture)
    const parts: ChatPart[] = []
    for await (const part of agent.turn(conversation, turn.question)) parts.push(part)
    assert.equal(parts.find((part) => part.type === 'answer')?.text, 'One cat.')
    const streams = heard.filter(({ path }) => path === '/worker_generate_stream')
    const [first, second] = streams.map(({ body }) => JSON.parse(body) as { images: string[] })
    const { images, ...rest } = first ?? assert.fail()
    assert.deepEqual(rest, turn.first_request)
    const { images: again, ...others } = second ?? assert.fail()
    assert.deepEqual(others, turn.second_request)
    assert.equal(images.length, 1)
    assert.deepEqual(again, images)
    const call = heard.find(({ path }) => path === '/worker_generate')?.body ?? ''
    assert.match(
      call,
      /^\{"image":"[^"]+","box_threshold":0\.3,"text_threshold":0\.25,"caption":"cat \. dog"\}$/,
    )
  })
})

test('a conversation that is too long for the worker loses its oldest question and is asked again', async () => {
  const over = 'Exceeds max token length. Please start a new conversation, thanks.'
  await withPeer(['One.', over, 'Two.'], async (address, heard) => {
    const agent = createChattingAgent({
      model: workerChat({ model: 'llava-v1', worker: address }),
      repository: createRepository({ backends: NO_BACKENDS }),
      call: () => Promise.reject(new Error('no tool is here')),
    })
    let { conversation } = addPicture(
      newConversation('c'),
      solidImage({ width: 4, height: 4 }, [0, 0, 0]),
    )
    for (const question of ['First?', 'Second?']) {
      for await (const part of agent.turn(conversation, question)) {
        if (part.type === 'finish') conversation = part.conversation
      }
    }
    const prompts = heard.map(({ body }) => (JSON.parse(body) as { prompt: string }).prompt)
    assert.equal(prompts.length, 3)
    assert.ok(prompts[1]?.includes('First?') && !prompts[2]?.includes('First?'))
    assert.ok(prompts[2]?.includes('USER: <image>\nSecond? ASSISTANT:'))
  })
})

test('the prompt of each template is taken apart into its turns again', () => {
  const { turn } = golden
  const prompts = [
    turn.second_request.prompt,
    ...Object.values(turn.other_templates).map(({ second_prompt }) => second_prompt),
  ]
  for (const prompt of prompts) {
    const turns = promptTurns(prompt).filter(({ text }) => text !== '')
    assert.deepEqual(
      turns.map(({ human }) => human),
      [true, false, true],
      prompt,
    )
    assert.equal(turns[0]?.text, `<image>\n${turn.question}`)
    assert.match(turns[2]?.text ?? '', /^grounding_dino model outputs: \{/)
  }
})
