import type { Run } from '../agents/index.ts'
import type { Abortable, Clock, Progress } from '../base/index.ts'
import type { Box, Image, ObjectRecord } from '../image/index.ts'
import type { LanguageModel } from '../llm/index.ts'
import { attemptOf } from '../learning/index.ts'
import type { ActingMemory, ExampleEncoder, Fits } from '../learning/index.ts'
import { parse, runProgram } from '../program/index.ts'
import type { CallTool, RunLimits, RunOutcome, Signature } from '../program/index.ts'
import { createToolbox } from '../tools/index.ts'
import type { Backends, ToolboxOptions } from '../tools/index.ts'
import { roundedBox } from './open-tools.ts'
import type { OpenTools } from './open-tools.ts'

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
  /** What the matcher says of a region showing a concept, 0..1; 0.5 where there is none or it cannot tell. */
  opinion(image: Image, box: Box, concept: string, options?: Abortable): Promise<number>
  /** How well regions fit names while some memory acts, as SELECT scores them; nothing without a matcher is -1. */
  readonly fits: Fits
  /** The last program of a run, or another one, with other memory acting. */
  rehearse(
    run: Run,
    options: Abortable & { readonly memory?: ActingMemory; readonly program?: string },
  ): Promise<RunOutcome>
}

export interface WorkshopParts extends Omit<ToolboxOptions, 'backends'> {
  readonly tools: OpenTools
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
  const { tools, signatures, clock, limits } = parts
  return {
    ...(parts.model === undefined ? {} : { model: parts.model }),
    ...{ signatures, call: parts.call, things: tools.things, faces: tools.faces },
    proposals: async (image, options) =>
      (await tools.objects(image, options)).flatMap(({ box, score }) =>
        score >= 0.15 ? [roundedBox(box, image)] : [],
      ),
    opinion: (image, box, concept, options) =>
      opinionOf(tools.backends, { image, box, concept }, options),
    fits: (memory) => fitsWith(tools.withMemory(memory)),
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

interface Region {
  readonly image: Image
  readonly box: Box
  readonly concept: string
}

async function scoreOf(
  { matchers = [] }: Backends,
  { image, box, concept }: Region,
  options: Abortable = {},
): Promise<number | null> {
  const object: ObjectRecord = {
    ...{ type: 'object', id: 'region', box, category: 'object', score: null, mask: null },
    frame: image.frame,
  }
  const [match] = (await matchers[0]?.match(image, [object], [concept], options)) ?? []
  return match?.known === true ? (match.scores[0] ?? null) : null
}

function fitsWith(backends: Backends): ReturnType<Fits> {
  return async (image, box, concept, options) =>
    (await scoreOf(backends, { image, box, concept }, options)) ?? -1
}

/** Scores so far above the least that counts are three times as likely right as wrong. */
const SURER = 0.1

/** The matcher's score as odds about the least that it takes for a fit. */
async function opinionOf(backends: Backends, region: Region, options?: Abortable): Promise<number> {
  const neutral = backends.matchers?.[0]?.neutral
  if (neutral === undefined || !('score' in neutral)) return 0.5
  const score = await scoreOf(backends, region, options)
  return score === null ? 0.5 : 1 / (1 + 3 ** ((neutral.score - score) / SURER))
}

/** The tools with other memory; the models are shared. */
function callWith(memory: ActingMemory, parts: WorkshopParts): CallTool {
  const { tools, around, progress } = parts
  const toolbox = createToolbox({ ...parts, backends: around(tools.withMemory(memory)) })
  return (name, args, context) => toolbox.call(name, args, { ...context, progress })
}
