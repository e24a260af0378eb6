import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { noBrowser, shot, startBrowsing, violations } from './browse.ts'
import type { Browsing } from './browse.ts'
import { photo } from './photos.ts'

let desk: Browsing
let run: string

/** Two versions of what a cup is, one thing that is none, and a plan. */
before(async () => {
  if (noBrowser !== undefined) return
  desk = await startBrowsing()
  const { learning } = desk.pupil
  run = (await desk.pupil.ask(photo('coffee'), 'How many cups are there?')).id
  const region = (box: readonly [number, number, number, number]) =>
    ({ kind: 'region', index: 0, picture: '', box }) as const
  await learning.correct(run, { target: region([20, 20, 120, 120]), expected: { label: 'cup' } })
  await learning.correct(run, { target: region([430, 20, 540, 120]), expected: { label: 'cup' } })
  await learning.correct(run, {
    target: region([300, 280, 400, 380]),
    expected: { rejected: true },
    reason: 'not-there',
  })
  const program = "A=LOC(image=IMAGE,object='mug')\nB=COUNT(box=A)\nR=RESULT(var=B)"
  await learning.correct(run, { target: { kind: 'program' }, expected: { program } })
})
after(() => desk?.close())

function browse(title: string, body: () => Promise<void>): void {
  test(title, noBrowser === undefined ? { timeout: 120_000 } : { skip: noBrowser }, body)
}

const statuses = async (): Promise<readonly string[]> =>
  (await desk.pupil.learning.lessons({ tool: 'LOC' })).map(({ status }) => status)

browse(
  'what was taught stands in memory: its examples, its versions, what it never is',
  async () => {
    const { page, faults } = await desk.open()
    await page.getByRole('link', { name: 'Memory' }).click()
    const card = page.locator('.concept').first()
    await card.waitFor()
    assert.match(await card.innerText(), /cup\s+LOC[\s\S]*2 examples, 1 never/)
    await card.click()
    await page.getByRole('list', { name: 'Never again' }).waitFor()
    assert.equal(
      await page.getByRole('list', { name: 'This is one' }).getByRole('listitem').count(),
      2,
    )
    assert.equal(await page.getByRole('list', { name: 'Versions' }).getByRole('article').count(), 3)
    await shot(page, 'memory')
    await page.getByRole('link', { name: 'the run it came from' }).first().click()
    await page.locator('.answer p').waitFor()
    assert.ok(page.url().endsWith(`/runs/${run}`))
    assert.deepEqual(faults, [])
    await page.close()
  },
)

browse('a version is undone, used again, gone back to, and all is switched off', async () => {
  const { page, faults } = await desk.open({ path: '/memory' })
  await page.locator('.concept').first().click()
  const newest = page.getByRole('list', { name: 'Versions' }).getByRole('article').first()
  await newest.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('v3 is undone.').waitFor()
  assert.deepEqual(await statuses(), ['applied', 'applied', 'undone'])
  await newest.getByRole('button', { name: 'Use it again' }).click()
  await page.getByText('v3 acts again.').waitFor()
  const oldest = page.getByRole('list', { name: 'Versions' }).getByRole('article').last()
  await oldest.getByRole('button', { name: 'Go back to this one' }).click()
  await page.getByText('Back at v1.').waitFor()
  assert.deepEqual(await statuses(), ['applied', 'undone', 'undone'])
  await page.getByRole('button', { name: 'Switch all off' }).click()
  await page.getByText('Switched off: none of it acts.').waitFor()
  await page.locator('.concept small').getByText('switched off').waitFor()
  assert.deepEqual(faults, [])
  await page.close()
})

browse('a lesson is exported, forgotten for good, and imported again', async () => {
  const { page, faults } = await desk.open({ path: '/memory' })
  await page.locator('.concept').first().click()
  const oldest = page.getByRole('list', { name: 'Versions' }).getByRole('article').last()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    oldest.getByRole('link', { name: 'Export' }).click(),
  ])
  const buffer = readFileSync(await download.path())
  await page.getByRole('button', { name: 'Forget for good …' }).click()
  await page.getByRole('button', { name: 'Forget it' }).click()
  await page.getByText('“cup” is forgotten: 3 lessons deleted.').waitFor()
  await page.locator('.concept').waitFor({ state: 'detached' })
  await page
    .getByLabel('Lesson to import, a zip file')
    .setInputFiles([{ name: 'lesson.zip', mimeType: 'application/zip', buffer }])
  await page.getByText('Imported “cup” for LOC. It acts now.').waitFor()
  await page.locator('.concept').waitFor()
  assert.deepEqual(faults, [])
  await page.close()
})

