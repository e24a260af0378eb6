import { blurBackground, objectsMask } from '../image/index.ts'
import { selected } from './selected.ts'
import type { ToolSettings } from './settings.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'

/** BGBLUR: blurred outside the objects, bit-identical inside. */
export function bgblur(settings: ToolSettings): Tool {
  return {
    signature: signatureOf('BGBLUR'),
    run: async (args, context) => {
      const { image, objects, notices } = selected(args, context, { masks: true })
      if (objects.length === 0) return { value: image, notices }
      const value = await blurBackground(image, objectsMask(objects, image), {
        sigma: settings.blurSigma,
        edge: settings.blurEdge,
        signal: context.signal,
      })
      return { value, notices }
    },
  }
}
