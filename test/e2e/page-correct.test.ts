import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, shot, startBrowsing, violations } from './browse.ts'
import type { Browsing } from './browse.ts'
import { photo } from './photos.ts'

const QUESTION = 'How many cups are there?'
let desk: Browsing

before(async () => {
  if (noBrowser === undefined) desk = await startBrowsing()
})
after(() => desk?.close())

function browse(title: string, body: () => Promise<void>): void {
  test(title, noBrowser === undefined ? { timeout: 120_000 } : { skip: noBrowser }, body)
}

/** A fresh answer "1" about the cup; whatever was learnt before acts no longer. */
async function asked(): Promise<string> {
  for (const { id, status } of await desk.pupil.learning.lessons()) {
    if (status === 'applied') await desk.pupil.learning.undo(id)
  }
  const run = await desk.pupil.ask(photo('coffee'), QUESTION)
  assert.equal(run.outcome.status === 'done' && run.outcome.answer, '1')
  return run.id
}

/** Counts presses of the pointer on the page. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = globalThis as unknown as { clicks: number }
    counter.clicks = 0
    addEventListener('pointerdown', () => counter.clicks++, { capture: true })
  })
  return () => page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks)
}

/** Drags over a part of the picture, 0..1 of it. */
async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  const frame = await page.locator('.draw-layer').boundingBox()
  assert.ok(frame)
  const at = ([x, y]: readonly [number, number]) =>
    [frame.x + x * frame.width, frame.y + y * frame.height] as const
  await page.mouse.move(...at(from))
  await page.mouse.down()
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]))
  await page.mouse.move(...at(to))
  await page.mouse.up()
}

const teach = (page: Page) => page.getByRole('button', { name: 'Teach it', exact: true })
const learnt = (page: Page) => page.locator('.toast').getByText(/^Learnt v\d/)

browse('a label is put right with two clicks, and taken back with Z', async () => {
  const { page, faults } = await desk.open({ path: `/runs/${await asked()}` })
  await page.locator('.labels button').first().waitFor()
  const clicks = await countClicks(page)
  await page.locator('.labels button').first().click()
  assert.equal(await page.getByLabel('This is').inputValue(), 'cup')
  await page.keyboard.type('mug')
  await page.keyboard.press('Enter')
  await teach(page).waitFor()
  assert.match(await page.locator('.blame').innerText(), /Step 1 \(LOC\) is to blame, as you say/)
  assert.match(await page.locator('.would-what').innerText(), /“mug” for LOC/)
  assert.deepEqual(await page.locator('.example-name').allInnerTexts(), ['mug', 'not cup'])
  await shot(page, 'correct-label')
  assert.deepEqual(await desk.pupil.learning.lessons({ status: 'applied' }), [], 'nothing acts yet')
  await teach(page).click()
  await learnt(page).waitFor()
  assert.ok((await clicks()) <= 2)
  const [lesson] = await desk.pupil.learning.lessons({ status: 'applied' })
  assert.deepEqual([lesson?.tool, lesson?.concept], ['LOC', 'mug'])
  await page.keyboard.press('z')
  await page.getByText('Undone. It is as before.').waitFor()
  assert.deepEqual(await desk.pupil.learning.lessons({ status: 'applied' }), [])
  assert.deepEqual(faults, [])
  await page.close()
})

browse('a missed thing is drawn and taught with four clicks; asked again, it is seen', async () => {
  const { page, faults } = await desk.open({ path: `/runs/${await asked()}` })
  const clicks = await countClicks(page)
  await page.getByRole('button', { name: 'Draw what was missed' }).click()
  await drag(page, [0.03, 0.05], [0.2, 0.3])
  await page.locator('.picture .drawn').waitFor()
  await page.getByRole('button', { name: 'Show what would be learnt' }).click()
  await teach(page).waitFor()
  await shot(page, 'correct-box')
  await teach(page).click()
  await learnt(page).waitFor()
  assert.ok((await clicks()) <= 4)
  await page.getByRole('button', { name: 'Ask again' }).click()
  await page.locator('.answer p').getByText('2', { exact: true }).waitFor()
  assert.deepEqual(faults, [])
  await page.close()
})

