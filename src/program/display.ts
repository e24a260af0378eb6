import { ModelFault } from '../base/index.ts'
import { isImage, isList, isObject } from './kind.ts'
import type { Value } from './value.ts'

/**
 * A value as text by the display rule: numbers with at most 12 significant digits, `yes`/`no`,
 * `none`, items joined by `, `.
 *
 * @throws ModelFault `X_TYPE` for images and objects
 * @source program-language §2
 */
export function display(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return displayNumber(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null) return 'none'
  if (isList(value)) return value.map(display).join(', ')
  throw new ModelFault('X_TYPE', `${valueWords(value)} cannot be shown as text`, {
    cure: 'Ask VQA about it, or COUNT it.',
  })
}

function displayNumber(value: number): string {
  const rounded = Number(value.toPrecision(12))
  return String(rounded === 0 ? 0 : rounded)
}

/** A value as it stands in a message: texts quoted and short, pictures and objects named. */
export function valueWords(value: Value): string {
  if (typeof value === 'string') {
    return `'${value.length > 60 ? `${value.slice(0, 57)}...` : value}'`
  }
  if (isImage(value)) return `an image of ${value.width} x ${value.height}`
  if (isObject(value)) return `an object (${value.category})`
  if (isList(value)) {
    const objects = value.length > 0 && value.every(isObject)
    return objects ? `${value.length} objects` : `a list of ${value.length}`
  }
  return display(value)
}
