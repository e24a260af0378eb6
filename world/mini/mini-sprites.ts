import { readFile } from 'node:fs/promises'
import { readSprites } from '../sprites/sprite-file.ts'
import type { Sprite } from '../types.ts'

/** The committed mini set: 20 known concepts, drawn twice each under permissive licences. */
export async function miniSprites(): Promise<readonly Sprite[]> {
  return readSprites(await readFile(new URL('mini.bin', import.meta.url)))
}
