import { colourPop, objectsMask } from '../image/index.ts'
import { selected } from './selected.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'

/** COLORPOP: grey outside the objects, bit-identical inside. */
export function colorpop(): Tool {
  return {
    signature: signatureOf('COLORPOP'),
    run: async (args, context) => {
      const { image, objects, notices } = selected(args, context, { masks: true })
      if (objects.length === 0) return { value: image, notices }
      return { value: colourPop(image, objectsMask(objects, image)), notices }
    },
  }
}
