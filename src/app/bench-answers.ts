import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { createRepository, createSkillHost } from '../agents/index.ts'
import { expected, noProgress, systemClock, UserFault } from '../base/index.ts'
import type { Abortable, Progress } from '../base/index.ts'
import { answerBench, benchAnswersText, readBenchAnswers } from '../evaluate/index.ts'
import type { BenchAnswer, BenchMode, BenchQuestion } from '../evaluate/index.ts'
import { decodePicture, encodePicture } from '../image/index.ts'
import type { Image } from '../image/index.ts'
import type { LanguageModel } from '../llm/index.ts'
import { createToolbox, isDict, readPython, resultTurn } from '../tools/index.ts'
import { benchFile } from './bench-report.ts'
import { openChatDesk } from './chat-desk.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import { roleModels } from './models.ts'
import { openTools } from './open-tools.ts'

/** Where the answers of a benchmark come from: a file, or our chat over the pictures of a folder. */
export interface BenchAnswering {
  /** Answers that were given before, a JSON line each. */
  readonly answers?: string
  /** Folder of the pictures that the questions name. */
  readonly pictures?: string
  /** Default `fly`: the whole loop, skills when they are needed. */
  readonly mode?: BenchMode
  /** Where answers that are given now are written. */
  readonly out?: string
}

export interface BenchSetting extends Abortable {
  readonly config: Config
  readonly env: Environment
  readonly progress?: Progress
}

interface Answered {
  readonly answers: readonly BenchAnswer[]
  /** Who answered; undefined when they were read. */
  readonly model?: string
}

/**
 * Answers of a file, or given now, one question after another, each in a conversation of its own.
 *
 * @throws UserFault `E_ARGUMENT` without a file or a folder; `E_MODEL_NAME` when a mode needs a model
 */
export async function benchAnswers(
  questions: readonly BenchQuestion[],
  request: BenchAnswering,
  setting: BenchSetting,
): Promise<Answered> {
  if (request.answers !== undefined) {
    return { answers: readBenchAnswers(await benchFile(request.answers)) }
  }
  const { pictures, mode = 'fly', out } = request
  if (pictures === undefined)
    throw expected('answers or a folder of pictures', 'answers', undefined)
  const { model, answer, close } = await (mode === 'fly' ? byChat : byModel)(setting, mode)
  const { progress = noProgress, signal } = setting
  let done = 0
  try {
    const answers = await answerBench(
      questions,
      async (question, options) => answer(question, await pictureOf(pictures, question), options),
      {
        ...(signal === undefined ? {} : { signal }),
        onAnswer: () =>
          progress({
            ...{ task: 'answer', status: 'progress', loaded: ++done, total: questions.length },
          }),
      },
    )
    if (out !== undefined) await writeFile(out, benchAnswersText(questions, answers, model))
    return { answers, model }
  } finally {
    await close()
  }
}

/** The picture of a question: a file inside the folder, nothing beside it. */
async function pictureOf(
  folder: string,
  { image }: BenchQuestion,
): Promise<{ readonly bytes: Uint8Array; readonly name: string } | undefined> {
  if (image === undefined) return undefined
  const root = resolve(folder)
  const path = resolve(join(root, image))
  if (!path.startsWith(root + sep)) throw expected('a file of the folder', 'image', image)
  try {
    return { bytes: await readFile(path), name: image }
  } catch (cause) {
    throw new UserFault('E_FILE', `${image} is not in the folder of pictures.`, { cause })
  }
}

interface Answerer {
  readonly model: string
  answer(
    question: BenchQuestion,
    picture: { readonly bytes: Uint8Array; readonly name: string } | undefined,
    options: Abortable,
  ): Promise<string>
  close(): Promise<void>
}

/** The chat as people have it; a turn that failed is a failed answer. */
async function byChat({ config, env, progress }: BenchSetting): Promise<Answerer> {
  const open = () => openChatDesk(config, { env, ...(progress === undefined ? {} : { progress }) })
  const first = await open()
  await first.close()
  return {
    model: first.model,
    answer: async ({ text }, picture, options) => {
      const desk = await open()
      try {
        if (picture !== undefined) await desk.show(picture, options)
        let said = ''
        for await (const part of desk.say(text, options)) {
          if (part.type === 'answer') said = part.text
          if (part.type !== 'finish' || part.run.outcome.status === 'done') continue
          const { outcome } = part.run
          throw new UserFault(
            'E_CHAT',
            outcome.status === 'error' ? outcome.error.message : outcome.reason,
          )
        }
        return said
      } finally {
        await desk.close()
      }
    },
    close: async () => {},
  }
}

/** One question to the configured model: plain, or with the results of all tools before it. */
async function byModel(setting: BenchSetting, mode: BenchMode): Promise<Answerer> {
  const { config, env } = setting
  const models = roleModels(config, env, systemClock)
  const model = models.get(config.models.chat === undefined ? 'planner' : 'chat')
  if (model === undefined) {
    throw new UserFault('E_MODEL_NAME', `The mode ${mode} asks a model, and none is configured.`, {
      cure: 'Set "models.chat", or leave the mode out: fly also works without a model.',
    })
  }
  const tools = mode === 'all-tools' ? await allTools(setting) : undefined
  return {
    model: model.id,
    answer: async ({ text }, picture, options) => {
      const image = picture === undefined ? undefined : (await decodePicture(picture.bytes)).image
      const before =
        image === undefined || tools === undefined ? '' : await tools.prefix(image, options)
      return once(model, image, `${before}${text}`, options)
    },
    close: async () => tools?.close(),
  }
}

async function once(
  model: LanguageModel,
  image: Image | undefined,
  text: string,
  options: Abortable,
): Promise<string> {
  const content = [
    ...(image === undefined ? [] : [{ type: 'image' as const, image }]),
    { type: 'text' as const, text },
  ]
  const request = { messages: [{ role: 'user' as const, content }], temperature: 0 }
  return (await model.generate(request, options)).text
}

/** The skills of All Tools in the order of the instruction data (llava-plus §7.4). */
const ALL_TOOLS = ['blip2', 'ram', 'ram+grounding_dino', 'ocr'] as const

async function allTools({ config, progress = noProgress }: BenchSetting): Promise<{
  prefix(image: Image, options: Abortable): Promise<string>
  close(): Promise<void>
}> {
  const opened = await openTools({ config, progress, thread: 'here' })
  const { backends } = opened
  const toolbox = createToolbox({ backends, settings: config.tools })
  const host = await createSkillHost({
    repository: createRepository({ backends }),
    call: (name, args, context) => toolbox.call(name, args, { ...context, progress }),
  })
  return {
    close: () => opened.close(),
    prefix: async (image, { signal = new AbortController().signal }) => {
      const bytes = Buffer.from(await encodePicture(image, 'png', { signal })).toString('base64')
      const lines: string[] = []
      for (const name of ALL_TOOLS.filter((one) => host.names.includes(one))) {
        const reply = readPython(await host.call(name, JSON.stringify({ image: bytes }), signal))
        if (!isDict(reply) || reply.has('error_code')) continue
        lines.push(resultTurn([{ api: name, reply }], '').split('\n\n')[0] ?? '')
      }
      return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`
    },
  }
}
