import { expected, UserFault } from '../base/index.ts'
import { isImage, pixelBox } from '../image/index.ts'
import type { Box, Image, ObjectRecord } from '../image/index.ts'
import type { Value } from '../program/index.ts'
import type { ToolContext } from './tool.ts'

/** The arguments of a call. */
export type Args = Readonly<Record<string, Value>>

const wrong = (what: string, name: string, got: unknown): UserFault =>
  new UserFault('T_INPUT', expected(what, name, got).message, { fields: { argument: name } })

export function imageArg(args: Args, name = 'image'): Image {
  const value = args[name]
  if (!isImage(value)) throw wrong('a picture', name, value)
  return value
}

/** A text; numbers and truth values by the display rule are the interpreter's affair. */
export function textArg(args: Args, name: string): string {
  const value = args[name]
  if (typeof value !== 'string') throw wrong('a text', name, value)
  return value
}

export function numberArg(args: Args, name: string): number {
  const value = args[name]
  if (typeof value !== 'number') throw wrong('a number', name, value)
  return value
}

export function listArg(args: Args, name: string): readonly Value[] {
  const value = args[name]
  if (!Array.isArray(value)) throw wrong('a list', name, value)
  return value
}

/**
 * Objects: a list of them, one of them, a literal box `[x1,y1,x2,y2]`, or a list of such boxes.
 *
 * @source program-language §2 (implicit conversions)
 */
export function objectsArg(
  args: Args,
  image: Image,
  context: ToolContext,
  name = 'object',
): readonly ObjectRecord[] {
  const value = args[name]
  if (isObject(value)) return [value]
  if (!Array.isArray(value)) throw wrong('objects', name, value)
  if (isBox(value)) return literalBoxes([value], image, context)
  if (value.length > 0 && value.every(isBox)) return literalBoxes(value, image, context)
  if (value.every(isObject)) return value
  throw wrong('objects', name, value)
}

/** Whether a value is an object record. */
export function isObject(value: unknown): value is ObjectRecord {
  return typeof value === 'object' && value !== null && (value as ObjectRecord).type === 'object'
}

function isBox(value: unknown): value is Box {
  return Array.isArray(value) && value.length === 4 && value.every((n) => typeof n === 'number')
}

function literalBoxes(boxes: readonly Box[], image: Image, context: ToolContext): ObjectRecord[] {
  return boxes.flatMap((raw) => {
    const box = pixelBox(raw, image)
    return box === undefined
      ? []
      : [makeObject({ box, category: 'box', score: null }, image, context)]
  })
}

/** A frozen object of a picture with a fresh id. */
export function makeObject(
  what: Pick<ObjectRecord, 'box' | 'category' | 'score'> &
    Partial<Pick<ObjectRecord, 'label' | 'mask' | 'class' | 'classScore'>>,
  image: Image,
  context: ToolContext,
): ObjectRecord {
  return Object.freeze({
    type: 'object' as const,
    id: context.newId(),
    mask: null,
    frame: image.frame,
    ...what,
  })
}
