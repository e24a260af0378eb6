import type { RunDocument, StepDocument, ValueDocument } from '../../app/index.ts'
import { words } from './words.ts'

type Box = readonly [x1: number, y1: number, x2: number, y2: number]

/** Something to draw on a picture, in pixels of the original. */
export interface Region {
  /** Found by the step, used by it, the part of the picture that it looks at, or drawn by a person. */
  readonly kind: 'found' | 'used' | 'window' | 'drawn'
  readonly box: Box
  readonly label: string
  readonly score: number | null
  /** IMAGE, LEFT or RIGHT. */
  readonly on: string
  readonly mask?: Mask
}

export interface Mask {
  readonly size: readonly [height: number, width: number]
  readonly counts: readonly number[]
  readonly box: Box
}

interface Found {
  readonly box: Box
  readonly label: string
  readonly score: number | null
  readonly on?: string
  readonly mask?: Mask
}

/**
 * What a step shows on the picture: the objects it found; without any, those it used; and the part of
 * the picture it looked at or cut out.
 */
export function stepRegions(step: StepDocument): readonly Region[] {
  const result = objectsIn(step.result)
  const found = result.map((one) => region('found', one))
  const used =
    found.length > 0 ? [] : objectsIn(Object.values(step.args)).map((one) => region('used', one))
  const windows = [step.result, ...Object.values(step.args)].flatMap(windowsIn)
  return [...unique(windows), ...found, ...used]
}

/** Tags of a run as regions. */
export function tagRegions(run: RunDocument): readonly Region[] {
  return (run.tags ?? []).map((tag) => region('found', tag))
}

function region(kind: Region['kind'], { box, label, score, on = 'IMAGE', mask }: Found): Region {
  return { kind, box, label, score, on, ...(mask === undefined ? {} : { mask }) }
}

function objectsIn(value: ValueDocument | readonly ValueDocument[]): readonly Found[] {
  if (value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return (value as readonly ValueDocument[]).flatMap(objectsIn)
  return 'label' in value ? [value as Found] : []
}

/** A picture that shows only a part of its original. */
function windowsIn(value: ValueDocument): readonly Region[] {
  if (value === null || typeof value !== 'object' || !('image' in value)) return []
  const { box, on = 'IMAGE', part } = value as { box: Box; on?: string; part?: boolean }
  return part === true ? [{ kind: 'window', box, label: '', score: null, on }] : []
}

function unique(regions: readonly Region[]): readonly Region[] {
  const seen = new Set<string>()
  return regions.filter(({ on, box }) => {
    const key = `${on} ${box.join(' ')}`
    return !seen.has(key) && seen.add(key) !== undefined
  })
}

/** A value in a few words. */
export function valueWords(value: ValueDocument): string {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return String(value)
  if ('image' in value) return words.picture(value.width, value.height)
  if ('label' in value) return value.label
  const items = value as readonly ValueDocument[]
  if (items.length === 0) return words.nothingFound
  const objects = objectsIn(items)
  return objects.length === items.length
    ? words.objects(items.length)
    : items.map(valueWords).join(', ')
}

/** The arguments that tell something, in a few words; pictures are seen anyway. */
export function argumentWords(step: StepDocument): string {
  const values = Object.values(step.args).filter(
    (value) =>
      !(typeof value === 'object' && value !== null && ('image' in value || Array.isArray(value))),
  )
  return values
    .map((value) => (typeof value === 'string' ? `“${value}”` : valueWords(value)))
    .join(', ')
}

/** Where a box lies, in percent of the picture. */
export function percentBox(box: Box, size: { readonly width: number; readonly height: number }) {
  const [x1, y1, x2, y2] = box
  return {
    left: (x1 / size.width) * 100,
    top: (y1 / size.height) * 100,
    width: ((x2 - x1) / size.width) * 100,
    height: ((y2 - y1) / size.height) * 100,
  }
}

/**
 * The picture to show for a step: what it made, when it made a whole one; else the input.
 *
 * @returns the address of the picture, or undefined for the input
 */
export function madePicture(step: StepDocument | undefined, on: string): string | undefined {
  const value = step?.result
  if (value === null || value === undefined || typeof value !== 'object' || !('image' in value))
    return undefined
  const {
    image,
    on: where = 'IMAGE',
    part,
  } = value as { image: string; on?: string; part?: boolean }
  const given = Object.values(step?.args ?? {}).some(
    (arg) => typeof arg === 'object' && arg !== null && 'image' in arg && arg.image === image,
  )
  return where === on && part !== true && !given ? image : undefined
}
