import { pixelBox } from '../image/index.ts'
import { imageArg, makeObject } from './args.ts'
import type { Backends } from './backends.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'
import { joinLines } from './text-lines.ts'
import { noBackend } from './unavailable.ts'

/**
 * OCR: text read in the picture, an object for each line in reading order.
 *
 * `category` is `text`, `label` is what was read; the whole text, line by line, is the raw result in
 * the trace. SELECT finds a line by what it says, since it compares labels too.
 */
export function ocr(backends: Backends): Tool {
  return {
    signature: signatureOf('OCR'),
    run: async (args, context) => {
      const image = imageArg(args)
      const { reader } = backends
      if (reader === undefined) throw noBackend('OCR', 'read text')
      const lines = await reader.read(image, { signal: context.signal })
      const value = lines.flatMap((line) => {
        const box = pixelBox(line.box, image)
        if (box === undefined) return []
        const what = { box, category: 'text', label: line.text, score: line.score }
        return [makeObject(what, image, context)]
      })
      return { value, models: reader.models(), raw: joinLines(lines) }
    },
  }
}
