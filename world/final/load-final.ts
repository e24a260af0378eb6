import { appendFile } from 'node:fs/promises'
import type { Abortable } from '../../src/base/index.ts'
import { readConcepts } from '../concepts.ts'
import { buildSprites } from '../sprites/build-sprites.ts'
import type { Sprite } from '../types.ts'
import { FINAL_PACKAGES } from './final-packages.ts'

/** What is written down at each opening. */
export interface Opening {
  readonly commit: string
  /** ISO date and time. */
  readonly at: string
  /** File to which a line is appended. */
  readonly log: string
}

/**
 * The sprites of a final style. Only `bench/world-final.ts` may call this: nothing is chosen on these
 * drawings, nothing of them is stored, and every opening is logged before it happens.
 *
 * @throws UserFault `E_DRAWINGS` when the package (a development dependency) is not installed
 */
export async function loadFinalSprites(
  style: 'final-a' | 'final-b',
  { commit, at, log }: Opening,
  options: Abortable = {},
): Promise<readonly Sprite[]> {
  const source = FINAL_PACKAGES.find((one) => one.style === style)
  if (source === undefined) throw new RangeError(`There is no style "${style}".`)
  await appendFile(log, `${at} ${commit} opened ${style} (${source.name} ${source.version})\n`)
  return buildSprites(source, await readConcepts(), options)
}
