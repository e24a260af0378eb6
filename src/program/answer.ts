import type { Image, ObjectRecord } from '../image/index.ts'
import { display } from './display.ts'
import { isDisplayable, isImage, kindOf } from './kind.ts'
import { boolLike, numberLike } from './scalar.ts'
import type { Family } from './signature.ts'
import type { Value } from './value.ts'

/** The answer of a run in its family's form. */
export type Answer =
  | { readonly form: 'text'; readonly text: string }
  | { readonly form: 'image'; readonly image: Image }
  | { readonly form: 'tags'; readonly image: Image; readonly objects: readonly ObjectRecord[] }
  | { readonly form: 'value'; readonly value: Value; readonly text?: string }
  /** Not a truth where one is wanted: wrong, never a guess. */
  | { readonly form: 'unreadable'; readonly reason: string }

/**
 * Puts the value of RESULT into the family's form: gqa a text (bools yes/no, numbers in digits), nlvr
 * `true`/`false`, imgedit a picture, tagging the tagged objects, open as it is.
 *
 * @source program-language §4, last column of the families
 */
export function answerForm(family: Family, value: Value): Answer {
  switch (family.form ?? 'value') {
    case 'text':
      return { form: 'text', text: display(value) }
    case 'truth':
      return truth(value)
    case 'image':
      return isImage(value) ? { form: 'image', image: value } : whole(value)
    case 'tags':
      return isImage(value)
        ? { form: 'tags', image: value, objects: value.tags ?? [] }
        : whole(value)
    default:
      return whole(value)
  }
}

/** The answer as text, where its form has one. */
export function answerText(answer: Answer): string | undefined {
  return 'text' in answer ? answer.text : undefined
}

function truth(value: Value): Answer {
  const number = numberLike(value)
  const read = boolLike(value) ?? (number === undefined ? undefined : number !== 0)
  if (read !== undefined) return { form: 'text', text: String(read) }
  return { form: 'unreadable', reason: 'The result is neither yes nor no.' }
}

function whole(value: Value): Answer {
  const kind = kindOf(value)
  return { form: 'value', value, ...(isDisplayable(kind) ? { text: display(value) } : {}) }
}
