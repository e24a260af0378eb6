import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RunDocument } from '../../app/index.ts'
import { fakeOpenAiServer, fakeSourceServer } from '../../testing/index.ts'
import { commandLine, documentOf } from '../../../test/e2e/command-line.ts'

const pupil = commandLine('seek-remote')
after(() => pupil.remove())

const photo = (name: string): string =>
  new URL(`../../../test/fixtures/photos/${name}`, import.meta.url).pathname

function project(config: object): string {
  const cwd = pupil.folder()
  writeFileSync(join(cwd, 'pupil.config.json'), JSON.stringify(config))
  return cwd
}

test('a configured search is asked and cited, and never asked offline', async () => {
  const url = 'https://cups.example.org/maker'
  const content = 'The maker of this cup was founded in 1759 in Staffordshire.'
  await using server = await fakeSourceServer(({ url: asked }) =>
    asked.pathname === '/search'
      ? { body: { results: [{ url, title: 'Cup', content, engine: 'test' }] } }
      : undefined,
  )
  const cwd = project({ sources: { searxng: server.url } })
  const argv = ['seek', photo('coffee.jpg'), 'In which year was the maker of this cup founded?']
  const offline = await pupil([...argv, '--offline'], { cwd })
  assert.deepEqual([offline.code, server.requests.length], [3, 0])
  const online = await pupil([...argv, '--json'], { cwd })
  const { answer, seek } = documentOf<RunDocument>(online)
  assert.deepEqual([online.code, answer], [0, '1759'])
  const source = seek?.sources.find(({ provider }) => provider === 'searxng')
  assert.deepEqual([source?.url, source?.quote], [url, content])
  assert.ok(server.requests.length > 0)
})

test('the configured planner is asked; when it talks nonsense the graph goes on, and says so', async () => {
  await using server = await fakeOpenAiServer(() => ({ text: 'Meow.' }))
  const cwd = project({
    models: { planner: 'openai/some-model' },
    providers: { openai: { baseURL: server.baseUrl, apiKeyEnv: 'TEST_KEY' } },
  })
  const question = 'What family does this animal belong to?'
  const said = await pupil(['seek', photo('chelsea.jpg'), question, '--json', '--offline'], {
    ...{ cwd, env: { TEST_KEY: 'not-a-key' } },
  })
  const { answer, costs, seek } = documentOf<RunDocument>(said)
  assert.deepEqual([said.code, answer], [0, 'Felidae'])
  assert.ok(costs.calls > 0 && server.requests.length > 0)
  assert.ok((seek?.degraded.length ?? 0) > 0)
})
