import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createPupil, resolveConfig } from '../../app/index.ts'
import { encodePicture, solidImage } from '../../image/index.ts'
import { mcpDoor } from './http.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-mcp-'))
after(() => rmSync(root, { recursive: true, force: true }))

const PNG = Buffer.from(
  await encodePicture(solidImage({ width: 20, height: 10 }, [9, 9, 9]), 'png'),
)
const DATA = `data:image/png;base64,${PNG.toString('base64')}`
const ADDRESS = 'http://127.0.0.1:4173/mcp'

async function openDoor(limits = {}) {
  const env = { PUPIL_HOME: join(root, 'http') }
  const { config } = await resolveConfig({ env, cwd: root, flags: { limits } })
  const pupil = createPupil(config)
  const door = mcpDoor(pupil)
  return {
    door,
    close: async () => {
      await door.close()
      await pupil.close()
    },
  }
}

test('the command "pupil mcp" serves a client over its standard input and output', async () => {
  const file = join(root, 'grey.png')
  writeFileSync(file, PNG)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL('../../../bin/pupil.js', import.meta.url)), 'mcp'],
    env: { PUPIL_HOME: join(root, 'stdio'), PATH: '' },
    cwd: root,
    stderr: 'ignore',
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  assert.equal(client.getServerVersion()?.name, 'pupil')
  const program = 'A=CROP(image=IMAGE,box=[[0,0,5,5]])\nR=RESULT(var=A)'
  const result = await client.callTool({
    name: 'run_program',
    arguments: { pictures: [file], program },
  })
  assert.equal((result.structuredContent as { status: string }).status, 'done')
  assert.ok(result.content.some((block) => block.type === 'image'))
  await client.close()
})

for (const mode of ['auto', 'legacy'] as const) {
  test(`a client of the SDK works over HTTP (${mode} negotiation)`, async () => {
    const { door, close } = await openDoor()
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const transport = new StreamableHTTPClientTransport(new URL(ADDRESS), {
      fetch: (url, init) => door.handle(new Request(url, init)),
    })
    await client.connect(transport)
    const heard: string[] = []
    const result = await client.callTool(
      { name: 'CROP', arguments: { image: DATA, box: [[0, 0, 5, 5]] } },
      { onprogress: ({ message }) => void heard.push(message ?? '') },
    )
    assert.equal((result.structuredContent as { result: { width: number } }).result.width, 5)
    assert.ok(heard.includes('OUTCOME = CROP'), heard.join())
    const path = await client.callTool({
      name: 'CROP',
      arguments: { image: '/etc/passwd', box: [[0, 0, 5, 5]] },
    })
    assert.equal(path.isError, true)
    await client.close()
    await close()
  })
}

const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

async function post(body: string, headers: Record<string, string>, limits = {}): Promise<number> {
  const { door, close } = await openDoor(limits)
  const accept = 'application/json, text/event-stream'
  const request = new Request(ADDRESS, {
    ...{ method: 'POST', body },
    headers: { 'content-type': 'application/json', accept, host: '127.0.0.1:4173', ...headers },
  })
  const { status } = await door.handle(request)
  await close()
  return status
}

test('foreign hosts and origins, bodies that are too large or no JSON are refused over HTTP', async () => {
  assert.equal(await post(BODY, {}), 200)
  assert.equal(await post(BODY, { host: 'evil.example' }), 403)
  assert.equal(await post(BODY, { origin: 'https://evil.example' }), 403)
  assert.equal(await post(BODY, { origin: 'http://127.0.0.1:4173' }), 200)
  assert.equal(await post(BODY + ' '.repeat(70_000), {}, { bytes: 1 }), 413)
  assert.equal(await post('{', {}), 400)
})
