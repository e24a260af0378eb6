import { pythonStrip, TEMPLATES, writeTurn } from '../../tools/index.ts'
import type { Template } from '../../tools/index.ts'
import type { Dialogue, DialogueTurn } from './dialogue.ts'

/** A stretch of a text: UTF-16 units, end exclusive. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** A dialogue as the text that a model is trained on, and what of it is learnt. */
export interface TrainingText {
  readonly text: string
  /** Assistant text and its end mark, both of the turns that call skills and of the answers. */
  readonly learned: readonly TextSpan[]
}

/** An assistant's turn merged to one text (llava-plus §2.1); a human's as it is, `<image>` in front. */
export function mergedText(turn: DialogueTurn): string {
  if (turn.from === 'gpt') {
    const { thoughts, actions, value } = turn
    return writeTurn({ thoughts, actions, value })
  }
  if (!turn.value.includes('<image>')) return turn.value
  return `<image>\n${pythonStrip(turn.value.replaceAll('<image>', ''))}`
}

/**
 * The training text of a dialogue with the spans that carry loss; human turns and tool results carry none.
 *
 * @param template  default the training template `v1`; those of style TWO only
 * @source llava-plus §7.2
 */
export function trainingText(
  { turns }: Pick<Dialogue, 'turns'>,
  template: Template = TEMPLATES.v1,
): TrainingText {
  let text = template.system + template.sep
  const learned: TextSpan[] = []
  turns.forEach((turn, i) => {
    const role = template.roles[i % 2 === 0 ? 0 : 1]
    text += `${role}: `
    const start = text.length
    text += mergedText(turn) + (i % 2 === 0 ? template.sep : (template.sep2 ?? ''))
    if (turn.from === 'gpt') learned.push({ start, end: text.length })
  })
  return { text, learned }
}
