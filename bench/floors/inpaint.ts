import { seededRandom } from '../../src/base/index.ts'
import { compositeInside } from '../../src/image/index.ts'
import { judgeCrop, judgeFitness, NOTHING, TRAIN_STYLES } from '../../world/index.ts'
import { devConcepts, devScenes, shares } from './floor.ts'
import type { Measured, Measuring } from './floor.ts'

/** Every so many scenes one thing is replaced and another removed: sampling takes seconds. */
const EVERY = 3

/** Replacements that the judge takes for the wanted thing, and removals that it takes for nothing. */
export async function inpaintFloors(measuring: Measuring): Promise<readonly Measured[]> {
  const replaced = await replacements(measuring, 'known')
  const fresh = await replacements(measuring, 'new')
  const removed = await replacements(measuring, undefined)
  return [
    { model: 'inpaint', figure: 'replacements judged right, known concepts', ...shares(replaced) },
    { model: 'inpaint', figure: 'removals judged right', ...shares(removed) },
    {
      ...{ model: 'inpaint', figure: 'replacements judged right, new concepts (room to learn)' },
      ...{ ...shares(fresh), ceiling: 0.05 },
    },
  ]
}

async function replacements(
  measuring: Measuring,
  split: 'known' | 'new' | undefined,
): Promise<boolean[][]> {
  const { library, starter, judge, seeds } = measuring
  const [filler] = starter.backends.fillers
  const ids = devConcepts(measuring, split ?? 'known')
  const rows: boolean[][] = []
  for (const seed of seeds) {
    const right: boolean[] = []
    let n = seed * 1000
    for (const { image, graph } of devScenes(measuring, seed)) {
      if (n++ % EVERY !== 0) continue
      // A compact thing that is wholly seen: thin silhouettes can show nothing else.
      const target = graph.objects.find(({ area, visibleArea, longer, fullBox: [a, b, c, d] }) => {
        return longer >= 64 && visibleArea === area && area * 2 >= (c - a) * (d - b)
      })
      if (target === undefined || filler === undefined) continue
      const wanted = split === undefined ? NOTHING : (ids[(n * 17) % ids.length] as string)
      const { label, article } = library.lexicon.concept(
        split === undefined ? target.concept : wanted,
      )
      const prompt = split === undefined ? 'background' : `${article} ${label}`.trim()
      const random = seededRandom(n)
      const request = { prompt, steps: 20, guidance: 1, random }
      const painted = await filler.fill(image, target.mask, request)
      const made = compositeInside(image, painted, target.mask, {})
      const [ranked = []] = await judge.rank([await judgeCrop(made, target.box)])
      const gone = split !== undefined || !ranked.slice(0, 5).includes(target.concept)
      right.push(ranked[0] === wanted && gone)
    }
    rows.push(right)
  }
  return rows
}

/** How far the judge may be trusted: on true drawings, unedited pictures and wrong things. */
export async function judgeFloors({
  library,
  judge,
  scenes,
}: Measuring): Promise<readonly Measured[]> {
  const rows: Measured[] = []
  for (const split of ['known', 'new'] as const) {
    const { pasted, unedited, wrong, cases } = await judgeFitness(judge, library, {
      ...{ styles: TRAIN_STYLES, cases: scenes * 2, split },
    })
    const one = (figure: string, value: number, bound: object): Measured => ({
      ...{
        model: 'judge',
        figure: `${figure}, ${split} targets`,
        value,
        bySeed: [value],
        n: cases,
      },
      ...bound,
    })
    rows.push(
      one('true drawings taken for what they are', pasted, { floor: 0.85 }),
      one('unedited pictures taken for it', unedited, { ceiling: 0.03 }),
      one('wrong drawings taken for it', wrong, { ceiling: 0.03 }),
    )
  }
  return rows
}
