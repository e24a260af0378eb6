import { openLexicon } from '../lexicon.ts'
import { miniSprites } from '../mini/mini-sprites.ts'
import type { Sprite, Style } from '../types.ts'
import { createLibrary } from './library.ts'
import type { Library } from './library.ts'

/**
 * A library in which every concept has a drawing in three styles: those of the mini set, handed round.
 * What is drawn is of no matter to tests of tasks, whose truth is the scene graph.
 */
export async function fixtureLibrary(): Promise<Library> {
  const [lexicon, mini] = await Promise.all([openLexicon(), miniSprites()])
  const styles: readonly Style[] = ['noto', 'fluent-flat', 'twemoji']
  const sprites = [...lexicon.concepts.keys()].flatMap((concept, i) =>
    styles.map((style, k): Sprite => {
      const drawn = mini[(i * 7 + k * 13) % mini.length] as Sprite
      return { ...drawn, id: `${style}/${concept}`, concept, style, drawing: `${style}/${concept}` }
    }),
  )
  return createLibrary(lexicon, sprites)
}
