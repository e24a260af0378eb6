/** How a template puts turns together. */
export type TemplateStyle = 'SINGLE' | 'TWO' | 'MPT' | 'LLAMA_2'

/** A conversation template of the reference's model family. */
export interface Template {
  readonly name: string
  readonly system: string
  readonly roles: readonly [human: string, assistant: string]
  readonly style: TemplateStyle
  readonly sep: string
  readonly sep2: string | null
  /** Ends the model's turn. */
  readonly stop: string
  /** The picture goes into an extra first pair of turns. */
  readonly mmtag: boolean
}

const USER =
  "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the user's questions."
const HUMAN =
  "A chat between a curious human and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the human's questions."
const VISUAL =
  'The assistant is able to understand the visual content that the user provides, and assist the user with a variety of tasks using natural language.'
const MMTAG = `A chat between a curious user and an artificial intelligence assistant. ${VISUAL}The visual content will be provided with the following format: <Image>visual content</Image>.`

const two = {
  roles: ['USER', 'ASSISTANT'],
  style: 'TWO',
  sep: ' ',
  sep2: '</s>',
  stop: '</s>',
} as const
const single = {
  roles: ['Human', 'Assistant'],
  style: 'SINGLE',
  sep: '###',
  sep2: null,
  stop: '###',
} as const

const MPT_SYSTEM =
  '<|im_start|>system\nA conversation between a user and an LLM-based AI assistant. The assistant gives helpful and honest answers.'

/** The templates by key (llava-plus §2.2); `v0` is a training form and stands in `learning/dialogues`. */
export const TEMPLATES = {
  v1: { name: 'v1', system: USER, ...two, mmtag: false },
  llava_v1: { name: 'llava_v1', system: HUMAN, ...two, mmtag: false },
  llava_v0: { name: 'llava_v0', system: HUMAN, ...single, mmtag: false },
  v0_mmtag: { name: 'v0_mmtag', system: MMTAG, ...single, mmtag: true },
  v1_mmtag: { name: 'v1_mmtag', system: MMTAG, ...two, mmtag: true },
  mpt: {
    name: 'mpt',
    system: MPT_SYSTEM,
    roles: ['<|im_start|>user\n', '<|im_start|>assistant\n'],
    style: 'MPT',
    sep: '<|im_end|>',
    sep2: null,
    stop: '<|im_end|>',
    mmtag: false,
  },
  llava_llama_2: {
    name: 'llava_llama_2',
    system: `You are a helpful language and vision assistant. You are ${VISUAL.slice('The assistant is '.length)}`,
    roles: ['USER', 'ASSISTANT'],
    style: 'LLAMA_2',
    sep: '<s>',
    sep2: '</s>',
    stop: '</s>',
    mmtag: false,
  },
} as const satisfies Readonly<Record<string, Template>>

export type TemplateName = keyof typeof TEMPLATES

/** The template that goes with the name of a served model (llava-plus §2.2, golden `template_choice`). */
export function templateFor(model: string): Template {
  const name = model.toLowerCase()
  if (!name.includes('llava')) {
    if (name.includes('mpt')) return TEMPLATES.mpt
    return name.includes('llama-2') ? TEMPLATES.llava_llama_2 : TEMPLATES.v1
  }
  if (name.includes('llama-2')) return TEMPLATES.llava_llama_2
  const plain = name.includes('plain') && !name.includes('finetune')
  if (name.includes('v1')) {
    return name.includes('mmtag') || plain ? TEMPLATES.v1_mmtag : TEMPLATES.llava_v1
  }
  if (name.includes('mpt')) return TEMPLATES.mpt
  return name.includes('mmtag') || (plain && !name.includes('tools'))
    ? TEMPLATES.v0_mmtag
    : TEMPLATES.llava_v0
}
