import { pythonStrip } from './python-round.ts'
import type { Template } from './templates.ts'

/** A turn of a prompt; null is the turn that the model is to write. */
export type PromptTurn = string | null

export interface PromptOptions {
  /** The first message has the picture; it may be `<image>` anywhere in it. */
  readonly imageOnFirst: boolean
}

/**
 * The prompt of a conversation, byte for byte as the reference writes it. Human and assistant alternate,
 * human first. An empty or missing message is the bare role.
 *
 * @source llava-plus §2.2
 */
export function writePrompt(
  template: Template,
  messages: readonly PromptTurn[],
  { imageOnFirst }: PromptOptions,
): string {
  const turns = imageOnFirst ? withPicture(template, messages) : messages
  switch (template.style) {
    case 'SINGLE':
      return single(template, turns)
    case 'TWO':
      return two(template, turns)
    case 'MPT':
      return mpt(template, turns)
    case 'LLAMA_2':
      return llama2(template, turns)
    default:
      return template.style satisfies never
  }
}

/** The first message with `<image>` moved to its front, or in a pair of turns of its own. */
function withPicture(template: Template, messages: readonly PromptTurn[]): readonly PromptTurn[] {
  const [first, ...rest] = messages
  if (typeof first !== 'string') return messages
  const text = pythonStrip(first.replaceAll('<image>', ''))
  return template.mmtag
    ? ['<Image><image></Image>', 'Received.', text, ...rest]
    : [`<image>\n${text}`, ...rest]
}

function roleAt({ roles }: Template, index: number): string {
  return roles[index % 2 === 0 ? 0 : 1]
}

function single(template: Template, turns: readonly PromptTurn[]): string {
  return turns.reduce<string>((text, turn, i) => {
    const role = roleAt(template, i)
    return text + (turn ? `${role}: ${turn}${template.sep}` : `${role}:`)
  }, template.system + template.sep)
}

function two(template: Template, turns: readonly PromptTurn[]): string {
  const ends = [template.sep, template.sep2 ?? '']
  return turns.reduce<string>((text, turn, i) => {
    const role = roleAt(template, i)
    return text + (turn ? `${role}: ${turn}${ends[i % 2] ?? ''}` : `${role}:`)
  }, template.system + template.sep)
}

function mpt(template: Template, turns: readonly PromptTurn[]): string {
  return turns.reduce<string>(
    (text, turn, i) => text + roleAt(template, i) + (turn ? turn + template.sep : ''),
    template.system + template.sep,
  )
}

/** The first `<s>` is left to the tokenizer. */
function llama2(template: Template, turns: readonly PromptTurn[]): string {
  let text = ''
  turns.forEach((turn, i) => {
    if (!turn) return
    const said = i === 0 ? `<<SYS>>\n${template.system}\n<</SYS>>\n\n${turn}` : turn
    text +=
      i % 2 === 0 ? `${template.sep}[INST] ${said} [/INST]` : ` ${said} ${template.sep2 ?? ''}`
  })
  return text.startsWith(template.sep) ? text.slice(template.sep.length) : text
}

const MARKS: readonly (readonly [RegExp, string])[] = [
  [/<image>/g, '[image]'],
  [/###/g, '# # #'],
  [/<(\/?)s>/g, '< $1s>'],
  [/<\|(im_(?:start|end))\|>/g, '< |$1| >'],
  [/\[(\/?)INST\]/g, '[ $1INST ]'],
  [/<<(\/?)SYS>>/g, '< <$1SYS> >'],
  [/(^|\s)(USER|ASSISTANT|Human|Assistant):/g, '$1$2 :'],
]

/**
 * A text without the marks that would forge a turn, a stop or a picture in a prompt; only the prompt's copy
 * is changed.
 *
 * @source llava-plus §2.5
 */
export function harmless(text: string): { readonly text: string; readonly changed: boolean } {
  let out = text
  for (const [mark, broken] of MARKS) out = out.replace(mark, broken)
  return { text: out, changed: out !== text }
}
