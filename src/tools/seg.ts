import { maskArea, maskBox } from '../image/index.ts'
import { imageArg, makeObject } from './args.ts'
import type { Backends } from './backends.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'
import { noBackend } from './unavailable.ts'

/** Endings of panoptic names that say nothing to people; longest first. */
const ENDINGS = /-(?:other-merged|merged|other|stuff|stuck)$/

/** SEG: the picture cut into objects with masks and names, largest first (program-language §8). */
export function seg(backends: Backends): Tool {
  return {
    signature: signatureOf('SEG'),
    run: async (args, context) => {
      const image = imageArg(args)
      const segmenter = backends.segmenters[0]
      if (segmenter === undefined) throw noBackend('SEG', 'cut out objects')
      const { segments, notices } = await segmenter.segment(image, { signal: context.signal })
      const objects = segments.flatMap(({ mask, label, score }) => {
        const box = maskBox(mask)
        if (box === undefined) return []
        const category = label.replace(ENDINGS, '')
        const raw = category === label ? {} : { label }
        return [{ area: maskArea(mask), what: { box, category, score, mask, ...raw } }]
      })
      const largestFirst = objects.toSorted((a, b) => b.area - a.area)
      return {
        value: largestFirst.map(({ what }) => makeObject(what, image, context)),
        notices,
        models: segmenter.models(),
      }
    },
  }
}
