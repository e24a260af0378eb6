import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { encodePicture, solidImage } from '../image/index.ts'
import { openPupil } from './open-pupil.ts'
import type { Pupil } from './pupil.ts'

const home = mkdtempSync(join(tmpdir(), 'pupil-chats-'))
after(() => rmSync(home, { recursive: true, force: true }))
const open = (): Promise<Pupil> => openPupil({ cwd: home, env: { PUPIL_HOME: home } })
const PNG = await encodePicture(solidImage({ width: 60, height: 40 }, [9, 90, 200]), 'png')

async function say(pupil: Pupil, id: string, text: string): Promise<void> {
  for await (const part of pupil.chats.say(id, text)) void part
}

test('a conversation is kept after every turn, and goes on in another process', async () => {
  const first = await open()
  const { id } = await first.chats.open()
  await first.chats.show(id, { bytes: PNG, name: 'blue.png' })
  await say(first, id, 'What size is the picture?')
  const before = await first.chats.get(id)
  assert.equal(before.pictures[0]?.width, 60)
  assert.deepEqual(before.said.map(({ role }) => role).slice(0, 2), ['user', 'assistant'])
  assert.equal(before.title, 'What size is the picture?')
  const second = await open()
  assert.deepEqual((await second.chats.get(id)).said, before.said)
  await say(second, id, 'Thank you.')
  // The first has it open from before, and sees that another went on with it.
  assert.equal((await first.chats.get(id)).turns, 2)
  await Promise.all([first.close(), second.close()])
})

test('one turn at a time; another is refused while it goes on', async () => {
  const pupil = await open()
  const { id } = await pupil.chats.open()
  const turn = pupil.chats.say(id, 'Hello')
  await turn.next()
  await assert.rejects(say(pupil, id, 'And?'), { code: 'E_BUSY' })
  for await (const part of turn) void part
  await say(pupil, id, 'And now?')
  assert.equal((await pupil.chats.get(id)).turns, 2)
  await pupil.close()
})

test('what is removed is gone, and its name is an error', async () => {
  const pupil = await open()
  const { id } = await pupil.chats.open()
  await pupil.chats.remove(id)
  for (const gone of [pupil.chats.get(id), pupil.chats.remove(id), say(pupil, id, 'Hello')]) {
    await assert.rejects(gone, { code: 'E_NO_CHAT' })
  }
  assert.ok(!(await pupil.chats.list({ limit: 20 })).some((one) => one.id === id))
  await pupil.close()
})
