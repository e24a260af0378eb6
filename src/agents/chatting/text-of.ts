import { cleanReply, pythonRepr, routedName } from '../../tools/index.ts'
import type { SkillReply } from '../../tools/index.ts'

/** A reply as the line that a model reads: `<api> model outputs: <repr>`. */
export function pythonReprOf(reply: SkillReply): string {
  return `${routedName(reply.api)} model outputs: ${pythonRepr(cleanReply(reply))}`
}
