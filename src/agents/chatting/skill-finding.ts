import { isFault, UserFault } from '../../base/index.ts'
import { createObject, suppress } from '../../image/index.ts'
import type { Image, MaskRle, ObjectRecord } from '../../image/index.ts'
import { isObject } from '../../program/index.ts'
import type { Value } from '../../program/index.ts'
import { singularPhrase } from '../../memory/index.ts'
import { isList, numberOf } from '../../tools/index.ts'
import type { Action, Detector, PythonValue, Segmenter } from '../../tools/index.ts'
import type { SkillContext, SkillResult } from './skill.ts'
import { detectionReply, masksOf } from './skill-replies.ts'

/** Overlap above which two boxes of a detection are one (llava-plus §5.4). */
const MAX_OVERLAP = 0.8

/** The picture of a call. @throws UserFault `E_NO_PICTURE` */
export function pictureOf({ picture }: SkillContext, name: string): Image {
  if (picture !== undefined) return picture.image
  throw new UserFault('E_NO_PICTURE', `${name} needs a picture, and the conversation has none.`, {
    cure: 'Add a picture first.',
  })
}

/** A text parameter. @throws UserFault `E_SKILL_PARAMS` */
export function textParam({ name, params }: Action, key: string): string {
  const value = params.get(key)
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  throw new UserFault('E_SKILL_PARAMS', `Expected a text for ${key} of ${name}.`, {
    fields: { skill: name, parameter: key },
    cure: `Call it with {"${key}": "…"}.`,
  })
}

/** Objects among values. */
export function objectsIn(value: Value): readonly ObjectRecord[] {
  return Array.isArray(value) ? value.filter((one: Value) => isObject(one)) : []
}

/** `a . b` as its phrases. */
export function phrasesOf(caption: string): readonly string[] {
  const phrases = caption
    .split(/\s*[.,;]\s*/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
  return [...new Set(phrases)]
}

/** What was found for each phrase, and the phrases that no configured detector knows. */
export async function findPhrases(
  phrases: readonly string[],
  image: Image,
  context: SkillContext,
): Promise<{ readonly objects: readonly ObjectRecord[]; readonly notes: readonly string[] }> {
  const objects: ObjectRecord[] = []
  const unknown: unknown[] = []
  for (const phrase of phrases) {
    try {
      const { value } = await context.call('LOC', { image, object: singularPhrase(phrase) })
      objects.push(...objectsIn(value))
    } catch (error) {
      if (!isFault(error) || error.code !== 'T_UNAVAILABLE') throw error
      unknown.push(error)
    }
  }
  if (unknown.length === phrases.length && unknown.length > 0) throw unknown[0]
  const notes = unknown.map((error) => (error instanceof Error ? error.message : String(error)))
  return { objects, notes }
}

/** Detection: boxes for each phrase of the caption. */
export async function detect(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const least = numberOf(action.params.get('box_threshold'))
  const found = await findPhrases(phrasesOf(textParam(action, 'caption')), image, context)
  const objects = best(found.objects, least)
  return { reply: detectionReply(objects, image), objects, notes: found.notes }
}

/** A threshold that the model wrote can only raise the detector's own, calibrated one. */
function best(objects: readonly ObjectRecord[], least = 0): readonly ObjectRecord[] {
  const sure = objects.filter(({ score }) => score === null || score >= least)
  return suppress(sure, { maxOverlap: MAX_OVERLAP })
}

/** Instance segmentation: detection, then the mask of every box. */
export async function segmentInstances(
  action: Action,
  context: SkillContext,
): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const found = await detect(action, context)
  const objects = await withMasks(found.objects ?? [], image, context)
  const reply = detectionReply(objects, image)
  return { ...found, reply: reply.set('masks_rle', masksOf(objects)), objects, masks: objects }
}

async function withMasks(
  objects: readonly ObjectRecord[],
  image: Image,
  context: SkillContext,
): Promise<readonly ObjectRecord[]> {
  const { cut } = cutter(context)
  return Promise.all(
    objects.map(async (one) => {
      const mask = await cut(image, { box: one.box }, { signal: context.signal })
      return { ...one, mask }
    }),
  )
}

/** The first segmenter that cuts out what a box holds. @throws UserFault `T_UNAVAILABLE` */
function cutter({ backends }: SkillContext): { cut: NonNullable<Segmenter['cut']> } {
  for (const segmenter of backends.segmenters) {
    if (segmenter.cut !== undefined) return { cut: segmenter.cut.bind(segmenter) }
  }
  throw new UserFault('T_UNAVAILABLE', 'Nothing configured cuts out what a box holds.', {
    cure: 'Configure a segmenter, such as the photo starter models.',
  })
}

/** Share of the picture's sides of the window in which the thing under a point is looked for. */
const WINDOW = 0.4

