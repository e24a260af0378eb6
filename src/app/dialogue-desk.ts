import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chatToFile } from '../agents/index.ts'
import { expected, seededRandom, systemClock, UserFault } from '../base/index.ts'
import type { Abortable, Progress } from '../base/index.ts'
import { encodePicture } from '../image/index.ts'
import { resolveModel, withRetry, withTimeout } from '../llm/index.ts'
import {
  dialoguesFromChat,
  makeDialogues,
  modelWriter,
  readCoco,
  readVisualGenome,
  writeCorpusFiles,
} from '../learning/index.ts'
import type {
  AnnotatedPicture,
  CorpusStatistics,
  Dialogue,
  DialogueVariant,
  ModelWriter,
  TargetName,
  WriterCounts,
} from '../learning/index.ts'
import { reopenChat } from './chat-file.ts'
import type { Config } from './config.ts'
import { DIALOGUE_TARGETS } from './dialogues.ts'
import type { Environment } from './environment.ts'
import { modelSources } from './model-sources.ts'
import { openWorld } from './world-desk.ts'

/** Where instruction data comes from, and what it is made for. */
export interface DialogueRequest {
  /** Instances of COCO or LVIS, and captions of the same pictures. */
  readonly coco?: { readonly instances: string; readonly captions?: string }
  /** Folder with `objects.json`, `image_data.json` and, if there, `region_descriptions.json`. */
  readonly visualGenome?: string
  /** Scenes of the picture world; their pictures are written beside the data. */
  readonly world?: { readonly count: number; readonly style?: string }
  /** Conversations that `/save` of `pupil chat` wrote, corrections included. */
  readonly chats?: readonly string[]
  readonly variants: readonly DialogueVariant[]
  /** Trainers; each has a folder of its own when there are several. */
  readonly targets: readonly TargetName[]
  readonly folder: string
  readonly perPicture?: number
  readonly rounds?: number
  readonly seed?: number
  /** A language model that rewords questions, writes final answers, or both; default templates. */
  readonly writer?: {
    readonly model: string
    readonly questions: boolean
    readonly answers: boolean
  }
}

export interface DialoguesMade {
  /** By trainer; the dialogues are the same. */
  readonly statistics: Readonly<Record<string, CorpusStatistics>>
  /** Dialogues that contradicted their results or broke the format, by the first reason. */
  readonly dropped: Readonly<Record<string, number>>
  /** What the language model wrote, where one did. */
  readonly written?: WriterCounts
}

/**
 * Instruction data from annotated pictures, the picture world and saved chats, for one or more trainers: splits,
 * statistics and a training recipe in each folder.
 *
 * @throws UserFault `E_ARGUMENT` without a source; `E_FILE` for one that cannot be read
 * @source llava-plus §7
 */
export async function makeInstructionData(
  request: DialogueRequest,
  config: DialogueConfig,
  { env = {}, ...options }: DialogueOptions = {},
): Promise<DialoguesMade> {
  const writer = writerOf(request, config, env, options)
  const { variants, targets, folder } = request
  if (targets.length === 0) throw expected(DIALOGUE_TARGETS.join(', '), 'targets', targets)
  const statistics: Record<string, CorpusStatistics> = {}
  const dropped = new Map<string, number>()
  for (const [i, target] of targets.entries()) {
    const place = targets.length === 1 ? folder : join(folder, target)
    // Every target gets the same dialogues; what is dropped is counted once.
    const count = i === 0 ? dropped : new Map<string, number>()
    const making = { config, count, ...options, write: i === 0, writing: writer?.pass() }
    const all = dialoguesOf(request, variants, making)
    statistics[target] = await writeCorpusFiles(all, { folder: place, target })
  }
  return {
    ...{ statistics, dropped: Object.fromEntries(dropped) },
    ...(writer === undefined ? {} : { written: writer.counts() }),
  }
}

/** What is needed of the configuration: models only where one writes. */
export type DialogueConfig = Pick<Config, 'cache'> & Partial<Pick<Config, 'providers'>>

export type DialogueOptions = Abortable & {
  readonly progress?: Progress
  /** Keys of the model that writes. */
  readonly env?: Environment
}

function writerOf(
  { writer }: DialogueRequest,
  config: DialogueConfig,
  env: Environment,
  { signal }: Abortable,
): ModelWriter | undefined {
  if (writer === undefined) return undefined
  const clock = systemClock
  const model = resolveModel(writer.model, modelSources({ providers: config.providers ?? {} }, env))
  const patient = withRetry(withTimeout(model, { clock }), { clock })
  return modelWriter(patient, signal === undefined ? {} : { signal })
}

