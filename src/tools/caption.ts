import { imageArg } from './args.ts'
import type { Backends } from './backends.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'
import { noBackend } from './unavailable.ts'

/** CAPTION: a sentence about the picture; how it was made stands in its notices. */
export function caption(backends: Backends): Tool {
  return {
    signature: signatureOf('CAPTION'),
    run: async (args, context) => {
      const captioner = backends.captioners[0]
      if (captioner === undefined) throw noBackend('CAPTION', 'describe pictures')
      const { text, score, notices } = await captioner.caption(imageArg(args), {
        signal: context.signal,
      })
      return {
        value: text,
        notices,
        models: captioner.models(),
        raw: text,
        ...(score === null ? {} : { score }),
      }
    },
  }
}
