import type { PythonDict, PythonValue } from './python-value.ts'
import { isDict, isList } from './python-value.ts'
import { pythonStrip, round2 } from './python-round.ts'
import { pythonRepr } from './python-write.ts'
import { filled, WIRE } from './strings.ts'

/** The reply of a skill as it comes, with the name it was called by. */
export interface SkillReply {
  readonly api: string
  readonly reply: PythonDict
}

/** The name that an action is routed to: `openseed` is a mode of `controlnet`. */
export function routedName(api: string): string {
  return api === 'openseed' ? 'controlnet' : api
}

/**
 * A reply as the model may read it: numbers to two decimals, no masks, pictures or sizes; when nothing is
 * left, a sentence that says so.
 *
 * @source llava-plus §2.3
 */
export function cleanReply({ api, reply }: SkillReply): PythonDict {
  const clean = new Map<string, PythonValue>()
  const noPlaces = api === 'easyocr'
  for (const [key, value] of reply) {
    if (['masks_rle', 'edited_image', 'size', 'image_seg', 'iou_sort_masks'].includes(key)) continue
    if (noPlaces && (key === 'boxes' || key === 'scores')) continue
    if (['boxes', 'logits', 'scores'].includes(key)) clean.set(key, rounded(value))
    else if (key === 'retrieval_results') clean.set(key, retrieved(value))
    else clean.set(key, value)
  }
  if (clean.size === 0) clean.set('message', filled(WIRE.noText, routedName(api)))
  return clean
}

function rounded(value: PythonValue): PythonValue {
  if (typeof value === 'number') return round2(value)
  return isList(value) ? value.map(rounded) : value
}

function retrieved(value: PythonValue): PythonValue {
  if (!isList(value)) return value
  return value.map((one): PythonValue => {
    if (!isDict(one)) return one
    return new Map<string, PythonValue>([
      ['caption', one.get('caption') ?? null],
      ['similarity', rounded(one.get('similarity') ?? null)],
    ])
  })
}

/** `serving` is what workers are asked with; `training` is what the published data says. */
export type ResultSpelling = 'serving' | 'training'

/**
 * The human turn that carries results back: one line of repr for each call, then the question again.
 *
 * @param question  the user's turn; `<image>` is taken out
 * @source llava-plus §2.3; several results in one turn are ours
 */
export function resultTurn(
  replies: readonly SkillReply[],
  question: string,
  spelling: ResultSpelling = 'serving',
): string {
  const [prefix, suffix] =
    spelling === 'serving'
      ? [WIRE.resultPrefix, WIRE.resultSuffix]
      : [WIRE.trainingPrefix, WIRE.trainingSuffix]
  const lines = replies.map(
    (one) => filled(prefix, routedName(one.api)) + pythonRepr(cleanReply(one)),
  )
  return lines.join('\n\n') + suffix + pythonStrip(question.replaceAll('<image>', ''))
}
