import type { Run } from '../agents/index.ts'
import type { Abortable, Clock, Progress } from '../base/index.ts'
import { iou } from '../image/index.ts'
import type { Box, Image } from '../image/index.ts'
import type { LanguageModel } from '../llm/index.ts'
import { attemptOf } from '../learning/index.ts'
import type { ActingMemory, ExampleEncoder } from '../learning/index.ts'
import { parse, runProgram } from '../program/index.ts'
import type { CallTool, RunLimits, RunOutcome, Signature } from '../program/index.ts'
import { UserFault } from '../base/index.ts'
import { createToolbox, photoBackends } from '../tools/index.ts'
import type { Backends, PhotoBackends, ToolboxOptions } from '../tools/index.ts'

/** What learning needs of the tools. */
export interface Workshop {
  readonly signatures: readonly Signature[]
  readonly things: ExampleEncoder
  readonly faces: ExampleEncoder
  /** Boxes of anything in a picture, however faint. */
  proposals(image: Image, options?: Abortable): Promise<readonly Box[]>
  /** The tools as they are now. */
  readonly call: CallTool
  /** For reflection; undefined when no planner is configured. */
  readonly model?: LanguageModel
  /** The last program of a run, or another one, with other memory acting. */
  rehearse(
    run: Run,
    options: Abortable & { readonly memory?: ActingMemory; readonly program?: string },
  ): Promise<RunOutcome>
}

export interface WorkshopParts extends Omit<ToolboxOptions, 'backends'> {
  readonly photo: PhotoBackends
  readonly cacheDir: string
  readonly clock: Clock
  readonly limits: Partial<RunLimits>
  readonly progress: Progress
  readonly signatures: readonly Signature[]
  readonly call: CallTool
  readonly model?: LanguageModel | undefined
  /** Adds the language models that stand behind tools. */
  readonly around: (backends: Backends) => Backends
}

export function createWorkshop(parts: WorkshopParts): Workshop {
  const { photo, signatures, clock, limits } = parts
  return {
    ...(parts.model === undefined ? {} : { model: parts.model }),
    ...{ signatures, call: parts.call, things: photo.features, faces: faceEncoder(photo) },
    proposals: async (image, options) =>
      (await photo.eyes.objects(image, options)).flatMap(({ box, score }) =>
        score >= 0.15 ? [roundedBox(box, image)] : [],
      ),
    rehearse: async (run, { memory, program, signal }) => {
      const attempt = attemptOf(run, signatures)
      if (attempt === undefined) return run.outcome
      const { outcome } = await runProgram(parse(program ?? attempt.program), {
        ...{ inputs: attempt.inputs, signatures, family: attempt.family, clock, limits },
        call: memory === undefined ? parts.call : callWith(memory, parts),
        ...(signal === undefined ? {} : { signal }),
      })
      return outcome
    },
  }
}

/** The tools with other memory; the models are shared. */
function callWith({ taught, people }: ActingMemory, parts: WorkshopParts): CallTool {
  const { photo, cacheDir, around, progress } = parts
  const { backends } = photoBackends({
    ...{ cacheDir, models: photo.models, taught: async () => taught },
    people: async () => ((await photo.backends.identity?.enabled()) === true ? people : null),
  })
  const toolbox = createToolbox({ ...parts, backends: around(backends) })
  return (name, args, context) => toolbox.call(name, args, { ...context, progress })
}

/** Numbers for the face that a box shows. */
function faceEncoder({ backends }: PhotoBackends): ExampleEncoder {
  const { faces, identity } = backends
  return {
    name: 'photo/face-net',
    embed: async (image, box, options) => {
      const found = (await faces?.faces(image, options)) ?? []
      const [face] = found
        .filter(({ score }) => score > 0.5)
        .toSorted((a, b) => iou(roundedBox(b.box, image), box) - iou(roundedBox(a.box, image), box))
      if (face === undefined || identity === undefined) {
        throw new UserFault('E_PEOPLE', 'No face was found in the picture.', {
          cure: 'Give a picture in which the face is larger and looks at the camera.',
        })
      }
      return identity.embed(image, face, options)
    },
  }
}

function roundedBox(box: readonly number[], { width, height }: Image): Box {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = box
  return [
    Math.max(0, Math.floor(x1)),
    Math.max(0, Math.floor(y1)),
    Math.min(width, Math.ceil(x2)),
    Math.min(height, Math.ceil(y2)),
  ]
}
