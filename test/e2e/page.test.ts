import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { createPupil, resolveConfig } from '../../src/app/index.ts'
import type { Pupil } from '../../src/app/index.ts'
import { serve } from '../../src/doors/http/index.ts'
import type { Running } from '../../src/doors/http/index.ts'
import { pictureType } from '../../src/image/index.ts'
import { MODEL_CACHE, photo } from './photos.ts'

const found = [
  process.env.PUPIL_TEST_CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const executablePath = found.find((path) => path !== '' && existsSync(path))
const skip =
  executablePath === undefined ? 'no Chromium: install it or set PUPIL_TEST_CHROMIUM' : undefined

const home = mkdtempSync(join(tmpdir(), 'pupil-page-'))
let pupil: Pupil
let server: Running
let browser: Browser

before(async () => {
  if (skip !== undefined) return
  const env = { PUPIL_HOME: home, PUPIL_CACHE: MODEL_CACHE }
  const { config } = await resolveConfig({ cwd: home, env })
  pupil = createPupil(config, { thread: 'worker' })
  server = await serve(pupil, { host: '127.0.0.1', port: 0, exact: true })
  browser = await chromium.launch({
    executablePath,
    args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
      ' ',
    ),
  })
})
after(async () => {
  await browser?.close()
  await server?.close()
  await pupil?.close()
  rmSync(home, { recursive: true, force: true })
})

interface Opened {
  readonly page: Page
  /** What went wrong on the page: errors, and requests that went elsewhere. */
  readonly faults: readonly string[]
}

async function open(
  options: { width?: number; height?: number; path?: string } = {},
): Promise<Opened> {
  const { width = 1280, height = 860, path = '/' } = options
  const page = await browser.newPage({ viewport: { width, height } })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(server.address)) {
      faults.push(`went to ${request.url()}`)
    }
  })
  await page.goto(`${server.address}${path}`)
  return { page, faults }
}

/** A browser test, skipped with its reason where there is no browser. */
function browse(title: string, body: () => Promise<void>): void {
  test(title, skip === undefined ? { timeout: 120_000 } : { skip }, body)
}

const chooseFile = (page: Page, ...names: readonly string[]): Promise<void> =>
  page.getByLabel('choose a file').setInputFiles(names.map(photo))
const write = (page: Page, text: string): Promise<void> =>
  page.getByLabel('What would you like?').fill(text)

browse('a chosen picture is asked about, and the steps stand over the picture', async () => {
  const { page, faults } = await open()
  await chooseFile(page, 'coffee')
  await write(page, 'How many cups are there?')
  await page.keyboard.press('Enter')
  await page.locator('.answer p').waitFor()
  assert.equal(await page.locator('.answer p').innerText(), '1')
  assert.match(await page.locator('.labels li').first().innerText(), /^cup/)
  const steps = page.getByRole('region', { name: 'Steps' }).getByRole('button')
  assert.equal(await steps.count(), 3)
  assert.match((await steps.first().textContent()) ?? '', /Step 1: LOC “cup” gave 1 object/)
  const box = await page.locator('svg .box').first().boundingBox()
  const picture = await page.locator('.picture').boundingBox()
  assert.ok(box !== null && picture !== null && box.width > 50 && box.x >= picture.x)
  assert.match(page.url(), /\/runs\/run_\w+$/)
  assert.deepEqual(faults, [])
  await page.close()
})

browse('everything can be done by keyboard alone', async () => {
  const { page, faults } = await open()
  await page.locator('.sample').nth(2).focus()
  await page.keyboard.press('Enter')
  await page.locator('.stage').waitFor()
  await page.getByLabel('What would you like?').focus()
  await page.keyboard.press('Enter')
  await page.locator('.answer p').waitFor()
  const steps = page.getByRole('region', { name: 'Steps' }).getByRole('button')
  await steps.first().focus()
  await page.keyboard.press('ArrowDown')
  assert.equal(await steps.nth(1).getAttribute('aria-pressed'), 'true')
  await page.keyboard.press('ArrowUp')
  assert.equal(await steps.first().getAttribute('aria-pressed'), 'true')
  assert.deepEqual(faults, [])
  await page.close()
})

browse('an edited picture is shown, compared with the original, and downloaded', async () => {
  const { page, faults } = await open()
  await chooseFile(page, 'astronaut')
  await write(page, 'Hide every face with a smiling emoji')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await page.getByText('Download picture').waitFor()
  const shown = (): Promise<string | null> => page.locator('.picture img').getAttribute('src')
  assert.match((await shown()) ?? '', /^\/v1\/blobs\//)
  await page.getByText('Show original').click()
  assert.match((await shown()) ?? '', /^blob:/)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByText('Download picture').click(),
  ])
  assert.equal(await pictureType(readFileSync(await download.path())), 'png')
  assert.deepEqual(faults, [])
  await page.close()
})

