import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { createPupil, resolveConfig } from '../../app/index.ts'
import { mcpDoor } from './http.ts'

// The protocol's own suite. Its other scenarios call tools that only its example server has.
const SCENARIOS = [
  ...['server-initialize', 'ping', 'tools-list', 'resources-list'],
  'dns-rebinding-protection',
]

const root = mkdtempSync(join(tmpdir(), 'pupil-mcp-'))
const { config } = await resolveConfig({ env: { PUPIL_HOME: root }, cwd: root })
const pupil = createPupil(config)
const door = mcpDoor(pupil)
const server = createServer(getRequestListener((request) => door.handle(request)))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as { port: number }
after(async () => {
  server.close()
  server.closeAllConnections()
  await door.close()
  await pupil.close()
  rmSync(root, { recursive: true, force: true })
})

const suite = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
)

for (const scenario of SCENARIOS) {
  test(`the suite of the protocol passes: ${scenario}`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(suite, 'dist/index.js'),
      ...['server', '--url', `http://127.0.0.1:${port}/mcp`, '--scenario', scenario],
    ])
    const [, passed = '', all = ''] = /Passed: (\d+)\/(\d+), 0 failed/.exec(stdout) ?? []
    assert.ok(Number(passed) > 0 && passed === all, stdout)
  })
}
