import { UserFault } from '../../base/index.ts'
import { drawObjects } from '../../image/index.ts'
import type { Image, ObjectRecord } from '../../image/index.ts'
import type { Action, Backends, PythonValue } from '../../tools/index.ts'
import type { SkillContext, SkillResult } from './skill.ts'
import {
  detectEverything,
  findsEverything,
  objectsIn,
  pictureOf,
  textParam,
} from './skill-finding.ts'
import { boxesOf, detectionReply, replyOf, scoresOf, sizeOf } from './skill-replies.ts'

/** Caption. */
export async function describe(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const caption = await captionOf(image, context)
  return {
    reply: replyOf([
      ['caption', caption],
      ['size', sizeOf(image)],
    ]),
  }
}

async function captionOf(image: Image, context: SkillContext): Promise<string> {
  const { value } = await context.call('CAPTION', { image })
  return String(value)
}

/** Caption and grounding: the caption, and everything that a detector finds. */
export async function describeGrounded(
  action: Action,
  context: SkillContext,
): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const caption = await captionOf(image, context)
  const objects = await everything(image, context)
  return { reply: detectionReply(objects, image).set('caption', caption), objects }
}

async function everything(image: Image, context: SkillContext): Promise<readonly ObjectRecord[]> {
  const found = await detectEverything(image, context)
  if (found !== undefined) return found
  throw new UserFault('T_UNAVAILABLE', NO_LIST, { cure: 'Configure such a detector.' })
}

const NO_LIST = 'No configured detector has a list of words of its own to look for.'

/** Why things cannot be listed with these back ends. */
export function missingList({ detectors }: Backends): string | undefined {
  return findsEverything(detectors) ? undefined : NO_LIST
}

/** The names of what was found, most sure first, each once. */
function tagsOf(objects: readonly ObjectRecord[]): string {
  return [...new Set(objects.map(({ category }) => category))].join(', ')
}

/** Tagging: names of all that a detector finds and of the regions that a segmenter names. */
export async function tag(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const objects = await everything(image, context)
  const tags = tagsOf([...objects, ...(await regions(image, context))])
  return {
    reply: replyOf([
      ['tags', tags],
      ['tags_chinese', ''],
      ['size', sizeOf(image)],
    ]),
  }
}

async function regions(image: Image, context: SkillContext): Promise<readonly ObjectRecord[]> {
  if (context.backends.segmenters.length === 0) return []
  return objectsIn((await context.call('SEG', { image })).value)
}

/** Tagging and grounding. */
export async function tagGrounded(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const objects = await everything(image, context)
  const reply = detectionReply(objects, image)
  return { reply: reply.set('tags', tagsOf(objects)).set('tags_chinese', ''), objects }
}

/** Semantic segmentation: the picture cut into named regions, drawn over it. */
export async function segmentAll(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const objects = objectsIn((await context.call('SEG', { image })).value)
  const drawn = await drawObjects(image, objects, {}, { signal: context.signal })
  const segments = objects.map(({ category }): PythonValue => category)
  // `segments` is ours: without it a model learns nothing from a picture that it does not see.
  return { reply: replyOf([['segments', segments]]), made: [drawn], objects, masks: objects }
}

/** OCR: lines with their places. */
export async function readText(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const objects = objectsIn((await context.call('OCR', { image })).value)
  return {
    reply: replyOf([
      ['boxes', boxesOf(objects, image)],
      ['texts', objects.map(({ label, category }) => label ?? category)],
      ['scores', scoresOf(objects)],
    ]),
    objects,
  }
}

/** A question about the picture, answered in a few words or not at all. Ours: the paper's model answers itself. */
export async function answerQuestion(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const question = textParam(action, 'question')
  const { value, score } = await context.call('VQA', { image, question })
  return {
    reply: replyOf([
      ['answer', String(value)],
      ['score', score ?? null],
    ]),
  }
}
