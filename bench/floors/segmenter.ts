import { maskIou } from '../../src/image/index.ts'
import { namesStrictly } from '../../world/index.ts'
import { devScenes, shares } from './floor.ts'
import type { Measured, Measuring } from './floor.ts'

/** Mean IoU of the objects that were found (at least half), the share found, and of those the share named. */
export async function segmenterFloors(measuring: Measuring): Promise<readonly Measured[]> {
  const { starter, library, seeds } = measuring
  const [ious, found, named]: [number[][], boolean[][], boolean[][]] = [[], [], []]
  for (const seed of seeds) {
    const [overlaps, hits, names]: [number[], boolean[], boolean[]] = [[], [], []]
    for (const { image, graph } of devScenes(measuring, seed)) {
      const result = await starter.backends.segmenters[0]?.segment(image)
      for (const one of graph.objects) {
        const best = (result?.segments ?? [])
          .map(({ mask, label }) => ({ overlap: maskIou(one.mask, mask), label }))
          .toSorted((a, b) => b.overlap - a.overlap)[0]
        const hit = best !== undefined && best.overlap >= 0.5
        hits.push(hit)
        if (!hit) continue
        overlaps.push(best.overlap)
        names.push(namesStrictly(library.lexicon, one.concept, best.label))
      }
    }
    ious.push(overlaps)
    found.push(hits)
    named.push(names)
  }
  return [
    { model: 'segmenter', figure: 'mean IoU of found objects', ...shares(ious), floor: 0.75 },
    { model: 'segmenter', figure: 'share of objects found', ...shares(found) },
    { model: 'segmenter', figure: 'share of the found named right', ...shares(named) },
  ]
}
