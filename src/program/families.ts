import { deepFreeze } from '../base/index.ts'
import type { Family, Signature } from './signature.ts'

const CROPS = ['', '_LEFTOF', '_RIGHTOF', '_ABOVE', '_BELOW']
  .concat(['_FRONTOF', '_INFRONT', '_INFRONTOF', '_AHEAD', '_BEHIND'])
  .map((side) => `CROP${side}`)

const IMAGE = { name: 'IMAGE', kind: 'image' } as const

/** The task families of the papers, and `open`, as data (program-language §4). */
export const FAMILIES: Readonly<Record<'gqa' | 'nlvr' | 'imgedit' | 'tagging' | 'open', Family>> =
  deepFreeze({
    gqa: {
      name: 'gqa',
      about: 'A question about one picture.',
      inputs: [IMAGE],
      resultName: 'FINAL_RESULT',
      result: ['text', 'number', 'bool', { list: 'text' }],
      tools: ['LOC', 'COUNT', ...CROPS, 'VQA', 'EVAL', 'RESULT'],
      form: 'text',
      maxSide: 640,
    },
    nlvr: {
      name: 'nlvr',
      about: 'A statement about two pictures that is true or false.',
      inputs: [
        { name: 'LEFT', kind: 'image' },
        { name: 'RIGHT', kind: 'image' },
      ],
      resultName: 'FINAL_ANSWER',
      result: ['bool', 'text', 'number'],
      tools: ['VQA', 'EVAL', 'RESULT'],
      form: 'truth',
      maxSide: 640,
    },
    imgedit: {
      name: 'imgedit',
      about: 'A change to one picture.',
      inputs: [IMAGE],
      resultName: 'FINAL_RESULT',
      result: ['image'],
      tools: 'FACEDET SEG SELECT COLORPOP BGBLUR REPLACE EMOJI RESULT'.split(' '),
      form: 'image',
      maxSide: 2048,
    },
    tagging: {
      name: 'tagging',
      about: 'Names written on the things or people of one picture.',
      inputs: [IMAGE],
      resultName: 'FINAL_RESULT',
      result: ['image'],
      resultOf: 'TAG',
      tools: 'FACEDET LIST CLASSIFY TAG LOC RESULT'.split(' '),
      form: 'tags',
      maxSide: 640,
    },
    open: {
      name: 'open',
      about: 'Anything, with all tools.',
      inputs: [IMAGE],
      resultName: 'FINAL_RESULT',
      result: ['any'],
      tools: 'all',
      form: 'value',
      maxSide: 640,
    },
  } satisfies Record<string, Family>)

/** True when a family offers a tool. */
export function offers(family: Family, signature: Signature): boolean {
  if (family.tools === 'all' || family.name === 'open') return true
  return family.tools?.includes(signature.name) === true || signature.families.includes(family.name)
}

/** The signatures that a family offers, in their order. */
export function offeredBy(family: Family, signatures: readonly Signature[]): readonly Signature[] {
  return signatures.filter((signature) => offers(family, signature))
}
