import {
  createObject,
  decodePicture,
  encodePicture,
  maskBox,
  maskFromString,
} from '../../image/index.ts'
import type { Image, ObjectRecord } from '../../image/index.ts'
import { forTools, isDict, isList, numberOf, toolRequest } from '../../tools/index.ts'
import type { Action, PythonDict, PythonValue, RemoteTools } from '../../tools/index.ts'
import type { SkillContext, SkillResult } from './skill.ts'

const encoded = new WeakMap<Image, Promise<string>>()

/** A picture as tools get it, base64 of a PNG; encoded once however many calls show it. */
export function pictureForTools(image: Image): Promise<string> {
  const known = encoded.get(image)
  if (known !== undefined) return known
  const made = forTools(image)
    .then((small) => encodePicture(small, 'png'))
    .then((bytes) => Buffer.from(bytes).toString('base64'))
  encoded.set(image, made)
  made.catch(() => encoded.delete(image))
  return made
}

/** A skill done by a tool worker elsewhere; the pictures and masks of its reply are taken out of it. */
export async function runRemotely(
  remote: RemoteTools,
  action: Action,
  context: SkillContext,
): Promise<SkillResult> {
  const { picture, state, signal } = context
  const image = picture === undefined ? null : await pictureForTools(picture.image)
  const { worker, body } = toolRequest(action, image, state)
  const reply = await remote.call(worker, body, { signal })
  const made = await picturesIn(reply, signal)
  if (picture === undefined) return { reply, made }
  const boxes = boxObjects(reply, picture.image)
  const masks = maskObjects(reply, picture.image)
  return {
    reply,
    made,
    ...(boxes.length > 0 ? { objects: boxes } : masks.length > 0 ? { objects: masks } : {}),
    // Nothing detected gives no masks: those of before are kept (llava-plus §6, row 3).
    ...(masks.length > 0 ? { masks } : {}),
  }
}

/** Pictures are JPEG in base64, whatever they are called: the type is sniffed. */
async function picturesIn(reply: PythonDict, signal: AbortSignal): Promise<readonly Image[]> {
  const list = reply.get('iou_sort_masks')
  const texts = [reply.get('edited_image'), reply.get('image_seg'), ...(isList(list) ? list : [])]
  const found: Image[] = []
  for (const text of texts) {
    if (typeof text !== 'string' || text === '') continue
    const bytes = Buffer.from(text.replace(/^data:[^,]*,/, ''), 'base64')
    found.push((await decodePicture(bytes, { signal, name: 'The picture of the worker' })).image)
  }
  return found
}

/** Boxes in shares become pixels; `boxes: null` (point prompts) gives none. */
function boxObjects(reply: PythonDict, image: Image): readonly ObjectRecord[] {
  const [boxes, phrases, logits] = ['boxes', 'phrases', 'logits'].map((key) => reply.get(key))
  if (!isList(boxes)) return []
  return boxes.flatMap((row, i) => {
    const [x1, y1, x2, y2] = isList(row) ? row.map((n) => numberOf(n)) : []
    if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return []
    const { width, height } = image
    const name = isList(phrases) ? phrases[i] : undefined
    const one = createObject(
      {
        id: `remote${i + 1}`,
        box: [x1 * width, y1 * height, x2 * width, y2 * height],
        category: typeof name === 'string' ? name : 'region',
        score: isList(logits) ? (numberOf(logits[i]) ?? null) : null,
      },
      image,
    )
    return one === undefined ? [] : [one]
  })
}

/** Masks have the size of the picture that the tool got; they are kept in shares by their box. */
function maskObjects(reply: PythonDict, image: Image): readonly ObjectRecord[] {
  const list = reply.get('masks_rle')
  if (!isList(list)) return []
  return list.flatMap((entry, i) => {
    const mask = maskIn(entry)
    const box = mask === undefined ? undefined : maskBox(mask)
    if (mask === undefined || box === undefined) return []
    const [height, width] = mask.size
    const frame = { ...image.frame, width, height }
    const one = createObject({ id: `mask${i + 1}`, box, category: 'region', mask }, { frame })
    return one === undefined ? [] : [one]
  })
}

/** A mask out of `{size, counts}`; undefined when it is none. @throws UserFault `E_MASK` */
export function maskIn(entry: PythonValue | undefined) {
  if (!isDict(entry)) return undefined
  const size = entry.get('size')
  const counts = entry.get('counts')
  if (!isList(size) || typeof counts !== 'string') return undefined
  const [height, width] = size.map((n) => numberOf(n))
  if (height === undefined || width === undefined) return undefined
  return maskFromString(counts, height, width)
}
