import { createImage } from '../../src/image/index.ts'
import type { Abortable } from '../../src/base/index.ts'
import { streamOf } from '../stream.ts'
import type { Library } from '../tasks/library.ts'
import { pasteOver } from '../tasks/truth-filler.ts'
import type { Sprite, Style } from '../types.ts'
import { judgeCrop } from './judge.ts'
import type { Crop, Judge } from './judge.ts'

/** Shares of cases in which the judge says that the wanted thing is there. */
export interface Fitness {
  /** A true drawing of it pasted in place: must be at least 85 % on training styles. */
  readonly pasted: number
  /** The picture as it was: must be at most 3 %. */
  readonly unedited: number
  /** Another thing pasted: must be at most 3 %. */
  readonly wrong: number
  readonly cases: number
  /** Fit to judge: all three hold. */
  readonly fit: boolean
}

export interface FitnessOptions extends Abortable {
  readonly styles: readonly Style[]
  readonly cases: number
  readonly seed?: number
  /** Which concepts are to be put there. */
  readonly split: 'known' | 'new'
}

/** Whether a judge may be trusted, printed with every figure of edits. @source picture-world §8 */
export async function judgeFitness(
  judge: Judge,
  library: Library,
  options: FitnessOptions,
): Promise<Fitness> {
  const { styles, cases, seed = 0, split, signal } = options
  const stream = streamOf(seed, `pictures/fitness-${split}`)
  const wanted = library.conceptsOf(styles, split)
  const others = library.conceptsOf(styles, 'known')
  const rows: { concept: string; crops: Crop[] }[] = []
  for (let n = 0; rows.length < cases && n < cases * 4; n++) {
    const concept = stream.pick(wanted)
    const related = library.lexicon.related(concept)
    const other = stream.pick(others.filter((id) => id !== concept && !related.has(id)))
    const [drawn, wrong] = [concept, other].map((id) => drawingOf(library, styles, id, stream.pick))
    const crops = drawn && wrong && (await threeCrops(library, options, [concept, drawn, wrong], n))
    if (crops !== undefined) rows.push({ concept, crops })
  }
  const said = await judge.rank(
    rows.flatMap(({ crops }) => crops),
    { signal },
  )
  const share = (k: number): number =>
    rows.filter(({ concept }, i) => said[i * 3 + k]?.[0] === concept).length /
    Math.max(1, rows.length)
  const [pasted, unedited, wrong] = [share(0), share(1), share(2)]
  const fit = pasted >= 0.85 && unedited <= 0.03 && wrong <= 0.03
  return { pasted, unedited, wrong, cases: rows.length, fit }
}

/** The right thing pasted, nothing done, and a wrong thing pasted, over one roomy object. */
async function threeCrops(
  library: Library,
  { styles, seed = 0, signal }: FitnessOptions,
  [concept, drawn, wrong]: readonly [string, Sprite, Sprite],
  n: number,
): Promise<Crop[] | undefined> {
  const recipe = {
    ...{ seed: 900_000 + seed * 10_000 + n, size: 256, styles, objects: 3, wanted: [], tints: [] },
    ...{ without: [concept, ...library.lexicon.related(concept)].sort(), fresh: [] },
  }
  const raw = library.paint(recipe)
  const target = library
    .scene(recipe)
    .graph.objects.find(({ area, longer, fullBox: [x1, y1, x2, y2], visibleArea }) => {
      return longer >= 64 && area * 2 >= (x2 - x1) * (y2 - y1) && visibleArea === area
    })
  if (target === undefined) return undefined
  const edited = [drawn, undefined, wrong].map((sprite) => {
    const rgb = Uint8Array.from(raw.rgb)
    if (sprite !== undefined) pasteOver(rgb, raw.width, sprite, target.mask)
    return createImage(rgb, raw.width, raw.height)
  })
  return Promise.all(edited.map((image) => judgeCrop(image, target.box, { signal })))
}

function drawingOf(
  { sprites }: Library,
  styles: readonly Style[],
  concept: string,
  pick: <T>(items: readonly T[]) => T,
): Sprite | undefined {
  const drawn = sprites.filter((one) => one.concept === concept && styles.includes(one.style))
  return drawn.length === 0 ? undefined : pick(drawn)
}
