import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createPupil, resolveConfig } from '../../src/app/index.ts'
import type { Pupil } from '../../src/app/index.ts'
import { serve } from '../../src/doors/http/index.ts'
import { MODEL_CACHE } from './photos.ts'

const executablePath = [
  process.env.PUPIL_TEST_CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== '' && existsSync(path))

/** Why browser tests cannot run here; undefined where they can. */
export const noBrowser =
  executablePath === undefined ? 'no Chromium: install it or set PUPIL_TEST_CHROMIUM' : undefined

const ARGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

/** A page on a screen, and what went wrong on it. */
export interface Opened {
  readonly page: Page
  /** Errors, and requests that went elsewhere. */
  readonly faults: readonly string[]
}

/** A server with an empty home, and a browser beside it. */
export interface Browsing {
  readonly pupil: Pupil
  readonly browser: Browser
  open(options?: { width?: number; height?: number; path?: string }): Promise<Opened>
  close(): Promise<void>
}

export async function startBrowsing(): Promise<Browsing> {
  const home = mkdtempSync(join(tmpdir(), 'pupil-browse-'))
  const env = { PUPIL_HOME: home, PUPIL_CACHE: MODEL_CACHE }
  const { config } = await resolveConfig({ cwd: home, env })
  const pupil = createPupil(config, { thread: 'worker' })
  const server = await serve(pupil, { host: '127.0.0.1', port: 0, exact: true })
  const browser = await chromium.launch({ executablePath, args: ARGS.split(' ') })
  const context: BrowserContext = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  return {
    pupil,
    browser,
    open: async ({ width = 1280, height = 860, path = '/' } = {}) => {
      const page = await context.newPage()
      await page.setViewportSize({ width, height })
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.on('request', (request) => {
        const url = request.url()
        if (!/^(blob|data):/.test(url) && !url.startsWith(server.address)) {
          faults.push(`went to ${url}`)
        }
      })
      await page.goto(`${server.address}${path}`)
      return { page, faults }
    },
    close: async () => {
      await browser.close()
      await server.close()
      await pupil.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string }[] }[]
}

/** What axe finds wrong with a page, each as `rule: element`. */
export async function violations(page: Page): Promise<readonly string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  await page.evaluate(await readFile(path, 'utf8'))
  // Colours in the middle of a transition are nobody's choice.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel()
      else animation.finish()
    }
  })
  const result = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
  )
  return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** Keeps what the page looks like where `PUPIL_TEST_SHOTS` names a folder. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.PUPIL_TEST_SHOTS
  if (folder !== undefined && folder !== '') {
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }
}
