import { maskFromBox, pixelBox, scaleAboutCentre, suppress } from '../image/index.ts'
import type { Box } from '../image/index.ts'
import { imageArg, makeObject } from './args.ts'
import type { Backends, FaceFinding } from './backends.ts'
import type { ToolSettings } from './settings.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'
import { noBackend } from './unavailable.ts'

/** FACEDET: all faces, boxes enlarged, masks filled (program-language §8). */
export function facedet(backends: Backends, settings: ToolSettings): Tool {
  return {
    signature: signatureOf('FACEDET'),
    run: async (args, context) => {
      const image = imageArg(args)
      const detector = backends.faces ?? noFaces()
      const found = await detector.faces(image, { signal: context.signal })
      const above = found.filter(
        (face) => Math.fround(face.score) > Math.fround(settings.faceThreshold),
      )
      const kept = suppress<FaceFinding & { readonly box: Box }>(above, {
        maxOverlap: settings.faceOverlap,
      })
      const value = kept.flatMap((face) => {
        const box = pixelBox(scaleAboutCentre(face.box, settings.faceGrow), image)
        if (box === undefined) return []
        const mask = maskFromBox(box, image.height, image.width)
        return [makeObject({ box, category: 'face', score: face.score, mask }, image, context)]
      })
      return { value, models: detector.models() }
    },
  }
}

function noFaces(): never {
  throw noBackend('FACEDET', 'find faces')
}
