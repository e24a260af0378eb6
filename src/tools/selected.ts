import { toFrame } from '../image/index.ts'
import type { Image, ObjectRecord } from '../image/index.ts'
import type { Notice } from '../program/index.ts'
import { imageArg, objectsArg } from './args.ts'
import type { Args } from './args.ts'
import type { ToolContext } from './tool.ts'

/** The picture and the objects of an edit, in one frame. */
export interface Selected {
  readonly image: Image
  readonly objects: readonly ObjectRecord[]
  /** `N_OUT_OF_FRAME`, `N_EMPTY_SELECTION`, and `N_BOX_AS_MASK` where masks are wanted. */
  readonly notices: readonly Notice[]
}

/** Reads what an edit works on; an empty selection leaves the picture as it is and says so. */
export function selected(
  args: Args,
  context: ToolContext,
  options: { readonly masks: boolean },
): Selected {
  const image = imageArg(args)
  const { objects, notices } = toFrame(objectsArg(args, image, context), image)
  const boxes = options.masks ? objects.filter((one) => one.mask === null).length : 0
  return {
    image,
    objects,
    notices: [
      ...notices,
      ...(objects.length === 0 ? [EMPTY] : []),
      ...(boxes === 0 ? [] : [boxAsMask(boxes)]),
    ],
  }
}

const EMPTY: Notice = {
  code: 'N_EMPTY_SELECTION',
  message: 'No object is selected: the picture is unchanged.',
}

function boxAsMask(count: number): Notice {
  const whose = count === 1 ? 'One object has' : `${count} objects have`
  return { code: 'N_BOX_AS_MASK', message: `${whose} no outline: the whole box is taken.` }
}
