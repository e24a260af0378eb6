import { isFault, orAbort, Unavailable, UserFault } from '../../base/index.ts'
import type { Abortable } from '../../base/index.ts'
import type { Image, MaskRle } from '../../image/index.ts'
import type { EditedPicture, PictureEdit, PictureEditor } from '../picture-editor.ts'
import { sdkFault } from './sdk-fault.ts'
import type { FaultPlace } from './sdk-fault.ts'

/** The part of an AI SDK image model (specification v2, v3 or v4) that we rely on. */
export interface SdkImageModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(options: object): PromiseLike<unknown>
}

export interface SdkEditorOptions {
  readonly id: string
  readonly place: FaultPlace
  /** Under which name the provider reads options of its own; undefined: it takes none. */
  readonly optionsKey?: string | undefined
}

interface SdkImages {
  readonly images?: readonly unknown[]
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number }
}

/**
 * An image model of the AI SDK as a model that paints into pictures: one try each, as PNG with a PNG mask
 * that is transparent where to paint.
 */
export function editorFromAiSdk(model: SdkImageModel, options: SdkEditorOptions): PictureEditor {
  const { id, place, optionsKey } = options
  return {
    id,
    edit: async (request, { signal } = {}) => {
      signal?.throwIfAborted()
      try {
        const call = { ...(await sdkCall(request, optionsKey)), abortSignal: signal }
        const made = (await orAbort(Promise.resolve(model.doGenerate(call)), signal)) as SdkImages
        return await pictureOf(made, { id, signal })
      } catch (error) {
        throw signal?.aborted === true ? signal.reason : editFault(error, place)
      }
    },
  }
}

async function sdkCall(
  { image, mask, prompt, seed, steps, guidance }: PictureEdit,
  optionsKey: string | undefined,
): Promise<object> {
  const { encodePicture } = await import('../../image/index.ts')
  const own = { seed, num_inference_steps: steps, guidance_scale: guidance }
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  return {
    prompt,
    n: 1,
    size: `${image.width}x${image.height}`,
    aspectRatio: undefined,
    seed: undefined,
    files: [file(await encodePicture(image, 'png'))],
    mask: file(await holePng(image, mask)),
    providerOptions: optionsKey === undefined ? {} : { [optionsKey]: given },
  }
}

const file = (data: Uint8Array): object => ({ type: 'file', data, mediaType: 'image/png' })

/** The picture as RGBA, transparent where to paint: what OpenAI's protocol calls a mask. */
async function holePng(image: Image, mask: MaskRle): Promise<Uint8Array> {
  const { encodeBytes, maskToBitmap, toRgba } = await import('../../image/index.ts')
  const { data } = toRgba(image)
  maskToBitmap(mask).forEach((inside, i) => {
    if (inside !== 0) data[i * 4 + 3] = 0
  })
  return encodeBytes(data, image, 4, 'png')
}

async function pictureOf(
  { images = [], usage }: SdkImages,
  { id, signal }: { readonly id: string } & Abortable,
): Promise<EditedPicture> {
  const { decodePicture } = await import('../../image/index.ts')
  const first = images[0]
  const bytes = typeof first === 'string' ? Buffer.from(first, 'base64') : first
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) throw noPicture(id, 'no picture')
  try {
    const { image } = await decodePicture(bytes, { signal, name: `The picture of ${id}` })
    const { inputTokens, outputTokens } = usage ?? {}
    if (inputTokens === undefined && outputTokens === undefined) return { image }
    return { image, usage: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 } }
  } catch (error) {
    if (!isFault(error)) throw error
    throw noPicture(id, 'something that is no picture')
  }
}

function noPicture(id: string, what: string): Unavailable {
  return new Unavailable('T_LLM', `${id} answered with ${what}.`, {
    fields: { model: id, reason: 'no-picture', retry: false },
    cure: 'See the log of the server, and that the model edits pictures.',
  })
}

/** Servers without pictures refuse the path itself, which reads like an unknown model. */
function editFault(error: unknown, place: FaultPlace): Error {
  const fault = sdkFault(error, place)
  if (fault.code !== 'E_MODEL_UNKNOWN') return fault
  const where = place.address === undefined ? '' : ` at ${place.address}/images/edits`
  return new UserFault('E_MODEL_UNKNOWN', fault.message, {
    fields: fault.fields,
    cure: `Check the name of the model, and that its server edits pictures${where}.`,
    cause: fault.cause,
  })
}
