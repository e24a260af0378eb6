import { round2 } from '../../tools/index.ts'
import type { Action, PythonDict, PythonValue } from '../../tools/index.ts'
import type { AnnotatedObject, AnnotatedPicture } from './dialogue.ts'

/** What skills say of a picture: a real call, or what the annotations know. */
export interface DialogueTools {
  call(action: Action, picture: AnnotatedPicture): Promise<PythonDict>
}

/** A tool that makes no mistakes: it says what the annotations say, with full confidence. */
export const annotatedTools: DialogueTools = {
  call: async (action, picture) => annotatedReply(action, picture),
}

/** The reply of a skill by the annotations, keys in the order of the protocol. */
export function annotatedReply({ name, params }: Action, picture: AnnotatedPicture): PythonDict {
  const caption = params.get('caption')
  const asked = typeof caption === 'string' ? caption.split(' . ') : undefined
  const found = picture.objects.filter(
    ({ category }) => asked === undefined || asked.includes(category),
  )
  const size: [string, PythonValue] = ['size', [BigInt(picture.height), BigInt(picture.width)]]
  const [said = ''] = picture.captions
  switch (name) {
    case 'grounding_dino':
      return new Map([...detection(found, picture), size])
    case 'grounded_sam':
      return new Map([...detection(found, picture), size, ['masks_rle', masks(found)]])
    case 'blip2+grounding_dino':
      return new Map([...detection(found, picture), size, ['caption', said]])
    case 'ram+grounding_dino':
      return new Map([
        ...detection(found, picture),
        size,
        ['tags', tags(picture)],
        ['tags_chinese', ''],
      ])
    case 'blip2':
      return new Map([['caption', said], size])
    case 'ram':
      return new Map([['tags', tags(picture)], ['tags_chinese', ''], size])
    case 'ocr':
      return new Map<string, PythonValue>([
        ['boxes', (picture.texts ?? []).map(({ box }) => shares(box, picture))],
        ['texts', (picture.texts ?? []).map(({ text }) => text)],
        ['scores', (picture.texts ?? []).map(() => 1)],
      ])
    default:
      // What makes pictures leaves nothing to read; the cleaned reply says that it was done.
      return new Map([['edited_image', '']])
  }
}

function detection(
  found: readonly AnnotatedObject[],
  picture: AnnotatedPicture,
): [string, PythonValue][] {
  return [
    ['boxes', found.map(({ box }) => shares(box, picture))],
    ['logits', found.map(() => 1)],
    ['phrases', found.map(({ category }) => category)],
  ]
}

/** A box in shares of the picture, floats of two decimals. */
export function shares(
  [x1, y1, x2, y2]: AnnotatedObject['box'],
  { width, height }: Pick<AnnotatedPicture, 'width' | 'height'>,
): PythonValue {
  return [x1 / width, y1 / height, x2 / width, y2 / height].map(round2)
}

function masks(found: readonly AnnotatedObject[]): PythonValue {
  return found.flatMap(({ rle }): PythonValue[] => {
    if (rle === undefined) return []
    const size = rle.size.map((n) => BigInt(n))
    return [
      new Map<string, PythonValue>([
        ['size', size],
        ['counts', rle.counts],
      ]),
    ]
  })
}

function tags({ objects }: AnnotatedPicture): string {
  return [...new Set(objects.map(({ category }) => category))].join(', ')
}
