import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { z } from 'zod'
import type { Abortable } from '../../base/index.ts'
import { decodePicture } from '../../image/index.ts'
import type { PictureToIndex } from './picture-index.ts'

const KINDS = new Set(['.jpg', '.jpeg', '.png', '.webp', '.avif', '.gif', '.tif', '.tiff'])

const row = z.object({
  file: z.string().min(1),
  title: z.string().nullish(),
  entity: z.string().nullish(),
  caption: z.string().nullish(),
  url: z.string().nullish(),
  licence: z.string().nullish(),
})

/**
 * The named pictures of a folder: those that `metadata.jsonl` lists, and those that lie in a folder of their own
 * name ("owl/1.jpg" shows an owl). Pictures without a name are left out.
 *
 * @returns the pictures in a fixed order, and the lines that could not be used
 * @source avis §11 (local index)
 */
export async function pictureFolder(
  folder: string,
  options: Abortable = {},
): Promise<{ readonly pictures: readonly PictureToIndex[]; readonly problems: readonly string[] }> {
  const names = await readdir(folder, { recursive: true })
  options.signal?.throwIfAborted()
  const files = names.filter((name) => KINDS.has(extname(name).toLowerCase())).sort()
  const { told, problems } = await metadata(folder)
  const pictures: PictureToIndex[] = []
  for (const name of files) {
    const path = join(folder, name)
    const id = relative(folder, path).split('\\').join('/')
    const said = told.get(id)
    const parent = dirname(id)
    const title = said?.title ?? (parent === '.' ? undefined : nameOf(basename(parent)))
    if (title === undefined || title === '') continue
    const { size, mtimeMs } = await stat(path)
    const { entity, caption, url, licence } = said ?? {}
    pictures.push({
      ...{ id, title, stamp: `${size}/${Math.round(mtimeMs)}` },
      ...(entity ? { entity } : {}),
      ...(caption ? { caption } : {}),
      ...(url ? { url } : {}),
      ...(licence ? { licence } : {}),
      read: async ({ signal } = {}) =>
        (await decodePicture(await readFile(path), { maxSide: 640, signal })).image,
    })
  }
  return { pictures, problems }
}

const nameOf = (folder: string): string => folder.replace(/[_-]+/g, ' ').trim()

async function metadata(folder: string): Promise<{
  readonly told: ReadonlyMap<string, z.infer<typeof row>>
  readonly problems: readonly string[]
}> {
  const text = await readFile(join(folder, 'metadata.jsonl'), 'utf8').catch(() => '')
  const told = new Map<string, z.infer<typeof row>>()
  const problems: string[] = []
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const read = rowOf(line)
    if (typeof read === 'string') problems.push(`metadata.jsonl, line ${i + 1}: ${read}`)
    else told.set(read.file, read)
  }
  return { told, problems }
}

function rowOf(line: string): z.infer<typeof row> | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'this is not JSON'
  }
  const read = row.safeParse(value)
  return read.success ? read.data : 'expected an object with "file" and "title"'
}
