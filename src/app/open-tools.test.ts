import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noProgress } from '../base/index.ts'
import { solidImage } from '../image/index.ts'
import { NO_BACKENDS } from '../tools/index.ts'
import type { Config } from './config.ts'
import { openTools } from './open-tools.ts'
import { PROFILES } from './profile.ts'
import type { Profile } from './profile.ts'

const image = solidImage({ width: 64, height: 64 }, [120, 120, 120])

async function opened(profile: Profile) {
  const config = { profile, cache: '/nowhere' } as Config
  return openTools({ config, progress: noProgress, thread: 'here' })
}

test('each profile opens without loading a model', async () => {
  for (const profile of PROFILES) {
    const tools = await opened(profile)
    await tools.close()
  }
})

test('the starter profile works on drawings and leaves faces and text to others', async () => {
  const { backends, faces, close } = await opened('starter')
  const { detectors, segmenters, matchers, answerers, captioners, fillers, listers } = backends
  for (const list of [detectors, segmenters, matchers, answerers, captioners, fillers, listers]) {
    assert.equal(list.length, 1)
  }
  assert.equal(backends.faces, undefined)
  assert.equal(backends.reader, undefined)
  await assert.rejects(faces.embed(image, [0, 0, 64, 64]), { code: 'T_UNAVAILABLE' })
  await close()
})

test('hub and remote have no model of their own, and say so', async () => {
  for (const profile of ['hub', 'remote'] as const) {
    const { backends, things, objects, close } = await opened(profile)
    assert.deepEqual(backends, NO_BACKENDS)
    assert.deepEqual(await objects(image), [])
    await assert.rejects(things.embed(image, [0, 0, 64, 64]), {
      code: 'T_UNAVAILABLE',
      message: `The profile ${profile} cannot compare things.`,
    })
    await close()
  }
})
