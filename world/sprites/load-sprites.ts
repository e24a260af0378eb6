import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UserFault, writeAtomic } from '../../src/base/index.ts'
import type { Abortable, Progress } from '../../src/base/index.ts'
import { readConcepts } from '../concepts.ts'
import type { Sprite, Style } from '../types.ts'
import { buildSprites } from './build-sprites.ts'
import { DRAWING_PACKAGES } from './packages.ts'
import { readSprites, writeSprites } from './sprite-file.ts'

/** The styles that models may be trained on. */
export const TRAIN_STYLES: readonly Style[] = DRAWING_PACKAGES.filter(
  ({ role }) => role === 'train',
).map(({ style }) => style)

/** The style that decisions are steered by. */
export const DEVELOPMENT_STYLE: Style = 'twemoji'

/**
 * The sprites of some styles, built into `cacheFolder` at first use.
 *
 * @param styles  training or development styles
 * @throws UserFault `E_STYLE` for the final styles, which only the final bench opens
 */
export async function loadSprites(
  styles: readonly Style[],
  cacheFolder: string,
  options: Abortable & { readonly progress?: Progress } = {},
): Promise<readonly Sprite[]> {
  checkStyles(styles)
  const concepts = await readConcepts()
  const sets: (readonly Sprite[])[] = []
  for (const source of DRAWING_PACKAGES.filter(({ style }) => styles.includes(style))) {
    const path = join(cacheFolder, `sprites-${source.style}-${source.version}-1.bin`)
    const cached = await readFile(path).catch(() => undefined)
    if (cached !== undefined) {
      sets.push(readSprites(cached))
      continue
    }
    const built = await buildSprites(source, concepts, options)
    await writeAtomic(path, writeSprites(built))
    sets.push(built)
  }
  return sets.flat()
}

/** @throws UserFault `E_STYLE` for a final style, or one that is not known */
function checkStyles(styles: readonly Style[]): void {
  const open: readonly Style[] = DRAWING_PACKAGES.map(({ style }) => style)
  const other = styles.find((style) => !open.includes(style))
  if (other === undefined) return
  throw new UserFault(
    'E_STYLE',
    other === 'final-a' || other === 'final-b'
      ? `The style ${other} is opened by the final benchmark only, so that nothing is chosen on it.`
      : `There is no style "${String(other)}".`,
    { fields: { style: other, open }, cure: `Use one of ${open.join(', ')}.` },
  )
}
