import { access, readdir, readFile, rename, rm } from 'node:fs/promises'
import { extname, join, normalize, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256, Unavailable } from '../../base/index.ts'

/** The built page. */
export interface PageFiles {
  /** A file by its path on the server, such as `/index.html`. */
  read(path: string): Promise<{ readonly bytes: Uint8Array; readonly type: string } | undefined>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Files of a folder, each read once; nothing outside it can be reached. */
export function folderPage(folder: string): PageFiles {
  const root = resolve(folder) + sep
  const known = new Map<string, { readonly bytes: Uint8Array; readonly type: string }>()
  return {
    read: async (path) => {
      const before = known.get(path)
      if (before !== undefined) return before
      const type = TYPES[extname(path)]
      const file = resolve(root, normalize(decode(path)).replace(/^[/\\]+/, ''))
      if (type === undefined || !file.startsWith(root)) return undefined
      const bytes = await readFile(file).catch(() => undefined)
      if (bytes === undefined) return undefined
      const read = { bytes, type }
      known.set(path, read)
      return read
    },
  }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

const SOURCES = fileURLToPath(new URL('../web/', import.meta.url))
/** Where a published package carries the page, built. */
const SHIPPED = fileURLToPath(new URL('../../../web/', import.meta.url))

/**
 * The page: as it was shipped, or built from its sources into the cache, once for each state of them.
 *
 * @throws Unavailable `E_PAGE` when it has to be built and cannot be
 */
export async function openPage(cache: string, note: (text: string) => void): Promise<PageFiles> {
  if (await there(join(SHIPPED, 'index.html'))) return folderPage(SHIPPED)
  const folder = join(cache, 'page', (await sourceHash(SOURCES)).slice(0, 16))
  if (!(await there(join(folder, 'index.html')))) {
    note('Building the page, once …')
    await buildPage(folder)
  }
  return folderPage(folder)
}

/** Builds beside and renames, so that two processes that start at once do not meet. */
async function buildPage(folder: string): Promise<void> {
  const beside = `${folder}.${process.pid}.part`
  try {
    const { build } = await import('vite')
    await build({
      ...{ root: SOURCES, configFile: false, logLevel: 'error', base: '/' },
      build: { outDir: beside, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
    })
    await rm(folder, { recursive: true, force: true })
    await rename(beside, folder)
  } catch (cause) {
    await rm(beside, { recursive: true, force: true })
    if (await there(join(folder, 'index.html'))) return
    throw new Unavailable('E_PAGE', `The page cannot be built: ${(cause as Error).message}`, {
      cure: 'Run "npm ci" again; the cache folder must be writable (--data, PUPIL_HOME).',
      cause,
    })
  }
}

async function sourceHash(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const parts = await Promise.all(
    files
      .sort()
      .map(async (file) => `${file.slice(folder.length)} ${sha256(await readFile(file))}`),
  )
  return sha256(parts.join('\n'))
}

function there(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
