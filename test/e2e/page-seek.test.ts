import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RunDocument } from '../../src/app/index.ts'
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
  'a search is asked for, stays on this machine, shows its way and takes an answer',
  async () => {
    const { page, faults } = await desk.open()
    await page.getByLabel('choose a file').setInputFiles(photo('coffee'))
    await page.getByRole('radio', { name: 'Seek' }).check({ force: true })
    const offline = page.getByRole('checkbox', { name: /Stay on this machine/ })
    assert.ok(await offline.isChecked())
    await page.getByLabel('What would you like?').fill('Who made this cup?')
    const sent = page.waitForRequest('**/v1/seek')
    await page.keyboard.press('Enter')
    assert.equal((JSON.parse((await sent).postData() ?? '') as { offline: boolean }).offline, true)
    const search = page.getByRole('region', { name: 'Search' })
    await search.locator('.path li').first().waitFor()
    assert.match(await search.innerText(), /No answer that the sources bear out was found/)
    await shot(page, 'seek')
    await page.getByRole('button', { name: /^Wrong/ }).click()
    await page.keyboard.type('The potter of Ystad')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Teach it', exact: true }).click()
    await page.getByText(/^Learnt/).waitFor()
    const [fact] = await desk.pupil.learning.lessons({ status: 'applied' })
    assert.equal(fact?.tool, 'seek fact')
    assert.deepEqual(faults, [])
    await page.close()
  },
)

browse('sources are shown as links, never one that runs, and a wrong one is marked', async () => {
  const run = await desk.pupil.seek(photo('coffee'), 'What is this?', {
    offline: true,
    maxSteps: 2,
  })
  const { page, faults } = await desk.open()
  await page.route(`**/v1/runs/${run.id}`, async (route) => {
    const document = (await (await route.fetch()).json()) as RunDocument
    const step = Number(document.steps[0]?.output.slice(1))
    const base = {
      tool: 'web_search',
      provider: 'encyclopedia',
      quote: 'A cup holds coffee.',
      step,
    }
    const sources = [
      { ...base, number: 1, title: 'Cup', url: 'https://example.org/cup', licence: 'CC BY-SA 4.0' },
      { ...base, number: 2, title: 'Bad', url: 'javascript:alert(1)' },
    ]
    await route.fulfill({ json: { ...document, seek: { ...document.seek, sources } } })
  })
  await page.goto(`${new URL(page.url()).origin}/runs/${run.id}`)
  const sources = page.getByRole('list', { name: 'Sources' })
  await sources.getByText('A cup holds coffee.').first().waitFor()
  assert.deepEqual(await sources.getByRole('link').allInnerTexts(), ['Cup'])
  assert.deepEqual(await violations(page), [])
  await shot(page, 'seek-sources')
  const note = 'example.org/cup is not believed any more.'
  await page.route(`**/v1/runs/${run.id}/corrections`, (route) =>
    route.fulfill({ status: 201, json: { feedback: {}, retired: [], note } }),
  )
  const sent = page.waitForRequest('**/corrections')
  await sources.getByRole('button', { name: 'Wrong' }).first().click()
  assert.deepEqual(JSON.parse((await sent).postData() ?? ''), {
    target: { kind: 'step', index: 0 },
    expected: { rejected: true },
    reason: 'wrong-fact',
  })
  await page.getByText(note).waitFor()
  await sources.getByRole('button', { name: 'Marked wrong' }).waitFor()
  assert.deepEqual(faults, [])
  await page.close()
})
