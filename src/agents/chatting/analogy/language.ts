import type { ArgSpec, Family, Kind, Signature } from '../../../program/index.ts'

const image: ArgSpec = { name: 'image', type: 'image', about: 'the picture' }
const text = (name: string): ArgSpec => ({ name, type: 'text', about: name })
const of: ArgSpec = { name: 'of', type: 'list', about: 'what a skill found' }

function signature(name: string, args: readonly ArgSpec[], out: Kind = 'text'): Signature {
  return { name, args, out, families: ['chat'], about: name }
}

/** How skills are called in the programs of recorded dialogues: tool, wire name, parameter names. */
export const SKILL_TOOLS: Readonly<Record<string, { skill: string; params: readonly string[] }>> = {
  DETECT: { skill: 'grounding_dino', params: ['caption'] },
  SEGMENT: { skill: 'grounded_sam', params: ['caption'] },
  REGIONS: { skill: 'openseed', params: [] },
  DESCRIBE: { skill: 'blip2', params: [] },
  DESCRIBE_BOXES: { skill: 'blip2+grounding_dino', params: [] },
  TAGS: { skill: 'ram', params: [] },
  TAGS_BOXES: { skill: 'ram+grounding_dino', params: [] },
  READ: { skill: 'ocr', params: [] },
  SEARCH: { skill: 'retrieval', params: [] },
  MAKE: { skill: 'sd', params: ['prompt'] },
  EDIT: { skill: 'ip2p', params: ['prompt'] },
  FILL: { skill: 'inpainting', params: ['prompt'] },
  ASK: { skill: 'vqa', params: ['question'] },
  BLUR: { skill: 'bgblur', params: ['object'] },
  POP: { skill: 'colorpop', params: ['object'] },
  REPLACE: { skill: 'replace', params: ['object', 'prompt'] },
  HIDE: { skill: 'emoji', params: ['object', 'emoji'] },
}

/** What is told of a result. */
export type Telling = 'found' | 'count' | 'where' | 'exists' | 'text' | 'which'

export const TELLINGS: Readonly<Record<string, Telling>> = {
  TELL_FOUND: 'found',
  TELL_COUNT: 'count',
  TELL_WHERE: 'where',
  TELL_EXISTS: 'exists',
}

/** Signatures of the little language in which dialogues are recorded for planning by analogy. */
export const CHAT_SIGNATURES: readonly Signature[] = [
  ...Object.entries(SKILL_TOOLS).map(([name, { params }]) =>
    signature(name, [image, ...params.map(text)], 'objects'),
  ),
  ...Object.keys(TELLINGS).map((name) => signature(name, [of])),
  {
    ...signature('RESULT', [{ name: 'var', type: 'variable', about: 'what is told' }], 'any'),
  },
]

export const CHAT_FAMILY: Family = {
  name: 'chat',
  about: 'A turn of a conversation about a picture.',
  inputs: [{ name: 'IMAGE', kind: 'image' }],
  resultName: 'ANSWER',
  result: ['text', 'objects', 'any'],
  tools: 'all',
  form: 'value',
  maxSide: null,
}
