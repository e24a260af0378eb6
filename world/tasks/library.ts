import { sha256 } from '../../src/base/index.ts'
import type { Lexicon } from '../lexicon.ts'
import { paintScene } from '../scene.ts'
import type { RawScene } from '../scene.ts'
import { spriteHash } from '../sprites/build-sprites.ts'
import { sceneTruth } from '../truth.ts'
import type { Sprite, Style } from '../types.ts'
import type { SceneRecipe, TaskScene } from './task.ts'

/** The drawings at hand, by style, and what scenes of them are painted from. */
export interface Library {
  readonly lexicon: Lexicon
  readonly sprites: readonly Sprite[]
  /** Known concepts that have a drawing in one of the styles. */
  conceptsOf(styles: readonly Style[], split: 'known' | 'new'): readonly string[]
  paint(recipe: SceneRecipe): RawScene
  /** Paints and works out the truth; the file name is a hash of the recipe. */
  scene(recipe: SceneRecipe): TaskScene
}

/** Makes a library of the sprites of one or more styles. */
export function createLibrary(lexicon: Lexicon, sprites: readonly Sprite[]): Library {
  const pools = new Map<string, readonly Sprite[]>()
  const hashes = new Map<string, string>()
  const tintable = new Set(
    [...lexicon.concepts.values()].flatMap(({ id, tint }) => (tint ? [id] : [])),
  )
  const pool = (styles: readonly Style[], fresh: readonly string[]): readonly Sprite[] =>
    cached(pools, [...styles, '', ...fresh].join(' '), () =>
      sprites.filter(
        ({ style, concept }) =>
          styles.includes(style) &&
          (lexicon.concept(concept).split === 'known' || fresh.includes(concept)),
      ),
    )
  const hashOf = (styles: readonly Style[]): string =>
    cached(hashes, styles.join(' '), () =>
      spriteHash(sprites.filter(({ style }) => styles.includes(style))),
    )
  const paint = (recipe: SceneRecipe): RawScene =>
    paintScene(recipe.seed, {
      sprites: pool(recipe.styles, recipe.fresh),
      size: recipe.size,
      objects: recipe.objects,
      wanted: recipe.wanted,
      tints: recipe.tints,
      without: new Set(recipe.without),
      tintable,
    })
  return {
    lexicon,
    sprites,
    paint,
    conceptsOf: (styles, split) => {
      const drawn = new Set(
        sprites.flatMap(({ style, concept }) => (styles.includes(style) ? [concept] : [])),
      )
      return [...drawn].filter((id) => lexicon.concept(id).split === split).sort()
    },
    scene: (recipe) => ({
      image: imageName(recipe),
      recipe,
      graph: sceneTruth(paint(recipe), {
        sprites: hashOf(recipe.styles),
        synset: (id) => lexicon.concept(id).synset,
      }),
    }),
  }
}

/** A file name that tells nothing about the picture. */
export function imageName(recipe: SceneRecipe): string {
  return `${sha256(JSON.stringify(recipe)).slice(0, 16)}.png`
}

function cached<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
