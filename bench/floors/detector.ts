import { byScore, iou, suppress } from '../../src/image/index.ts'
import type { Box } from '../../src/image/index.ts'
import { devConcepts, devScenes, shares } from './floor.ts'
import type { Measured, Measuring, SeenScene } from './floor.ts'

interface Candidate {
  readonly score: number
  readonly hit: boolean
}

/** AP50 over names that stand in a scene and as many that do not; recall of any box at half overlap. */
export async function detectorFloors(measuring: Measuring): Promise<readonly Measured[]> {
  const known = await bothOf(measuring, 'known')
  const fresh = await bothOf(measuring, 'new')
  return [
    { model: 'detector', figure: 'AP50, known names', ...known.precision, floor: 0.6 },
    { model: 'detector', figure: 'recall at IoU 0.5, known names', ...known.recall, floor: 0.8 },
    {
      ...{ model: 'detector', figure: 'AP50, new names (room to learn)' },
      ...{ ...fresh.precision, ceiling: 0.15 },
    },
  ]
}

type Shares = Pick<Measured, 'value' | 'bySeed' | 'n'>

async function bothOf(
  measuring: Measuring,
  split: 'known' | 'new',
): Promise<{ readonly precision: Shares; readonly recall: Shares }> {
  const ids = devConcepts(measuring, split)
  const recalls: boolean[][] = []
  const precisions: number[] = []
  const all: Candidate[] = []
  let [wanted, absent] = [0, 0]
  for (const seed of measuring.seeds) {
    const found: boolean[] = []
    const candidates: Candidate[] = []
    let truths = 0
    const scenes = devScenes(measuring, seed, split === 'new' ? ids : undefined)
    for (const scene of scenes) {
      const present = [...new Set(scene.graph.objects.map(({ concept }) => concept))]
      const asked = present.filter((id) => ids.includes(id))
      // As many names that are not there: false alarms count.
      const others = asked.map(() => ids[(absent += 37) % ids.length] as string)
      for (const concept of [...asked, ...others.filter((id) => !present.includes(id))]) {
        const { rows, boxes, hits } = await look(measuring, scene, concept)
        candidates.push(...rows)
        truths += boxes
        for (let i = 0; i < boxes; i++) found.push(i < hits)
      }
    }
    recalls.push(found)
    precisions.push(averagePrecision(candidates, truths))
    all.push(...candidates)
    wanted += truths
  }
  return {
    precision: { value: averagePrecision(all, wanted), bySeed: precisions, n: wanted },
    recall: shares(recalls),
  }
}

/** What LOC's detector finds of a name, each find a hit of a truth not yet found, or not. */
async function look(
  { library, starter }: Measuring,
  { image, graph }: SeenScene,
  concept: string,
): Promise<{ rows: readonly Candidate[]; boxes: number; hits: number }> {
  const truths = graph.objects.filter((one) => one.concept === concept)
  const [detector] = starter.backends.detectors
  const detection = await detector?.detect(image, library.lexicon.concept(concept).label)
  const findings = detection?.known === true ? detection.findings : []
  const kept = suppress(
    findings.map(({ box, score }) => ({ box: box as Box, score })).toSorted(byScore),
    { maxOverlap: 0.5 },
  )
  const taken = new Set<number>()
  const rows = kept.map(({ box, score }): Candidate => {
    const at = truths.findIndex((one, i) => !taken.has(i) && iou(one.box, box) >= 0.5)
    if (at >= 0) taken.add(at)
    return { score, hit: at >= 0 }
  })
  return { rows, boxes: truths.length, hits: taken.size }
}

/** Area under the precision-recall curve, all names together, precision made to fall. */
function averagePrecision(candidates: readonly Candidate[], truths: number): number {
  const sorted = candidates.toSorted((a, b) => b.score - a.score)
  let hits = 0
  const points = sorted.map(({ hit }, i) => {
    if (hit) hits++
    return { hit, precision: hits / (i + 1) }
  })
  let [best, area] = [0, 0]
  for (const { hit, precision } of points.toReversed()) {
    best = Math.max(best, precision)
    if (hit) area += best
  }
  return truths === 0 ? 0 : area / truths
}