interface Making extends Abortable {
  readonly config: Pick<Config, 'cache'>
  readonly count: Map<string, number>
  readonly progress?: Progress
  /** Whether pictures are written, too. */
  readonly write: boolean
  /** The texts of a language model, the same for every trainer. */
  readonly writing?: ReturnType<ModelWriter['pass']> | undefined
}

async function* dialoguesOf(
  request: DialogueRequest,
  variants: readonly DialogueVariant[],
  making: Making,
): AsyncGenerator<Dialogue> {
  const { chats = [], coco, visualGenome, world, folder } = request
  if (chats.length === 0 && coco === undefined && visualGenome === undefined && !world) {
    throw expected('a source: COCO, Visual Genome, the picture world or saved chats', 'source', {})
  }
  for (const path of chats) {
    yield* await chatDialogues(path, making.write ? folder : undefined)
  }
  for (const variant of variants) {
    yield* makeDialogues(picturesOf(request, making, variant === variants[0]), {
      ...{ variant, random: seededRandom(request.seed ?? 1).fork(variant) },
      ...(request.perPicture === undefined ? {} : { perPicture: request.perPicture }),
      ...(request.rounds === undefined ? {} : { rounds: request.rounds }),
      ...(making.signal === undefined ? {} : { signal: making.signal }),
      ...writingOf(request, making),
      onDropped: (_, faults) => {
        const why = faults[0]?.replace(/"[^"]*"/g, '…').replace(/\d+/g, 'n') ?? 'unknown'
        making.count.set(why, (making.count.get(why) ?? 0) + 1)
      },
    })
  }
}

function writingOf({ writer }: DialogueRequest, { writing }: Making) {
  if (writer === undefined || writing === undefined) return {}
  return {
    ...(writer.questions ? { rewrite: writing.rewrite } : {}),
    ...(writer.answers ? { answer: writing.answer } : {}),
  }
}

async function* picturesOf(
  { coco, visualGenome, world, folder, seed = 1 }: DialogueRequest,
  making: Making,
  first: boolean,
): AsyncGenerator<AnnotatedPicture> {
  if (coco !== undefined) {
    const captions = coco.captions === undefined ? undefined : await readJson(coco.captions)
    yield* readCoco((await readJson(coco.instances)) as Row, captions as Row | undefined)
  }
  if (visualGenome !== undefined) {
    const [objects, images] = await Promise.all(
      ['objects.json', 'image_data.json'].map((name) => readJson(join(visualGenome, name))),
    )
    const regions = await readJson(join(visualGenome, 'region_descriptions.json')).catch(() => [])
    yield* readVisualGenome(objects as readonly Row[], images as readonly Row[], regions as Row[])
  }
  if (world === undefined) return
  const { cache } = making.config
  const { signal, progress } = making
  const opened = await openWorld(
    { cache },
    { signal, ...(progress === undefined ? {} : { progress }) },
  )
  const { scenes, instances, captions } = await opened.annotated(world.count, {
    ...{ seed, ...(world.style === undefined ? {} : { style: world.style }) },
  })
  if (making.write && first) {
    for (const { file, png } of scenes()) {
      signal?.throwIfAborted()
      await writeInside(folder, file, png)
    }
  }
  yield* readCoco(JSON.parse(instances) as Row, JSON.parse(captions) as Row)
}

type Row = Readonly<Record<string, unknown>>

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new UserFault('E_FILE', `${path} cannot be read: ${cause.message}`, { cause })
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserFault('E_FILE', `${path} is not JSON.`, { fields: { path }, cause })
  }
}

/** With `folder` the picture that the dialogues name is written there. */
async function chatDialogues(path: string, folder?: string): Promise<readonly Dialogue[]> {
  const conversation = await reopenChat(await readJson(path))
  const { id, turns } = await chatToFile(conversation)
  const shown = conversation.pictures.find(({ madeBy }) => madeBy === undefined)?.image
  if (shown === undefined) return dialoguesFromChat({ id, turns })
  const image = `pictures/${shown.hash}.png`
  if (folder !== undefined) await writeInside(folder, image, await encodePicture(shown, 'png'))
  return dialoguesFromChat({ id, turns, image })
}

async function writeInside(folder: string, file: string, bytes: Uint8Array): Promise<void> {
  const path = join(folder, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
}
