import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { defineConfig, resolveConfig } from './config.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-config-'))
after(() => rmSync(root, { recursive: true, force: true }))

function project(name: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

test('without any file everything has its default, and says so', async () => {
  const cwd = project('plain')
  const { config, origins, file } = await resolveConfig({
    cwd,
    env: { PUPIL_HOME: join(cwd, 'h') },
  })
  assert.equal(config.space, 'home')
  assert.equal(config.data, join(cwd, 'h', 'data'))
  assert.equal(config.store, join(cwd, 'h', 'data', 'pupil.db'))
  assert.equal(origins['data'], 'PUPIL_HOME')
  assert.equal(origins['server.port'], 'default')
  assert.equal(file, undefined)
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.limits))
})

test('flags beat the environment, that the project, that the user, that the defaults', async () => {
  const cwd = project('order', {
    'pupil.config.json': '{"space":"project","seed":3,"server":{"port":3}}',
    'h/config/config.json': '{"space":"user","seed":2,"server":{"host":"::1","port":2}}',
  })
  const env = { PUPIL_HOME: join(cwd, 'h'), PORT: '4000' }
  const { config, origins } = await resolveConfig({ cwd, env, flags: { space: 'flag' } })
  assert.deepEqual(
    [config.space, config.seed, config.server],
    ['flag', 3, { host: '::1', port: 4000 }],
  )
  assert.equal(origins['space'], 'flag --space')
  assert.equal(origins['server.port'], 'PORT')
  assert.equal(origins['seed'], join(cwd, 'pupil.config.json'))
  assert.equal(origins['server.host'], join(cwd, 'h/config/config.json'))
})

test('TypeScript, modules and package.json are read; a project keeps its data beside itself', async () => {
  const text = 'import type { X } from "nowhere"\nexport default { seed: 11 satisfies number }\n'
  const typed = project('typed', { 'pupil.config.ts': text, 'deep/er/x': '' })
  const found = await resolveConfig({ cwd: join(typed, 'deep/er'), env: {} })
  assert.equal(found.config.seed, 11)
  assert.equal(found.config.data, join(typed, '.pupil'))
  const module = project('module', { 'pupil.config.mjs': 'export default { seed: 12 }' })
  assert.equal((await resolveConfig({ cwd: module, env: {} })).config.seed, 12)
  const manifest = project('manifest', { 'package.json': '{"name":"x","pupil":{"seed":13}}' })
  assert.equal((await resolveConfig({ cwd: manifest, env: {} })).config.seed, 13)
})

test('a folder in a file is meant from where the file is', async () => {
  const cwd = project('placed', { 'pupil.config.json': '{"data":"./mine"}', 'sub/x': '' })
  const { config } = await resolveConfig({ cwd: join(cwd, 'sub'), env: {} })
  assert.equal(config.data, join(cwd, 'mine'))
  assert.equal(config.store, join(cwd, 'mine', 'pupil.db'))
})

const BAD: readonly (readonly [what: string, json: string, message: RegExp, cure?: RegExp])[] = [
  ['an unknown key', '{"modles":{}}', /unknown key "modles"/, /Did you mean models/],
  ['an unknown inner key', '{"server":{"prot":1}}', /unknown key "server.prot"/, /port/],
  [
    'a key of a provider',
    '{"providers":{"x":{"apiKey":"s"}}}',
    /"providers.x.apiKey"/,
    /apiKeyEnv/,
  ],
  ['a wrong type', '{"seed":"one"}', /a value of type number for seed, but got "one" \(text\)/],
  ['a value out of range', '{"server":{"port":99999}}', /at most 65535 for server.port/],
  ['a model without provider', '{"models":{"planner":"qwen"}}', /expected provider\/model/],
  [
    'a key where its name belongs',
    '{"providers":{"x":{"apiKeyEnv":"sk-1 2"}}}',
    /name of a variable/,
  ],
  ['no JSON', '{seed:1}', /is not JSON/],
]
for (const [index, [what, json, message, cure]] of BAD.entries()) {
  test(`${what} is refused by file and path`, async () => {
    const cwd = project(`bad${index}`, { 'pupil.config.json': json })
    await assert.rejects(
      resolveConfig({ cwd, env: {} }),
      (error: Error & { code?: string; cure?: string }) => {
        assert.equal(error.code, 'E_CONFIG')
        assert.match(error.message, message)
        assert.ok(error.message.includes('pupil.config.json'))
        if (cure !== undefined) assert.match(error.cure ?? '', cure)
        return true
      },
    )
  })
}

test('a bad variable is named', async () => {
  const env = { PORT: 'http' }
  await assert.rejects(resolveConfig({ cwd: project('env'), env }), /^UserFault: PORT: expected/)
})

test('a configuration that is asked for by name must be there', async () => {
  const options = { cwd: project('none'), env: {}, file: 'my.config.ts' }
  await assert.rejects(resolveConfig(options), {
    code: 'E_CONFIG',
    message: /my\.config\.ts cannot be read/,
  })
})

test('defineConfig gives back what it is given', () => {
  const mine = { space: 'x' }
  assert.equal(defineConfig(mine), mine)
})