browse('two pictures are compared', async () => {
  const { page, faults } = await open()
  await chooseFile(page, 'astronaut')
  await page.getByLabel('Add a second picture').setInputFiles(photo('chelsea'))
  assert.equal(await page.locator('.stage-figure').count(), 2)
  await write(page, 'There are more people in the left picture than in the right one')
  await page.keyboard.press('Enter')
  await page.locator('.answer p').waitFor()
  assert.equal(await page.locator('.answer p').innerText(), 'True')
  assert.deepEqual(faults, [])
  await page.close()
})

browse('a picture is dropped, and one is pasted', async () => {
  const { page } = await open()
  const bytes = readFileSync(photo('coffee')).toString('base64')
  const transfer = await page.evaluateHandle((base64) => {
    const data = new DataTransfer()
    const raw = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
    data.items.add(new File([raw], 'coffee.jpg', { type: 'image/jpeg' }))
    return data
  }, bytes)
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer })
  await page.locator('.stage img[alt="coffee.jpg"]').waitFor()
  await page.getByLabel('Remove this picture').click()
  await page.locator('.drop').waitFor()
  await page.evaluate(
    (data) => dispatchEvent(new ClipboardEvent('paste', { clipboardData: data })),
    transfer,
  )
  await page.locator('.stage img[alt="coffee.jpg"]').waitFor()
  await page.close()
})

browse('a run has an address: reloaded, it stands there again', async () => {
  const run = await pupil.ask(photo('coffee'), 'How many cups are there?')
  const { page, faults } = await open({ path: `/runs/${run.id}` })
  await page.locator('.answer p').waitFor()
  assert.equal(await page.locator('.answer p').innerText(), '1')
  await page.getByText('Earlier runs').click()
  await page.locator('.history-row').first().waitFor()
  assert.deepEqual(faults, [])
  await page.close()
})

browse('what cannot be done is said: no picture, no picture file, nothing like it', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await page.getByText('Choose a picture first.').waitFor()
  const note = { name: 'note.png', mimeType: 'image/png', buffer: Buffer.from('a note') }
  await page.getByLabel('choose a file').setInputFiles([note])
  await write(page, 'How many cups are there?')
  await page.keyboard.press('Enter')
  await page
    .locator('.problem')
    .getByText(/is not a picture that can be read/)
    .waitFor()
  await page.close()
  const other = (await open()).page
  await chooseFile(other, 'coffee')
  await write(other, 'Compose a sonnet in praise of Tuesday')
  await other.keyboard.press('Enter')
  await other
    .locator('.problem')
    .getByText(/is like nothing that I was shown/)
    .waitFor()
  await other.close()
})

browse('it fits a narrow screen, light and dark', async () => {
  const run = await pupil.ask(photo('coffee'), 'How many cups are there?')
  for (const path of ['/', `/runs/${run.id}`]) {
    const { page } = await open({ width: 320, height: 700, path })
    await page.locator(path === '/' ? '.drop' : '.answer').waitFor()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(wide <= 320, `${path} is ${wide} pixels wide`)
    const paper = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const theme = page.getByRole('button', { name: /^Colours/ })
    await theme.click()
    const light = await paper()
    await theme.click()
    assert.notEqual(await paper(), light)
    await page.close()
  }
})

browse('each control has a name for those who do not see it', async () => {
  const run = await pupil.ask(photo('coffee'), 'How many cups are there?')
  for (const path of ['/', `/runs/${run.id}`]) {
    const { page } = await open({ path })
    await page.locator(path === '/' ? '.drop' : '.answer').waitFor()
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, a, input, textarea, img')]
        .filter((one) => {
          const labels = (one as HTMLInputElement).labels ?? []
          const words = one.getAttribute('aria-label') ?? one.textContent ?? ''
          return words.trim() === '' && labels.length === 0 && !one.hasAttribute('alt')
        })
        .map((one) => one.outerHTML),
    )
    assert.deepEqual(nameless, [])
    assert.equal(await page.getAttribute('html', 'lang'), 'en')
    await page.close()
  }
})

browse('a browser hears a whole run: plan, program, three steps and the end', async () => {
  const run = await pupil.ask(photo('coffee'), 'How many cups are there?')
  const { page } = await open()
  const heard = page.evaluate(
    (id) =>
      new Promise<string[]>((resolve) => {
        const ids: string[] = []
        const source = new EventSource(`/v1/runs/${id}/events`)
        for (const name of ['plan', 'program', 'step', 'finish']) {
          source.addEventListener(name, (event) => {
            ids.push(event.lastEventId)
            if (name === 'finish') resolve(ids)
          })
        }
      }),
    run.id,
  )
  assert.deepEqual(await heard, ['1', '2', '3', '4', '5', '6'])
  await page.close()
})
