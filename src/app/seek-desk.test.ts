import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeClock } from '../testing/index.ts'
import { resolveConfig } from './config.ts'
import type { UserConfig } from './config.ts'
import { indexName } from './picture-sources.ts'
import { modelsFor } from './seek-desk.ts'
import { openSeekSources } from './seek-sources.ts'

const configOf = async (flags: UserConfig) =>
  (await resolveConfig({ cwd: '/', env: { PUPIL_HOME: '/nowhere' }, flags })).config

const sourcesOf = async (sources: NonNullable<UserConfig['sources']>, env = {}) =>
  openSeekSources({
    ...{ config: await configOf({ sources }), env, clock: fakeClock(), progress: () => {} },
  })

test('with nothing configured only WordNet is asked', async () => {
  const sources = await sourcesOf({})
  assert.deepEqual(
    sources.providers({ offline: false }).map(({ id }) => id),
    ['wordnet'],
  )
  assert.deepEqual(await sources.problems(), [])
})

test('what is configured is used, and nothing of it that needs a network when offline', async () => {
  const env = { BRAVE: 'k1', VISION: 'k2' }
  const sources = await sourcesOf(
    {
      ...{ documents: '/notes', contact: 'me@example.org', searxng: 'https://search.example.org' },
      ...{ kiwix: 'http://127.0.0.1:8081', braveKeyEnv: 'BRAVE', cloudVisionKeyEnv: 'VISION' },
    },
    env,
  )
  assert.deepEqual(
    sources.providers({ offline: false }).map(({ id }) => id),
    [
      ...['documents', 'wordnet', 'kiwix', 'wikipedia/en', 'wikidata'],
      ...['searxng', 'brave', 'page', 'cloud-vision'],
    ],
  )
  const offline = sources.providers({ offline: true })
  assert.deepEqual(
    offline.map(({ id, sends }) => [id, sends]),
    [
      ['documents', 'none'],
      ['wordnet', 'none'],
      ['kiwix', 'none'],
    ],
  )
})

test('pictures are sent only when they are allowed, texts to what was configured', async () => {
  const sources = await sourcesOf({ contact: 'a@b.c', cloudVisionKeyEnv: 'V' }, { V: 'k' })
  const all = sources.providers({ offline: false })
  assert.equal(sources.permissions(false, all)['cloud-vision'], 'never')
  assert.equal(sources.permissions(false, all)['page'], 'always')
  assert.equal(sources.permissions(true, all)['cloud-vision'], 'always')
})

test('a key that is not there is a problem that is told, not a source', async () => {
  const sources = await sourcesOf({ braveKeyEnv: 'MISSING' })
  assert.deepEqual(await sources.problems(), ['The variable MISSING is not set.'])
})

test('models elsewhere are asked nothing offline, and shown nothing without consent', async () => {
  const config = await configOf({
    models: { planner: 'openai/gpt-4.1-mini', vqa: 'openai/gpt-4.1-mini', list: 'ollama/qwen3:4b' },
  })
  const named = (settings: object, env = {}) => Object.keys(modelsFor(config, env, settings))
  assert.deepEqual(named({}), ['planner', 'list'])
  assert.deepEqual(named({ sendPictures: true }), ['planner', 'vqa', 'list'])
  assert.deepEqual(named({ offline: true }), ['list'])
  assert.deepEqual(named({ offline: true }, { OLLAMA_HOST: 'https://llm.example.org' }), [])
  assert.deepEqual(named({ offline: true }, { OLLAMA_HOST: '127.0.0.1:11434' }), ['list'])
})

test('folders whose long paths differ only at their beginning have indexes of their own', () => {
  const long = 'pictures/'.repeat(20)
  const names = ['/home/ann/', '/home/bob/'].map((home) => indexName(home + long))
  assert.equal(new Set(names).size, 2)
  assert.match(names[0] ?? '', /^pictures-[0-9a-f]{16}$/)
  assert.equal(indexName('/home/ann/photos'), indexName('/home/ann/photos'))
})
