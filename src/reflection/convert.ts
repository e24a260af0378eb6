import type { Abortable } from '../base/index.ts'
import type { Image, ObjectRecord } from '../image/index.ts'
import { maskArea } from '../image/index.ts'
import { display, isImage, isList, isObject } from '../program/index.ts'
import type { CallStep, Value } from '../program/index.ts'

/** Says what a picture shows; without one, only its size is told. */
export type Caption = (image: Image, options?: Abortable) => Promise<string>

/** A step in words that a language model can use. */
export interface StepWords {
  /** Index of the call; steps are told apart by it. */
  readonly index: number
  readonly call: string
  readonly result: string
}

const MOST_OBJECTS = 10

/**
 * Every executed step in words: pictures by caption, objects with place and score, masks by area,
 * lists, answers, notices, errors.
 *
 * @source CLOVA §3.3; clova §3.2 (by step, never by line)
 */
export async function convertSteps(
  steps: readonly CallStep[],
  options: Abortable & { readonly caption?: Caption } = {},
): Promise<readonly StepWords[]> {
  return Promise.all(
    steps.map(async (step) => ({
      index: step.index,
      call: callWords(step),
      result: await resultWords(step, options),
    })),
  )
}

/** `BOX0=LOC(image=IMAGE,object='dog')`, with the item of the loop it was run for. */
export function callWords({ output, tool, args, path }: CallStep): string {
  const given = args.map(({ name, source }) => `${name}=${source}`).join(',')
  const items = path.map(({ loop, item }) => `${loop} ${item + 1}`).join(', ')
  return `${output}=${tool}(${given})${items === '' ? '' : ` [${items}]`}`
}

async function resultWords(
  step: CallStep,
  options: Abortable & { readonly caption?: Caption },
): Promise<string> {
  const { result, error, notices, score } = step
  if (error !== undefined) return `failed: ${error.code}: ${error.message}`
  if (result === undefined) return 'not run'
  const told = await valueWords(result, options)
  const sure = score === undefined || isList(result) ? '' : ` (score ${score.toFixed(2)})`
  const notes = notices.map(({ message }) => message)
  return [told + sure, ...notes].join('; ')
}

async function valueWords(
  value: Value,
  options: Abortable & { readonly caption?: Caption },
): Promise<string> {
  if (isImage(value)) {
    const size = `a picture of ${value.width} x ${value.height}`
    const tags = value.tags === undefined ? '' : `, tagged: ${objectsWords(value.tags)}`
    const caption = await options.caption?.(value, { signal: options.signal })
    return `${size}${caption === undefined ? '' : `: ${caption}`}${tags}`
  }
  if (isObject(value)) return objectsWords([value])
  if (!isList(value)) return typeof value === 'string' ? `"${value}"` : display(value)
  if (value.length === 0) return 'nothing found'
  if (value.every(isObject)) return objectsWords(value)
  const items = await Promise.all(value.slice(0, 20).map((item) => valueWords(item, options)))
  return `${value.length} items: ${items.join(', ')}`
}

function objectsWords(objects: readonly ObjectRecord[]): string {
  if (objects.length === 0) return 'nothing found'
  const told = objects.slice(0, MOST_OBJECTS).map(objectWords)
  const more = objects.length > MOST_OBJECTS ? `, and ${objects.length - MOST_OBJECTS} more` : ''
  return `${objects.length} found: ${told.join('; ')}${more}`
}

function objectWords(one: ObjectRecord): string {
  const { box, category, score, mask, frame } = one
  const name = one.class === undefined ? category : `${category} classified as ${one.class}`
  const sure = score === null ? '' : `, score ${score.toFixed(2)}`
  const area =
    mask === null ? '' : `, covering ${percent(maskArea(mask), frame.width * frame.height)}`
  return `${name} at ${placeOf(one)} [${box.join(', ')}]${sure}${area}`
}

function placeOf({ box: [x1, y1, x2, y2], frame }: ObjectRecord): string {
  const third = (at: number, size: number, words: readonly string[]): string =>
    words[Math.min(2, Math.floor((3 * at) / size))] ?? ''
  const across = third((x1 + x2) / 2, frame.width, ['left', 'middle', 'right'])
  const down = third((y1 + y2) / 2, frame.height, ['top', 'centre', 'bottom'])
  return `${down} ${across}`
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`
}
