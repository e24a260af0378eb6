import {
  besideBox,
  cropImage,
  halfBox,
  isSide,
  pixelBox,
  scaleAboutCentre,
  toFrame,
  wholeBox,
} from '../image/index.ts'
import type { Beside, Box, Image, ObjectRecord, Side } from '../image/index.ts'
import type { Notice } from '../program/index.ts'
import { imageArg, objectsArg } from './args.ts'
import type { ToolSettings } from './settings.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'

const BESIDE: Readonly<Record<string, { readonly where: Beside; readonly half: Side }>> = {
  CROP_LEFTOF: { where: 'leftof', half: 'LEFT' },
  CROP_RIGHTOF: { where: 'rightof', half: 'RIGHT' },
  CROP_ABOVE: { where: 'above', half: 'TOP' },
  CROP_BELOW: { where: 'below', half: 'BOTTOM' },
}

/** Names of all tools that crop; those not in `BESIDE` cut out the box itself. */
export const CROPS: readonly string[] = [
  'CROP',
  ...Object.keys(BESIDE),
  'CROP_FRONTOF',
  'CROP_INFRONT',
  'CROP_INFRONTOF',
  'CROP_AHEAD',
  'CROP_BEHIND',
]

/** CROP and its variants: the place of the first box, or what lies beside it (program-language §8). */
export function crop(name: string, settings: ToolSettings): Tool {
  return {
    signature: signatureOf(name),
    run: async (args, context) => {
      const image = imageArg(args)
      const given = objectsArg(args, image, context, 'box')
      const { objects, notices } = toFrame(given, image)
      const first = objects[0]
      const part =
        first === undefined ? emptyPart(name, image) : partOf(name, first, image, settings)
      return {
        value: cropImage(image, part),
        notices: first === undefined ? [...notices, emptyNotice(name, part)] : notices,
      }
    },
  }
}

function emptyPart(name: string, image: Image): Box {
  const beside = BESIDE[name]
  return beside === undefined ? wholeBox(image) : halfBox(beside.half, image)
}

function partOf(name: string, object: ObjectRecord, image: Image, settings: ToolSettings): Box {
  const beside = BESIDE[name]
  if (beside !== undefined) return besideBox(beside.where, object.box, image)
  const isHalf = isSide(object.category.toUpperCase()) && object.score === 1
  const scale = isHalf ? 1 : settings.cropScale
  return pixelBox(scaleAboutCentre(object.box, scale), image) ?? object.box
}

function emptyNotice(name: string, part: Box): Notice {
  return {
    code: 'N_EMPTY_BOX',
    message: `There is no box for ${name}: [${part.join(', ')}] of the picture is used.`,
  }
}
