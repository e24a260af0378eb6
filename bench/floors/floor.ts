import { createImage } from '../../src/image/index.ts'
import type { Image } from '../../src/image/index.ts'
import type { StarterBackends } from '../../src/tools/index.ts'
import { DEVELOPMENT_STYLE } from '../../world/index.ts'
import type { Library, OpenJudge, Scene } from '../../world/index.ts'

export interface Measuring {
  readonly library: Library
  readonly starter: StarterBackends
  readonly judge: OpenJudge
  /** Scenes of each draw. */
  readonly scenes: number
  readonly seeds: readonly number[]
}

/** One figure with its bound, reached or not. */
export interface Measured {
  readonly model: string
  readonly figure: string
  readonly value: number
  readonly bySeed: readonly number[]
  /** Cases. */
  readonly n: number
  readonly floor?: number
  readonly ceiling?: number
  readonly unit?: string
}

export interface SeenScene {
  readonly image: Image
  readonly graph: Scene
}

/** Scenes of the development style; of new concepts one stands in each, where they are wanted. */
export function* devScenes(
  { library, scenes }: Measuring,
  seed: number,
  fresh?: readonly string[],
): Generator<SeenScene> {
  for (let i = 0; i < scenes; i++) {
    const wanted = fresh === undefined ? [] : [fresh[(seed * scenes + i) % fresh.length] as string]
    const recipe = {
      ...{ seed: 1_900_000 + seed * 10_000 + i, size: 256, styles: [DEVELOPMENT_STYLE], wanted },
      ...{ objects: 5, tints: [], without: [], fresh: wanted },
    }
    const raw = library.paint(recipe)
    yield {
      image: createImage(raw.rgb, raw.width, raw.height),
      graph: library.scene(recipe).graph,
    }
  }
}

/** Known and new concepts with a drawing in the development style. */
export function devConcepts({ library }: Measuring, split: 'known' | 'new'): readonly string[] {
  return library.conceptsOf([DEVELOPMENT_STYLE], split)
}

/** A share over the draws: of all cases, and of each draw. */
export function shares(
  rows: readonly (readonly (number | boolean)[])[],
): Pick<Measured, 'value' | 'bySeed' | 'n'> {
  const mean = (values: readonly (number | boolean)[]): number =>
    values.length === 0
      ? 0
      : values.reduce<number>((sum, one) => sum + Number(one), 0) / values.length
  const flat = rows.flat()
  return { value: mean(flat), bySeed: rows.map(mean), n: flat.length }
}
