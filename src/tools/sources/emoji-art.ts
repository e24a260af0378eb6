import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Bug, Unavailable } from '../../base/index.ts'

/**
 * Drawings of emoji as SVG, by canonical name; the file of 25 MB is searched, not parsed, and read
 * once at the first call.
 *
 * @throws Unavailable `E_EMOJI` when the package `@iconify-json/noto` is not installed
 */
export function emojiArt(): (name: string) => Promise<string> {
  let file: Promise<Buffer> | undefined
  return async (name) => {
    file ??= readArt()
    return svgOf(await file, name.replaceAll('_', '-'))
  }
}

async function readArt(): Promise<Buffer> {
  try {
    const path = createRequire(import.meta.url).resolve('@iconify-json/noto/icons.json')
    const file = await open(path)
    try {
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw new Unavailable('E_EMOJI', 'The drawings of emoji are not installed.', {
      cure: 'Install them with "npm install @iconify-json/noto".',
      cause,
    })
  }
}

/** The icon's body in an SVG of the set's own size, 128 pixels. */
function svgOf(file: Buffer, icon: string): string {
  const start = file.indexOf(`\n\t\t"${icon}": {`)
  const body = start < 0 ? -1 : file.indexOf('"body": ', start)
  const end = body < 0 ? -1 : file.indexOf('\n', body)
  if (end < 0) throw new Bug('E_EMOJI_NAME', `The set of emoji has no "${icon}".`)
  const text = file.toString('utf8', body + 8, end).replace(/,\s*$/, '')
  const drawing: unknown = JSON.parse(text)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128">${String(drawing)}</svg>`
}
