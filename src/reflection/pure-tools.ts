import { noProgress } from '../base/index.ts'
import type { CallTool } from '../program/index.ts'
import { createToolbox, NO_BACKENDS } from '../tools/index.ts'

/** Tools that need no model (COUNT, CROP…): what they give follows from their arguments. */
export function pureTools(): CallTool {
  const toolbox = createToolbox({ backends: NO_BACKENDS })
  return (tool, args, context) => toolbox.call(tool, args, { ...context, progress: noProgress })
}
