import { UserFault } from '../../base/index.ts'
import type { Image, ObjectRecord } from '../../image/index.ts'
import { isImage } from '../../program/index.ts'
import type { Value } from '../../program/index.ts'
import { isDict } from '../../tools/index.ts'
import type { Action } from '../../tools/index.ts'
import type { SkillContext, SkillResult } from './skill.ts'
import { objectsIn, pictureOf, textParam } from './skill-finding.ts'
import { replyOf } from './skill-replies.ts'

/** The things that an edit is about, with outlines; faces by the face detector. */
async function chosen(
  what: string,
  image: Image,
  context: SkillContext,
): Promise<readonly ObjectRecord[]> {
  if (/^(?:the )?(?:human |person'?s )?faces?$/i.test(what)) {
    return found(what, objectsIn((await context.call('FACEDET', { image })).value))
  }
  const all = await context.call('SEG', { image })
  const { value } = await context.call('SELECT', { image, object: all.value, query: what })
  return found(what, objectsIn(value))
}

function found(what: string, objects: readonly ObjectRecord[]): readonly ObjectRecord[] {
  if (objects.length > 0) return objects
  throw new UserFault(
    'E_NOTHING_SELECTED',
    `No "${what}" was found, so the picture is unchanged.`,
    {
      fields: { object: what },
      cure: 'Name something else that is in the picture.',
    },
  )
}

function picture(value: Value): Image {
  if (isImage(value)) return value
  throw new UserFault('T_INPUT', 'The edit gave no picture.')
}

/** `edited_image` is written by whoever sends the reply; the picture itself goes beside it. */
function edited(image: Image, objects: readonly ObjectRecord[], notes: readonly string[] = []) {
  return { reply: replyOf([]), made: [image], objects, notes } satisfies SkillResult
}

/** Everything but the object blurred. */
export async function blurBackground(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const object = await chosen(textParam(action, 'object'), image, context)
  return edited(picture((await context.call('BGBLUR', { image, object })).value), object)
}

/** Everything but the object grey. */
export async function popColour(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const object = await chosen(textParam(action, 'object'), image, context)
  return edited(picture((await context.call('COLORPOP', { image, object })).value), object)
}

/** An emoji on the object. */
export async function coverEmoji(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const object = await chosen(textParam(action, 'object'), image, context)
  const emoji = textParam(action, 'emoji')
  return edited(picture((await context.call('EMOJI', { image, object, emoji })).value), object)
}

/** The object removed or replaced by what the prompt names. */
export async function replaceObject(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const object = await chosen(textParam(action, 'object'), image, context)
  return replaced(image, object, textParam(action, 'prompt'), context)
}

/** Inpainting: other contents inside a mask of an earlier turn; `mask_index` names which. */
export async function inpaint(action: Action, context: SkillContext): Promise<SkillResult> {
  const image = pictureOf(context, action.name)
  const index = Number(action.params.get('mask_index') ?? 0n)
  const mask = context.masks[index] ?? maskGiven(action, context)
  if (mask === undefined) {
    throw new UserFault('E_NO_MASK', 'There is no mask to fill yet.', {
      fields: { masks: context.masks.length, mask_index: index },
      cure: 'Segment the thing first, such as with grounded_sam or sam.',
    })
  }
  return replaced(image, [mask], textParam(action, 'prompt'), context)
}

function maskGiven(action: Action, { state }: SkillContext): ObjectRecord | undefined {
  const given = action.params.get('mask') ?? state.mask
  // Run lengths in a request are turned into an object by the tool worker before it calls the skill.
  if (isDict(given)) throw new UserFault('E_SKILL_PARAMS', 'A mask is named by mask_index here.')
  return undefined
}

async function replaced(
  image: Image,
  object: readonly ObjectRecord[],
  prompt: string,
  context: SkillContext,
): Promise<SkillResult> {
  const { value, notices = [] } = await context.call('REPLACE', { image, object, prompt })
  return edited(
    picture(value),
    object,
    notices.map(({ message }) => message),
  )
}
