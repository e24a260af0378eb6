import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceCache } from '../agents/index.ts'

type Output = NonNullable<Awaited<ReturnType<SourceCache['get']>>>

/**
 * Answers of remote sources on disk, one file each, until their time is over; a file that cannot be read is as
 * if it were not there.
 */
export function folderSourceCache(folder: string): SourceCache {
  const path = (key: string): string => join(folder, key.slice(0, 2), `${key}.json`)
  return {
    get: async (key, now) => {
      const text = await readFile(path(key), 'utf8').catch(() => undefined)
      if (text === undefined) return undefined
      try {
        const { until, output } = JSON.parse(text) as { until?: number; output?: Output }
        return typeof until === 'number' && until > now ? output : undefined
      } catch {
        return undefined
      }
    },
    put: async (key, output, { now, ttlMs }) => {
      const file = path(key)
      await mkdir(join(file, '..'), { recursive: true })
      const young = `${file}.${process.pid}.new`
      await writeFile(young, JSON.stringify({ until: now + ttlMs, output }))
      await rename(young, file)
    },
  }
}
