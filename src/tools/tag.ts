import { drawTags } from '../image/index.ts'
import { selected } from './selected.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'

/** TAG: a box and a name for every object; the picture carries the objects, which are what is scored. */
export function tag(): Tool {
  return {
    signature: signatureOf('TAG'),
    run: async (args, context) => {
      const { image, objects, notices } = selected(args, context, { masks: false })
      if (objects.length === 0) return { value: image, notices }
      return { value: await drawTags(image, objects, { signal: context.signal }), notices }
    },
  }
}
