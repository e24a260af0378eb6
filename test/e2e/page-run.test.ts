import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { noBrowser, shot, startBrowsing, violations } from './browse.ts'
import type { Browsing } from './browse.ts'
import { photo } from './photos.ts'

let desk: Browsing
/** An asked question and an edited picture. */
let asked: string
let edited: string

before(async () => {
  if (noBrowser !== undefined) return
  desk = await startBrowsing()
  asked = (await desk.pupil.ask(photo('coffee'), 'How many cups are there?')).id
  edited = (await desk.pupil.edit(photo('astronaut'), 'Hide every face with a smiling emoji')).id
})
after(() => desk?.close())

function browse(title: string, body: () => Promise<void>): void {
  test(title, noBrowser === undefined ? { timeout: 120_000 } : { skip: noBrowser }, body)
}

const width = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).first().boundingBox())?.width ?? 0

browse(
  'a picture is enlarged by button and by key, its boxes with it, and shown whole again',
  async () => {
    const { page, faults } = await desk.open({ path: `/runs/${asked}` })
    await page.locator('svg .box').first().waitFor()
    const before = await width(page, 'svg .box')
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.getByRole('button', { name: 'Whole picture' }).waitFor()
    assert.ok(Math.abs((await width(page, 'svg .box')) / before - 1.6) < 0.1)
    await page.locator('.picture-frame').focus()
    await page.keyboard.press('+')
    assert.ok(Math.abs((await width(page, 'svg .box')) / before - 2.56) < 0.15)
    const left = (await page.locator('.picture img').boundingBox())?.x ?? 0
    await page.keyboard.press('ArrowLeft')
    assert.ok(((await page.locator('.picture img').boundingBox())?.x ?? 0) > left)
    await page.keyboard.press('0')
    assert.ok(Math.abs((await width(page, 'svg .box')) - before) < 1)
    assert.deepEqual(faults, [])
    await page.close()
  },
)

browse('the border between before and after is moved by keyboard', async () => {
  const { page, faults } = await desk.open({ path: `/runs/${edited}` })
  const slider = page.getByRole('slider')
  await slider.focus()
  for (let press = 0; press < 3; press++) await page.keyboard.press('PageUp')
  const over = page.locator('.picture-over')
  await over.waitFor()
  const from = Number(await slider.inputValue())
  assert.ok(from > 0 && from < 100)
  assert.match((await over.getAttribute('style')) ?? '', new RegExp(`0px ${from}%`))
  await shot(page, 'run-slider')
  await page.keyboard.press('Home')
  await over.waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
  await page.close()
})

browse('a picture that was kept with its run opens the run when it is dropped again', async () => {
  const { page, faults } = await desk.open({ path: `/runs/${edited}` })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PNG with its run' }).click(),
  ])
  const buffer = readFileSync(await download.path())
  await page.goto(new URL('/', page.url()).href)
  await page
    .getByLabel('choose a file')
    .setInputFiles([{ name: 'kept.png', mimeType: 'image/png', buffer }])
  await page.getByText('Download picture').waitFor()
  assert.ok(page.url().endsWith(`/runs/${edited}`))
  assert.deepEqual(faults, [])
  await page.close()
})

browse('a run is copied as a test, and its whole record can be read', async () => {
  const { page, faults } = await desk.open({ path: `/runs/${asked}` })
  await page.getByRole('button', { name: 'Copy as test' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(text, /test\("How many cups are there\?", async/)
  assert.match(text, /assert\.equal\(run\.outcome\.answer, "1"\)/)
  await page.getByText('Trace').click()
  const record = JSON.parse(await page.locator('.trace pre').innerText()) as { run: string }
  assert.equal(record.run, asked)
  assert.deepEqual(faults, [])
  await page.close()
})

browse(
  'of five thousand runs only those in sight are drawn, and older ones are fetched',
  async () => {
    const { page, faults } = await desk.open()
    await page.route('**/v1/runs?*', (route) => {
      const at = Number(new URL(route.request().url()).searchParams.get('before') ?? 5000)
      const runs = Array.from({ length: 50 }, (_, index) => ({
        ...{ id: `run_${at - index}`, family: 'gqa', status: 'done', answer: String(at - index) },
        ...{ instruction: `Question ${at - index}`, createdAt: at - index },
      }))
      const next = at > 50 ? { next: `/v1/runs?limit=50&before=${at - 50}` } : {}
      return route.fulfill({ json: { runs, ...next } })
    })
    await page.reload()
    await page.getByText('Earlier runs').click()
    const frame = page.locator('.history-frame')
    for (const far of [49, 99, 149]) {
      await page.waitForFunction(
        (last) => document.querySelector(`li[aria-setsize="${last + 1}"]`) !== null,
        far,
      )
      await frame.evaluate((one) => one.scrollTo(0, one.scrollHeight))
    }
    assert.ok((await page.locator('.history-row').count()) < 40)
    assert.deepEqual(faults, [])
    await page.close()
  },
)

browse('what the first screen needs is under 350 kB, packed', async () => {
  const { page } = await desk.open()
  const files: string[] = []
  page.on('requestfinished', (request) => {
    if (/\.(js|css)$/.test(new URL(request.url()).pathname)) files.push(request.url())
  })
  await page.reload()
  await page.locator('.drop').waitFor()
  const sizes = await Promise.all(
    [...new Set(files)].map(async (url) => gzipSync(await (await fetch(url)).bytes()).length),
  )
  const size = sizes.reduce((sum, one) => sum + one, 0)
  assert.ok(sizes.length > 1 && size < 350_000, `${size} bytes`)
  await page.close()
})

browse('axe finds nothing wrong: light and narrow, dark and wide', async () => {
  const screens = { start: '/', asked: `/runs/${asked}`, edited: `/runs/${edited}` }
  for (const [screen, path] of Object.entries(screens)) {
    for (const [wide, colours] of [
      [320, 'light'],
      [1280, 'dark'],
    ] as const) {
      const { page } = await desk.open({ path, width: wide })
      await page.locator(path === '/' ? '.drop' : '.answer').waitFor()
      await page.evaluate((to) => (document.documentElement.dataset.theme = to), colours)
      assert.deepEqual(await violations(page), [], `${screen} ${wide} ${colours}`)
      await shot(page, `${screen}-${wide}-${colours}`)
      await page.close()
    }
  }
})
