import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noBrowser, shot, startBrowsing, violations } from './browse.ts'
import type { Browsing } from './browse.ts'
import { photo } from './photos.ts'

let desk: Browsing

/** Two runs that found the same cup, and one that found people. */
before(async () => {
  if (noBrowser !== undefined) return
  desk = await startBrowsing()
  await desk.pupil.ask(photo('coffee'), 'How many cups are there?')
  await desk.pupil.ask(photo('coffee'), 'Is there a cup?')
  await desk.pupil.ask(photo('astronaut'), 'How many people are there?')
})
after(() => desk?.close())

function browse(title: string, body: () => Promise<void>): void {
  test(title, noBrowser === undefined ? { timeout: 120_000 } : { skip: noBrowser }, body)
}

browse('axe finds nothing wrong in a review, on a phone and dark; it fits', async () => {
  for (const [wide, colours] of [
    [320, 'light'],
    [1280, 'dark'],
  ] as const) {
    const { page } = await desk.open({ path: '/review', width: wide, height: 700 })
    await page.evaluate((to) => (document.documentElement.dataset.theme = to), colours)
    await page.locator('.review-thing').waitFor()
    assert.deepEqual(await violations(page), [], `${wide} ${colours}`)
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= wide)
    await shot(page, `review-${wide}-${colours}`)
    await page.close()
  }
})

browse('what was found is looked over by key: left open, same, different, and back', async () => {
  const { page, faults } = await desk.open({ path: '/review' })
  const question = page.locator('.review-question')
  await question.waitFor()
  const first = await question.innerText()
  await page.keyboard.press('s')
  await page.waitForFunction(
    (before) => document.querySelector('.review-question')?.textContent !== before,
    first,
  )
  await page.keyboard.press('k')
  await page.keyboard.press('j')
  assert.equal(await question.innerText(), first, 'what was left open comes again at the end')
  const left = page.locator('.review-card [role="status"]')
  const count = Number.parseInt(await left.innerText())
  await page.keyboard.press('x')
  await page.locator('.latest li').first().getByText('Different').waitFor()
  await page.locator('.latest li').first().getByText('kept').waitFor()
  const [lesson] = await desk.pupil.learning.lessons({ status: 'applied' })
  assert.equal(lesson?.tool, 'LOC')
  const { parts } = await desk.pupil.learning.lesson('last')
  assert.deepEqual(
    parts.exemplars.map(({ positive }) => positive),
    [false],
  )
  assert.equal(Number.parseInt(await left.innerText()), count - 1)
  await page.keyboard.press('z')
  await page.locator('.latest li').first().getByText('undone').waitFor()
  assert.deepEqual(await desk.pupil.learning.lessons({ status: 'applied' }), [])
  assert.equal(Number.parseInt(await left.innerText()), count)
  assert.deepEqual(faults, [])
  await page.close()
})

browse('the same cup, found twice, is one card; what was judged does not come again', async () => {
  const { page, faults } = await desk.open({ path: '/review', width: 390, height: 800 })
  await page.locator('.review-thing').waitFor()
  for (let n = 0; n < 20; n++) {
    if ((await page.locator('.review-question').innerText()).includes('cup')) break
    await page.keyboard.press('j')
  }
  await page.getByText('Found once more.').waitFor()
  await page.getByRole('button', { name: /Same/ }).click()
  await page.locator('.latest li').first().getByText('kept').waitFor()
  await page.reload()
  await page.locator('.review-card, .review .card').first().waitFor()
  const seen: string[] = []
  for (let n = 0; n < 20 && (await page.locator('.review-question').count()) > 0; n++) {
    seen.push(await page.locator('.review-question').innerText())
    await page.keyboard.press('j')
  }
  assert.ok(seen.every((text) => !text.includes('cup')))
  assert.deepEqual(faults, [])
  await page.close()
})
