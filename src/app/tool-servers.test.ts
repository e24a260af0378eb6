import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { resolveConfig } from './config.ts'
import type { ToolServerConfig } from './config.ts'
import { openPupil } from './open-pupil.ts'
import { openToolServers } from './tool-servers.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-servers-'))
after(() => rmSync(root, { recursive: true, force: true }))

const PATH = process.env.PATH ?? ''
const SHOUTS: ToolServerConfig = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../test/fixtures/tool-server.ts', import.meta.url))],
  passEnv: ['SHOUT_END'],
  allow: ['shout'],
}
const PROGRAM = "A=SHOUTS_SHOUT(words='hello')\nR=RESULT(var=A)"

test('a tool of a server that the configuration names is used in programs, in every space; no other joins', async () => {
  writeFileSync(
    join(root, 'pupil.config.json'),
    JSON.stringify({ toolServers: { shouts: SHOUTS } }),
  )
  const env = { PATH, PUPIL_HOME: join(root, 'h'), SHOUT_END: 'now', SHOUT_HIDDEN: 'leaked' }
  const pupil = await openPupil({ cwd: root, env })
  assert.deepEqual(pupil.config.toolServers.shouts?.cwd, root)
  const names = (await pupil.tools()).map(({ name }) => name)
  assert.ok(names.includes('SHOUTS_SHOUT') && names.includes('LOC'))
  assert.ok(!names.some((name) => name.includes('SECRET')))
  for (const one of [pupil, pupil.inSpace('other')]) {
    const { outcome } = await one.run([], PROGRAM)
    assert.equal(outcome.status === 'done' && outcome.value, 'HELLO now')
  }
  await pupil.close()
})

test('a variable that is not set and a server that cannot be started are told by name', async () => {
  await assert.rejects(openToolServers({ shouts: SHOUTS }, {}), {
    code: 'E_SERVER_KEY',
    message: 'The tool server shouts needs the variable SHOUT_END.',
  })
  const gone = { command: join(root, 'none'), allow: ['shout'] }
  await assert.rejects(openToolServers({ gone }, {}), { code: 'E_MCP_SERVER' })
  const more = { ...SHOUTS, passEnv: [], allow: ['shuot'] }
  await assert.rejects(openToolServers({ more }, {}), /Did you mean shout\?|no tool "shuot"/)
})

test('over HTTP the token comes from its variable and goes to the server only', async () => {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(401).end()
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const far = { url, tokenEnv: 'FAR_TOKEN', allow: ['x'] }
  await assert.rejects(openToolServers({ far }, { FAR_TOKEN: 'abc' }), (error: Error) => {
    assert.ok(!JSON.stringify([error.message, { ...error }]).includes('abc'))
    return (error as { code?: string }).code === 'E_MCP_SERVER'
  })
  assert.equal(seen[0], 'Bearer abc')
  server.close()
})

test('a server without allowed tools, with two ways to reach it or with a key in the file is refused', async () => {
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [{ command: 'x', allow: [] }, /names of the tools that may join/],
    [{ allow: ['x'] }, /either a command or a url/],
    [{ command: 'x', url: 'https://x.example', allow: ['x'] }, /either a command or a url/],
    [{ url: 'file:///etc/passwd', allow: ['x'] }, /an http or https address/],
    [{ url: 'https://x.example', tokenEnv: 'sk-1234', allow: ['x'] }, /name of a variable/],
    [{ command: 'x', alow: ['x'], allow: ['x'] }, /unknown key "toolServers\.maps\.alow"/],
  ]
  for (const [maps, message] of cases) {
    const flags = { toolServers: { maps } } as Parameters<typeof resolveConfig>[0] & object
    await assert.rejects(resolveConfig({ cwd: root, env: {}, flags: flags as never }), message)
  }
})
