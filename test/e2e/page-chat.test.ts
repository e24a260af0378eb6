import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noBrowser, shot, startBrowsing, violations } from './browse.ts'
import type { Browsing } from './browse.ts'
import { photo } from './photos.ts'

let desk: Browsing

before(async () => {
  if (noBrowser === undefined) desk = await startBrowsing()
})
after(() => desk?.close())

function browse(title: string, body: () => Promise<void>): void {
  test(title, noBrowser === undefined ? { timeout: 120_000 } : { skip: noBrowser }, body)
}

browse(
  'a picture is shown and talked about, an answer corrected, all of it there later',
  async () => {
    const { page, faults } = await desk.open({ path: '/chat' })
    await page.locator('input[aria-label="Show a picture"]').setInputFiles(photo('coffee'))
    await page.locator('.chat-pictures img').waitFor()
    await page.getByRole('textbox', { name: 'Say something' }).fill('What size is the picture?')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'That is wrong' }).waitFor()
    assert.equal(
      await page.locator('.bubble.user .bubble-text').innerText(),
      'What size is the picture?',
    )
    await page.getByRole('button', { name: 'That is wrong' }).click()
    await page.getByRole('textbox', { name: 'What is right?' }).fill('600 by 400')
    await page.keyboard.press('Enter')
    await page.getByText('Should have been: 600 by 400').waitFor()
    await shot(page, 'chat')
    await page.reload()
    await page.getByRole('button', { name: /^What size is the picture/ }).click()
    await page.getByText('Should have been: 600 by 400').waitFor()
    await page.getByRole('button', { name: 'Remove this conversation' }).click()
    await page.locator('.bubble').first().waitFor({ state: 'detached' })
    assert.deepEqual(await desk.pupil.chats.list({ limit: 5 }), [])
    assert.deepEqual(faults, [])
    await page.close()
  },
)

browse('axe finds nothing wrong in a chat: light and narrow, dark and wide', async () => {
  const { id } = await desk.pupil.chats.open()
  for await (const _ of desk.pupil.chats.say(id, 'Hello')) void _
  for (const [wide, colours] of [
    [320, 'light'],
    [1280, 'dark'],
  ] as const) {
    const { page } = await desk.open({ path: '/chat', width: wide })
    await page.evaluate((to) => (document.documentElement.dataset.theme = to), colours)
    await page.getByRole('button', { name: /^Hello/ }).click()
    await page.locator('.bubble.assistant').waitFor()
    assert.deepEqual(await violations(page), [], `${wide} ${colours}`)
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= wide)
    await shot(page, `chat-${wide}-${colours}`)
    await page.close()
  }
})
