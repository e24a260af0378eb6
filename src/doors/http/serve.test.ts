import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoor } from './open-door.cases.ts'
import { serve } from './serve.ts'

const SETTING = { port: 0, exact: true }

test('beyond this machine only who has a token is answered, and somebody must have one', async () => {
  const { pupil, close } = await openDoor()
  await assert.rejects(serve(pupil, { ...SETTING, host: '0.0.0.0' }), { code: 'E_HOST' })
  await assert.rejects(serve(pupil, { ...SETTING, host: '192.168.1.4' }), { code: 'E_HOST' })
  for (const host of ['0.0.0.0', '127.0.0.1']) {
    const refused = serve(pupil, { ...SETTING, host, tokens: true })
    await assert.rejects(refused, { code: 'E_NO_TOKENS' })
  }
  const { record } = await pupil.tokens.add({ name: 'phone' })
  await pupil.tokens.revoke(record.id)
  await assert.rejects(serve(pupil, { ...SETTING, host: '0.0.0.0', tokens: true }), {
    code: 'E_NO_TOKENS',
  })
  await close()
})