browse('the whole way by keyboard: wrong, the step, a box, taught', async () => {
  const { page, faults } = await desk.open({ path: `/runs/${await asked()}` })
  await page.locator('.answer p').waitFor()
  await page.keyboard.press('x')
  await page.getByLabel('What is right?').waitFor()
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await page.locator('.would').waitFor()
  await page.getByLabel('What was wrong?').selectOption('0')
  await page.getByRole('button', { name: 'Draw a box' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('.draw-layer:focus').waitFor()
  await page.keyboard.press('Enter')
  for (let press = 0; press < 40; press++) await page.keyboard.press('ArrowLeft')
  for (let press = 0; press < 40; press++) await page.keyboard.press('ArrowUp')
  const frame = await page.locator('.draw-layer').boundingBox()
  const box = await page.locator('.box.drawn').boundingBox()
  assert.ok(frame && box && Math.abs(box.x - frame.x) < 8 && Math.abs(box.y - frame.y) < 8)
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Enter')
  await page.locator('.would .primary:focus').waitFor()
  assert.match(await page.locator('.effect').innerText(), /This answer comes out right with it/)
  await page.keyboard.press('Enter')
  await learnt(page).waitFor()
  assert.deepEqual(faults, [])
  await page.close()
})

browse('what is right is kept, and what is only this answer teaches nothing', async () => {
  const id = await asked()
  const { page, faults } = await desk.open({ path: `/runs/${id}` })
  await page.locator('.answer p').waitFor()
  await page.keyboard.press('a')
  await page.getByText('Kept: this answer is right.').waitFor()
  await page.getByRole('button', { name: /^Wrong/ }).click()
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Only this answer' }).click()
  await page.getByText('Kept for this answer. Nothing was learnt.').waitFor()
  const [kept, ...more] = await desk.pupil.learning.corrections(id)
  assert.deepEqual([kept?.expected.answer, kept?.scope, more.length], ['3', 'this', 0])
  assert.deepEqual(await desk.pupil.learning.lessons({ status: 'applied' }), [])
  assert.deepEqual(faults, [])
  await page.close()
})

browse('an example that is unticked is not learnt from', async () => {
  const { page, faults } = await desk.open({ path: `/runs/${await asked()}` })
  await page.locator('.labels button').first().click()
  await page.keyboard.type('mug')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'not cup' }).uncheck()
  await teach(page).click()
  await learnt(page).waitFor()
  const { parts } = await desk.pupil.learning.lesson('last')
  assert.deepEqual(
    parts.exemplars.map(({ concept, positive }) => [concept, positive]),
    [['mug', true]],
  )
  assert.deepEqual(faults, [])
  await page.close()
})

browse('a plan is put right by the program that should have been run', async () => {
  const { page, faults } = await desk.open({ path: `/runs/${await asked()}` })
  await page.getByRole('button', { name: /^Wrong/ }).click()
  await page.getByRole('button', { name: 'Bad plan' }).click()
  const program = page.getByLabel('What should have been done?')
  assert.match(await program.inputValue(), /LOC\(image=IMAGE/)
  await program.fill("A=VQA(image=IMAGE,question='How many cups are there?')\nR=RESULT(var=A)")
  await page.getByRole('button', { name: 'Show what would be learnt' }).click()
  await page.getByText('The plan is to blame, as you say.').waitFor()
  await page.getByRole('button', { name: 'Teach it', exact: true }).click()
  await page.getByText('Learnt an example for program.').waitFor()
  await program.waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
  await page.close()
})

browse('axe finds nothing wrong while correcting: light and narrow, dark and wide', async () => {
  const id = await asked()
  for (const [wide, colours] of [
    [320, 'light'],
    [1280, 'dark'],
  ] as const) {
    const { page } = await desk.open({ path: `/runs/${id}`, width: wide })
    await page.evaluate((to) => (document.documentElement.dataset.theme = to), colours)
    await page.getByRole('button', { name: 'Draw what was missed' }).click()
    await drag(page, [0.03, 0.05], [0.2, 0.3])
    assert.deepEqual(await violations(page), [], `drawing ${wide} ${colours}`)
    await shot(page, `correct-draw-${wide}-${colours}`)
    await page.getByRole('button', { name: 'Show what would be learnt' }).click()
    await teach(page).waitFor()
    assert.deepEqual(await violations(page), [], `shown ${wide} ${colours}`)
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= wide)
    await shot(page, `correct-shown-${wide}-${colours}`)
    await page.close()
  }
})
