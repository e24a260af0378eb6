import { errorData, errorLine, seededRandom } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import { colourWord, maskFromBox, pixelAt, solidImage } from '../image/index.ts'
import { createBudget } from '../llm/index.ts'
import type { Filler } from '../tools/index.ts'
import type { Finding } from './doctor.ts'
import type { ModelSetup } from './doctor-models.ts'
import { generatorFiller } from './generator.ts'

/** What REPLACE generates with: nothing, a model ready to be asked, or what is missing. */
export async function generatorFinding(
  { config, env, clock, probe }: ModelSetup,
  options: Abortable,
): Promise<Finding> {
  const name = 'image model for REPLACE'
  const id = config.models.generator
  if (id === undefined) {
    const detail = 'none; things are removed, or a given picture is put in their place'
    const cure =
      'Name one as models.generator in pupil.config.ts, such as openai-compatible/NAME or openai/gpt-image-1.'
    return { name, state: 'missing', detail, cure }
  }
  try {
    const budget = createBudget({}, clock)
    const filler = generatorFiller({ config, env, clock, budget }) as Filler // its id is configured
    const able = `${id}: ${filler.can.join('; ')}`
    const cure = `Cannot: ${filler.cannot.join('; ')}.`
    if (!probe) return { name, state: 'good', detail: `${able} (try it with --probe)`, cure }
    return { name, state: 'good', detail: `${able}; ${await painted(filler, options)}`, cure }
  } catch (error) {
    return { name, state: 'bad', detail: `${id}: ${errorLine(errorData(error))}` }
  }
}

/** Lets a disc on grey be painted red, and tells whether it is. */
async function painted(filler: Filler, options: Abortable): Promise<string> {
  const image = solidImage({ width: 256, height: 256 }, [128, 128, 128])
  const mask = maskFromBox([64, 64, 192, 192], image.height, image.width)
  const random = seededRandom(1)
  const request = { prompt: 'plain bright red', steps: 20, guidance: 7.5, random }
  const made = await filler.fill(image, mask, request, options)
  const [r, g, b] = pixelAt(made, 128, 128)
  return `asked for red, it painted ${colourWord(r, g, b)}`
}
