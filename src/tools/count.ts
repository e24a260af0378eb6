import { listArg } from './args.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'

/** COUNT: the length of any list. */
export function count(): Tool {
  return {
    signature: signatureOf('COUNT'),
    run: async (args) => ({ value: listArg(args, 'box').length }),
  }
}
