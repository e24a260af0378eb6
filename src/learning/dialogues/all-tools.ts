import { resultTurn } from '../../tools/index.ts'
import type { DialogueTools } from './annotated-tools.ts'
import type { AnnotatedPicture } from './dialogue.ts'

/** The skills of All Tools, in the order in which they are written. */
const ALL_TOOLS = ['blip2', 'ram', 'ram+grounding_dino', 'ocr'] as const

/**
 * The results of all understanding skills but segmentation, a line each, then a blank line. How the paper
 * writes them is unpublished: this is ours, and every report says so.
 *
 * @source llava-plus §7.4
 */
export async function allToolsPrefix(
  tools: DialogueTools,
  picture: AnnotatedPicture,
): Promise<string> {
  const lines: string[] = []
  for (const name of ALL_TOOLS) {
    const reply = await tools.call({ name, params: new Map() }, picture)
    const [line = ''] = resultTurn([{ api: name, reply }], '').split('\n\n')
    lines.push(line)
  }
  return `${lines.join('\n')}\n\n`
}