browse('memory is searched by words', async () => {
  const { page, faults } = await desk.open({ path: '/memory' })
  await page.locator('.concept').waitFor()
  await page.getByRole('searchbox').fill('zebra')
  await page.getByText('Nothing that was taught has these words.').waitFor()
  await page.getByRole('searchbox').fill('cup loc')
  await page.locator('.concept').waitFor()
  assert.deepEqual(faults, [])
  await page.close()
})

browse('of two thousand concepts only those in sight are drawn, page by page', async () => {
  const { page, faults } = await desk.open()
  await page.route('**/v1/concepts?*', (route) => {
    const at = Number(new URL(route.request().url()).searchParams.get('after') ?? 0)
    const concepts = Array.from({ length: 100 }, (_, index) => ({
      ...{ tool: 'LOC', concept: `thing ${at + index + 1}`, versions: 1, acting: [1] },
      ...{ positives: 1, negatives: 0, changedAt: 0, examples: [] },
    }))
    const next = at < 1900 ? { next: `/v1/concepts?limit=100&after=${at + 100}` } : {}
    return route.fulfill({ json: { concepts, ...next } })
  })
  await page.getByRole('link', { name: 'Memory' }).click()
  const frame = page.locator('.virtual')
  for (const size of [100, 200, 300]) {
    await page.locator(`li[aria-setsize="${size}"]`).first().waitFor()
    await frame.evaluate((one) => one.scrollTo(0, one.scrollHeight))
  }
  assert.ok((await page.locator('.concept').count()) < 40)
  assert.deepEqual(faults, [])
  await page.close()
})

browse('plans, examples of plans and the graph of moves are there too', async () => {
  const { page, faults } = await desk.open({ path: '/memory' })
  await page.getByRole('button', { name: 'Plans and answers' }).click()
  await page.getByRole('article').first().getByText('program').waitFor()
  await page.getByRole('button', { name: 'Examples of plans' }).click()
  await page.getByRole('searchbox').fill('mug')
  await page.getByText('given by a person').first().waitFor()
  assert.match(await page.locator('.demonstration').first().innerText(), /object='mug'/)
  await page.getByRole('button', { name: 'Decisions' }).click()
  await page.locator('.graph-node').first().waitFor()
  assert.match(await page.locator('.graph-node').first().innerHTML(), /START/)
  await shot(page, 'memory-decisions')
  assert.deepEqual(faults, [])
  await page.close()
})

browse('tuning in the background is watched where a lesson was taught', async () => {
  const { page, faults } = await desk.open({ path: `/runs/${run}` })
  const job = (stages: readonly string[], state: string, more: object = {}) => ({
    ...{ id: 'job_1', kind: 'tune', lesson: '', state, attempts: 1, error: null, stages },
    ...{ collected: null, tuned: null, effect: null, made: null, nothing: null, ...more },
  })
  await page.route('**/v1/jobs?*', async (route) => {
    const { id } = (await desk.pupil.learning.lesson('last')).lesson
    await route.fulfill({ json: { jobs: [{ ...job([], 'waiting'), lesson: id }] } })
  })
  await page.route('**/v1/jobs/job_1/events', (route) => {
    const scores = { tuned: { scores: { plain: 0.5, exemplars: null, tuned: 0.8 } } }
    const parts = [
      ['progress', job(['collect'], 'running')],
      ['finish', job(['collect', 'tune', 'prove', 'apply'], 'done', scores)],
    ] as const
    const body = parts.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    return route.fulfill({ contentType: 'text/event-stream', body: body.join('') })
  })
  await page.locator('.labels button').first().click()
  await page.keyboard.type('beaker')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Teach it', exact: true }).click()
  await page.getByText('Held-out pictures: 50 % right before, 80 % with prompts.').waitFor()
  assert.equal(await page.locator('.job .done').count(), 4)
  assert.deepEqual(faults, [])
  await page.close()
})

browse('axe finds nothing wrong in memory: light and narrow, dark and wide', async () => {
  for (const [wide, colours] of [
    [320, 'light'],
    [1280, 'dark'],
  ] as const) {
    const { page } = await desk.open({ path: '/memory', width: wide })
    await page.evaluate((to) => (document.documentElement.dataset.theme = to), colours)
    await page.locator('.concept').first().click()
    await page.getByRole('list', { name: 'Versions' }).getByRole('article').first().waitFor()
    assert.deepEqual(await violations(page), [], `concepts ${wide} ${colours}`)
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= wide)
    await shot(page, `memory-${wide}-${colours}`)
    await page.getByRole('button', { name: 'Decisions' }).click()
    await page.locator('.graph-node').first().waitFor()
    assert.deepEqual(await violations(page), [], `decisions ${wide} ${colours}`)
    await page.close()
  }
})
