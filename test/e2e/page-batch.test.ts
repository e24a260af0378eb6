import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
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

const choose = (page: Page, ...names: readonly string[]): Promise<void> =>
  page.locator('input[aria-label="Choose pictures"]').setInputFiles(names.map(photo))

async function exported(page: Page, form: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: form, exact: true }).click(),
  ])
  return readFileSync(await download.path())
}

browse('one instruction runs over many pictures, and the results are exported', async () => {
  const { page, faults } = await desk.open({ path: '/batch' })
  const go = page.getByRole('button', { name: 'Go', exact: true })
  await page.getByText('Choose pictures first.').waitFor()
  assert.ok(await go.isDisabled())
  await choose(page, 'coffee', 'chelsea', 'astronaut')
  await page.getByLabel('What would you like?').fill('How many cups are there?')
  await page.keyboard.press('Enter')
  await page.getByText('3 of 3 done').waitFor()
  const rows = page.locator('.batch-row.done')
  assert.deepEqual(await rows.locator('.batch-answer').allInnerTexts(), ['1\n1 object', '0', '0'])
  await shot(page, 'batch')
  const csv = (await exported(page, 'CSV')).toString()
  assert.match(csv, /coffee\.jpg,done,1,1,cup,0\.\d{4},run_\w+,/)
  const coco = JSON.parse((await exported(page, 'COCO')).toString()) as {
    images: { width: number }[]
    annotations: { bbox: number[] }[]
  }
  assert.deepEqual([coco.images.length, coco.annotations.length], [3, 1])
  assert.ok((coco.annotations[0]?.bbox[2] ?? 0) > 50)
  assert.equal((await exported(page, 'YOLO')).subarray(0, 2).toString(), 'PK')
  assert.match((await exported(page, 'Label Studio')).toString(), /"rectanglelabels"/)
  await rows.first().getByRole('link').click()
  await page.locator('.answer p').waitFor()
  assert.match(page.url(), /\/runs\/run_\w+$/)
  await page.getByRole('link', { name: 'Batch' }).click()
  assert.equal(await page.locator('.batch-row.done').count(), 3, 'the table is still there')
  assert.deepEqual(faults, [])
  await page.close()
})

browse('a batch pauses between pictures and goes on; what fails is tried again', async () => {
  const { page } = await desk.open({ path: '/batch' })
  const gates: (() => void)[] = []
  let isBroken = true
  await page.route('**/v1/runs?wait', async (route) => {
    await new Promise<void>((resolve) => gates.push(resolve))
    if (isBroken) return route.fulfill({ status: 503, json: { detail: 'Busy.', code: 'E_BUSY' } })
    return route.continue()
  })
  await choose(page, 'coffee', 'chelsea', 'astronaut')
  await page.getByLabel('What would you like?').fill('How many cups are there?')
  await page.keyboard.press('Enter')
  await page.locator('.batch-row.running').nth(1).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  for (const open of gates.splice(0)) open()
  await page.getByText('0 of 3 done, 2 failed').waitFor()
  assert.equal(await page.locator('.batch-row.waiting').count(), 1)
  isBroken = false
  await page.unroute('**/v1/runs?wait')
  await page.getByRole('button', { name: 'Try 2 failed again' }).click()
  await page.getByText('3 of 3 done').waitFor()
  await page.close()
})

browse('axe finds nothing wrong in a batch: light and narrow, dark and wide', async () => {
  for (const [wide, colours] of [
    [320, 'light'],
    [1280, 'dark'],
  ] as const) {
    const { page } = await desk.open({ path: '/batch', width: wide })
    await page.evaluate((to) => (document.documentElement.dataset.theme = to), colours)
    await choose(page, 'coffee', 'chelsea')
    await page.locator('.batch-row').nth(1).waitFor()
    assert.deepEqual(await violations(page), [], `${wide} ${colours}`)
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= wide)
    await shot(page, `batch-${wide}-${colours}`)
    await page.close()
  }
})
