import { isFault, Unavailable } from '../../../base/index.ts'
import type { Abortable } from '../../../base/index.ts'
import { decodePicture, encodePicture, maskToString } from '../../../image/index.ts'
import type { Image, MaskRle } from '../../../image/index.ts'
import type { Filler } from '../../backends.ts'
import { paintingFiller } from '../llm/painting-filler.ts'
import type { PythonDict } from './python-value.ts'
import { dict } from './python-value.ts'
import type { RemoteTools } from './tool-client.ts'
import { BOX_THRESHOLD, TEXT_THRESHOLD } from './tool-request.ts'

/**
 * Fills holes with an inpainting worker of the LLaVA-Plus protocol: picture, prompt and one mask as COCO run
 * lengths go there, `edited_image` comes back (llava-plus §6).
 *
 * @param worker  name at the controller or in the fixed addresses, usually `inpainting`
 */
export function remoteFiller(tools: RemoteTools, worker: string): Filler {
  return paintingFiller({
    id: `llava-plus/${worker}`,
    cannot: ['work without its worker; the square around the hole is sent there'],
    paint: async (image, mask, { prompt }, { signal }) => {
      const options = signal === undefined ? {} : { signal }
      const reply = await tools.call(worker, await request(image, mask, prompt), options)
      return editedImage(worker, reply, options)
    },
  })
}

async function request(image: Image, mask: MaskRle, prompt: string): Promise<PythonDict> {
  const picture = Buffer.from(await encodePicture(image, 'png')).toString('base64')
  return dict({
    ...{ image: picture, box_threshold: BOX_THRESHOLD, text_threshold: TEXT_THRESHOLD, prompt },
    mask: { size: mask.size, counts: maskToString(mask) },
  })
}

async function editedImage(worker: string, reply: PythonDict, options: Abortable): Promise<Image> {
  const text = reply.get('edited_image')
  if (typeof text !== 'string' || text === '') throw noPicture(worker, 'no picture')
  const bytes = Buffer.from(text.replace(/^data:[^,]*,/, ''), 'base64')
  try {
    return (await decodePicture(bytes, { ...options, name: 'The picture of the worker' })).image
  } catch (error) {
    if (!isFault(error)) throw error
    throw noPicture(worker, 'something that is no picture')
  }
}

function noPicture(worker: string, what: string): Unavailable {
  return new Unavailable('T_REMOTE_TOOL', `${worker} answered with ${what}.`, {
    fields: { worker, reason: what },
    cure: 'Look into the log of that worker.',
  })
}
