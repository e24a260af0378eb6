import { extname } from 'node:path'
import { openChat } from '../../../app/index.ts'
import type { ChatDesk, Config } from '../../../app/index.ts'
import { errorData, isAbort, nearestNames, UserFault } from '../../../base/index.ts'
import { chatLines } from '../chat-lines.ts'
import { jsonScreen, textScreen } from '../chat-screen.ts'
import type { ChatScreen } from '../chat-screen.ts'
import type { CommandInput } from '../command.ts'
import { configFor, pathFrom } from '../open.ts'
import { KINDS, writeFile } from '../output.ts'
import { readBudget, readTextFile } from '../perform.ts'
import { progressLine } from '../progress.ts'
import { exitCodeOf } from '../report.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options, args } = input
  const pictures = args.filter((one) => one !== undefined)
  if (pictures.includes('-')) {
    throw new UserFault('E_USAGE', 'A picture cannot be "-": standard input has the turns.')
  }
  const budget = readBudget(options.budget)
  const saved = typeof options.open === 'string' ? await readSaved(input, options.open) : undefined
  const line = progressLine(io, global)
  const { config } = await configFor(input)
  const chat = await openChat(config, {
    ...{ env: io.env, progress: line.note, ...(saved === undefined ? {} : { saved }) },
  })
  const screen = global.json ? jsonScreen(input) : textScreen(input, line.clear)
  try {
    const talk: Talk = { input, config, chat, screen, budget, say: line.say }
    if (typeof options.open === 'string') talk.file = options.open
    for (const picture of pictures) await showPicture(talk, picture)
    return await converse(talk)
  } finally {
    line.clear()
    await chat.close()
  }
}

interface Talk {
  readonly input: CommandInput
  readonly config: Config
  readonly chat: ChatDesk
  readonly screen: ChatScreen
  readonly budget: Readonly<Record<string, number>>
  readonly say: (text: string) => void
  /** Where it was saved last. */
  file?: string
}

async function readSaved(input: CommandInput, path: string): Promise<unknown> {
  if (path === '-') throw new UserFault('E_USAGE', 'Expected a file for --open but got "-".')
  const text = await readTextFile(input, path)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserFault('E_CONVERSATION', `${path} is no saved conversation: it is no JSON.`, {
      fields: { path },
      cure: 'Give a file that "/save" of "pupil chat" wrote.',
      cause,
    })
  }
}

/** Reads lines and answers them until they end. @returns the code of the first that failed */
async function converse(talk: Talk): Promise<number> {
  const { io, global } = talk.input
  const terminal = io.stdin.isTTY === true && io.stdout.isTTY === true
  const lines = chatLines(io, terminal && !global.json)
  let control: AbortController | undefined
  lines.onInterrupt(() => {
    if (control === undefined) lines.close()
    else control.abort(new DOMException('You stopped it.', 'AbortError'))
  })
  let code = 0
  try {
    for (;;) {
      const line = (await lines.next())?.trim()
      if (io.signal?.aborted === true) return 130
      if (line === undefined || line === '/quit') return terminal ? 0 : code
      if (line === '') continue
      control = new AbortController()
      const came = line.startsWith('/')
        ? await obey(talk, line)
        : await turn(talk, line, control.signal)
      control = undefined
      if (code === 0) code = came
    }
  } finally {
    lines.close()
  }
}

async function turn(talk: Talk, text: string, stopped: AbortSignal): Promise<number> {
  const { chat, screen, input, budget } = talk
  const { io, options } = input
  const signal = AbortSignal.any(io.signal === undefined ? [stopped] : [stopped, io.signal])
  const seed = options.seed === undefined ? {} : { seed: options.seed as number }
  talk.say('thinking …')
  try {
    let code = 0
    for await (const part of chat.say(text, { signal, budget, ...seed })) {
      const document = chat.document(part)
      const file = document.type === 'picture' ? await chat.path(document.image) : undefined
      screen.part(document, file)
      if (document.type === 'call-start') talk.say(`${document.skill} …`)
      if (document.type === 'finish' && document.run.error !== undefined) {
        code = exitCodeOf(document.run.error)
      }
    }
    return code
  } catch (error) {
    return failed(talk, error)
  }
}

function failed({ screen, input }: Talk, error: unknown): number {
  if (isAbort(error) && input.io.signal?.aborted === true) return 130
  screen.fail(error)
  return exitCodeOf(errorData(error))
}

type Order = (talk: Talk, rest: string) => Promise<void>

const ORDERS: Readonly<Record<string, Order>> = {
  image: async (talk, rest) => {
    if (rest === '') throw new UserFault('E_USAGE', 'Expected a file: /image FILE.')
    await showPicture(talk, rest)
  },
  skills: async ({ chat, screen }) =>
    screen.news({ type: 'skills', model: chat.model, skills: await chat.skills() }),
  correct: async ({ chat, screen }, rest) => {
    if (rest === '') throw new UserFault('E_USAGE', 'Expected the right answer: /correct TEXT.')
    chat.correct(rest)
    screen.news({ type: 'corrected', value: rest })
  },
  save: async (talk, rest) => {
    const file = rest === '' ? talk.file : rest
    if (KINDS[extname(rest).toLowerCase()] !== undefined) return savePicture(talk, rest)
    if (file === undefined) throw new UserFault('E_USAGE', 'Expected a file: /save FILE.')
    const saved = await talk.chat.save()
    await writeFile(pathFrom(talk.input, file), `${JSON.stringify(saved)}\n`)
    talk.file = file
    talk.screen.news({ type: 'saved', file })
  },
}

async function savePicture({ chat, screen, input }: Talk, file: string): Promise<void> {
  const { name, bytes } = await chat.newest(KINDS[extname(file).toLowerCase()] ?? 'png')
  await writeFile(pathFrom(input, file), bytes)
  screen.news({ type: 'saved', file, picture: name })
}

/** Does what a line that begins with a slash says. */
async function obey(talk: Talk, line: string): Promise<number> {
  const [, name = '', rest = ''] = /^\/(\S*)\s*(.*)$/.exec(line) ?? []
  try {
    const order = Object.hasOwn(ORDERS, name) ? ORDERS[name] : undefined
    if (order === undefined) throw unknownOrder(name)
    await order(talk, rest.trim())
    return 0
  } catch (error) {
    return failed(talk, error)
  }
}

function unknownOrder(name: string): UserFault {
  const known = [...Object.keys(ORDERS), 'quit']
  const near = nearestNames(name, known)
  const listed = known.map((one) => `/${one}`).join(', ')
  return new UserFault('E_USAGE', `There is no "/${name}" here.`, {
    fields: { order: name, known },
    cure:
      near.length > 0
        ? `Did you mean ${near.map((one) => `/${one}`).join(' or ')}?`
        : `There are ${listed}.`,
  })
}

async function showPicture({ chat, screen, input }: Talk, path: string): Promise<void> {
  const { name, width, height, notices } = await chat.show(pathFrom(input, path), {
    ...(input.io.signal === undefined ? {} : { signal: input.io.signal }),
  })
  screen.news({ type: 'picture', name, file: path, width, height })
  if (input.global.quiet) return
  for (const notice of notices) input.io.stderr.write(`${notice}\n`)
}