/** Interactive segmentation by boxes, or by points with labels; all in shares of the picture. */
export async function segmentPrompted(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const boxes = numbersIn(action.params.get('boxes')).map((box) => scaled(box, image))
  const points = groupsOf(action.params.get('points'))
  if ((boxes.length === 0) === (points.length === 0)) {
    throw new UserFault('E_SKILL_PARAMS', `${action.name} needs either boxes or points.`, {
      cure: 'Give {"boxes": [[x0, y0, x1, y1]]} or {"points": …, "point_labels": …} in 0..1.',
    })
  }
  const labels = groupsOf(action.params.get('point_labels'))
  const seeds = boxes.length > 0 ? boxes.map((box) => ({ box })) : pointSeeds(points, labels, image)
  const { cut } = cutter(context)
  const masks = await Promise.all(seeds.map((seed) => cut(image, seed, context)))
  const objects = masks.flatMap((mask, i) => maskObject(mask, i, image))
  return {
    reply: new Map<string, PythonValue>([
      ['masks_rle', masksOf(objects)],
      ['boxes', boxes.length > 0 ? (action.params.get('boxes') ?? null) : null],
    ]),
    objects,
    masks: objects,
  }
}

type Quad = readonly [number, number, number, number]
type Point = readonly [number, number]

function maskObject(mask: MaskRle, index: number, image: Image): readonly ObjectRecord[] {
  const found = { id: `mask${index + 1}`, category: 'region', score: null, mask }
  const whole = [0, 0, image.width, image.height] as const
  const one = createObject({ box: whole, ...found }, image)
  return one === undefined ? [] : [one]
}

function numbersIn(value: PythonValue | undefined): readonly (readonly number[])[] {
  if (!isList(value)) return []
  const rows = value.every((one) => isList(one)) ? value : [value]
  return rows.map((row) => (isList(row) ? row.flatMap((one) => numberOf(one) ?? []) : []))
}

/** Points or labels as groups: `[b][n][2]`, or one group written flat. */
function groupsOf(value: PythonValue | undefined): readonly (readonly (readonly number[])[])[] {
  if (!isList(value) || value.length === 0) return []
  const first = value[0]
  const isNested = isList(first) && (isList(first[0]) || value.length === 0)
  if (isNested) return value.map((group) => numbersIn(group))
  return [numbersIn(value)]
}

function scaled(box: readonly number[], { width, height }: Image): Quad {
  const [x1, y1, x2, y2] = box
  const bad = [x1, y1, x2, y2].some((n) => n === undefined || !(n >= 0 && n <= 1))
  if (bad || box.length !== 4) {
    throw new UserFault('E_SKILL_PARAMS', 'Expected four numbers from 0 to 1 for a box.', {
      cure: 'Write a box as [x0, y0, x1, y1] in shares of the picture.',
    })
  }
  return [(x1 ?? 0) * width, (y1 ?? 0) * height, (x2 ?? 0) * width, (y2 ?? 0) * height]
}

/** A window around the foreground points of each group; labels 1 are inside, 0 outside. */
function pointSeeds(
  groups: readonly (readonly (readonly number[])[])[],
  labels: readonly (readonly (readonly number[])[])[],
  { width, height }: Image,
): readonly { box: Quad; plus: readonly Point[]; minus: readonly Point[] }[] {
  return groups.map((points, g) => {
    const flags = (labels[g] ?? labels[0] ?? []).flat()
    const at = points.map(([x = 0, y = 0]): Point => [x * width, y * height])
    const plus = at.filter((_, i) => (flags[i] ?? 1) === 1)
    const minus = at.filter((_, i) => flags[i] === 0)
    const [xs, ys] = [plus.map(([x]) => x), plus.map(([, y]) => y)]
    const [dx, dy] = [(width * WINDOW) / 2, (height * WINDOW) / 2]
    const box: Quad = [
      ...([Math.max(0, Math.min(...xs) - dx), Math.max(0, Math.min(...ys) - dy)] as const),
      ...([Math.min(width, Math.max(...xs) + dx), Math.min(height, Math.max(...ys) + dy)] as const),
    ]
    return { box, plus, minus }
  })
}

/** Everything that a detector with a vocabulary of its own finds; undefined where there is none. */
export async function detectEverything(
  image: Image,
  { backends, signal }: SkillContext,
): Promise<readonly ObjectRecord[] | undefined> {
  const able = backends.detectors.find((one) => one.detectAll !== undefined)
  if (able?.detectAll === undefined) return undefined
  const findings = await able.detectAll(image, { signal })
  const sure = findings.filter(({ score }) => score >= able.threshold)
  const objects = sure.flatMap(({ box, score, name }, i) => {
    const one = createObject({ id: `found${i + 1}`, box, category: name, score }, image)
    return one === undefined ? [] : [one]
  })
  return best(objects)
}

/** Whether any detector finds everything it knows. */
export function findsEverything(detectors: readonly Detector[]): boolean {
  return detectors.some((one) => one.detectAll !== undefined)
}
