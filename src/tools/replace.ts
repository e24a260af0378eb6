import {
  compositeInside,
  createImage,
  growMask,
  maskBox,
  maskOrBox,
  objectArea,
  resizeBytes,
  cropImage,
} from '../image/index.ts'
import type { Box, Image, MaskRle, ObjectRecord } from '../image/index.ts'
import type { ModelStamp } from '../program/index.ts'
import { imageArg, textArg } from './args.ts'
import type { Args } from './args.ts'
import type { Backends, Filler } from './backends.ts'
import { normaliseName } from './names.ts'
import { asksForNothing } from './nothing-prompts.ts'
import { selected } from './selected.ts'
import type { ToolSettings } from './settings.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool, ToolContext } from './tool.ts'
import { noBackend, unavailable } from './unavailable.ts'

/**
 * REPLACE: other contents inside the masks, largest first; outside them every pixel stays as it was
 * (program-language §8). A given picture is put there; a prompt such as "background" removes; other
 * prompts need a back end that generates.
 */
export function replace(backends: Backends, settings: ToolSettings): Tool {
  return {
    signature: signatureOf('REPLACE'),
    run: async (args, context) => {
      const { image, objects, notices } = selected(args, context, { masks: true })
      const prompt = textArg(args, 'prompt')
      const concepts = [normaliseName(prompt)]
      if (objects.length === 0) return { value: image, notices, concepts }
      const { fill, models, grow, made } = fillingFor(args, prompt, { backends, settings, context })
      let value = image
      for (const object of largestFirst(objects)) {
        const mask = growMask(maskOrBox(object), grow)
        const filled = await fill(value, mask)
        value = compositeInside(value, filled, mask, { feather: settings.replaceFeather })
      }
      return {
        value,
        notices: made === undefined ? notices : [...notices, { code: 'N_FILLED', message: made }],
        concepts,
        models: models(),
      }
    },
  }
}

function largestFirst(objects: readonly ObjectRecord[]): readonly ObjectRecord[] {
  return objects.toSorted((a, b) => objectArea(b) - objectArea(a))
}

interface Filling {
  readonly fill: (image: Image, mask: MaskRle) => Promise<Pick<Image, 'width' | 'height' | 'data'>>
  readonly models: () => readonly ModelStamp[]
  /** Pixels by which masks are grown. */
  readonly grow: number
  /** Told about what was filled in. */
  readonly made?: string
}

interface Means {
  readonly backends: Backends
  readonly settings: ToolSettings
  readonly context: ToolContext
}

function fillingFor(args: Args, prompt: string, means: Means): Filling {
  if (args['picture'] !== null && args['picture'] !== undefined) {
    const picture = imageArg(args, 'picture')
    const grow = means.settings.replaceGrow
    return { fill: (image, mask) => placed(image, mask, picture), models: () => [], grow }
  }
  const { backends, settings, context } = means
  const removes = asksForNothing(prompt)
  const able = backends.fillers.filter(
    (one) => one.fills === 'both' || one.fills === (removes ? 'removal' : 'prompt'),
  )
  const filler: Filler = able[0] ?? cannot(prompt, backends)
  const { replaceSteps: steps, replaceGuidance: guidance } = settings
  const { random, signal } = context
  return {
    fill: (image, mask) =>
      filler.fill(image, mask, { prompt, steps, guidance, random }, { signal }),
    models: () => filler.models(),
    grow: removes ? settings.replaceGrow + settings.removeGrow : settings.replaceGrow,
    made:
      filler.fills === 'removal'
        ? 'The place was filled from its surroundings: what is there is made up.'
        : `The place was painted by ${filler.models()[0]?.name ?? filler.name}: what is there is made up.`,
  }
}

function cannot(prompt: string, backends: Backends): never {
  if (backends.fillers.length === 0) throw noBackend('REPLACE', 'fill holes in pictures')
  throw unavailable(
    'REPLACE',
    `REPLACE cannot make "${prompt}" here: no model that generates pictures is configured.`,
    'Name one as "generator" in pupil.config.ts (an image model behind an OpenAI-compatible address), give a picture with "picture", or remove the thing with the prompt "background".',
    { prompt },
  )
}

/** The picture laid over the mask's box: it covers the box, keeps its shape, and is cut by the mask. */
async function placed(
  image: Image,
  mask: MaskRle,
  picture: Image,
): Promise<Pick<Image, 'width' | 'height' | 'data'>> {
  const box = maskBox(mask)
  if (box === undefined) return image
  const [width, height] = [box[2] - box[0], box[3] - box[1]]
  const part = coveringPart(picture, width / height)
  const data = await resizeBytes(cropImage(picture, part).data, sizeOf(part), 3, { width, height })
  const out = Uint8Array.from(image.data)
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width * 3, (y + 1) * width * 3)
    out.set(row, ((y + box[1]) * image.width + box[0]) * 3)
  }
  return createImage(out, image.width, image.height, { frame: image.frame })
}

/** The largest middle part of a picture with a ratio of width to height. */
function coveringPart({ width, height }: Image, ratio: number): Box {
  const w = Math.max(1, Math.min(width, Math.round(height * ratio)))
  const h = Math.max(1, Math.min(height, Math.round(width / ratio)))
  const x = Math.floor((width - w) / 2)
  const y = Math.floor((height - h) / 2)
  return [x, y, x + w, y + h]
}

function sizeOf([x1, y1, x2, y2]: Box): { readonly width: number; readonly height: number } {
  return { width: x2 - x1, height: y2 - y1 }
}
