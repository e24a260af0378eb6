import { mkdtemp, rm, writeFile as saveFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runDocument, seekMoves } from '../../../app/index.ts'
import type {
  LiveRun,
  PictureConsent,
  PictureInput,
  Pupil,
  RunDocument,
} from '../../../app/index.ts'
import { UserFault } from '../../../base/index.ts'
import { chatLines } from '../chat-lines.ts'
import type { CommandInput } from '../command.ts'
import { readStdin } from '../io.ts'
import { pathFrom, withPupil } from '../open.ts'
import { writeFile } from '../output.ts'
import { readBudget, readTextFile } from '../perform.ts'
import { progressLine } from '../progress.ts'
import { exitCodeOf, writeErrorData, writeJson } from '../report.ts'
import { moveText, notFoundText, planText, sourcesText } from '../seek-text.ts'
import { paintFor } from '../style.ts'
import { costText } from '../trace.ts'

/** Exit code for a search that ended without an answer. */
const ABSTAINED = 3

export async function run(input: CommandInput): Promise<number> {
  const { options, io, global } = input
  const budget = readBudget(options.budget)
  const maxCost = readCost(options.maxCost)
  const graph = typeof options.graph === 'string' ? await readJson(input, options.graph) : undefined
  return withPupil(input, async (pupil) => {
    const request = await readRequest(input)
    const line = progressLine(io, global)
    line.say('reading …')
    try {
      const live = await pupil.startSeek(request, {
        ...{ budget, progress: line.note, signal: io.signal },
        ...(options.seed === undefined ? {} : { seed: options.seed as number }),
        ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps as number }),
        ...(maxCost === undefined ? {} : { maxCost }),
        ...(typeof options.pictureUrl === 'string' ? { pictureUrl: options.pictureUrl } : {}),
        ...(graph === undefined ? {} : { graph }),
        ...(io.stdin.isTTY === true && io.stderr.isTTY === true
          ? { consent: (asked) => askConsent(input, asked, line.clear) }
          : {}),
        ...{ offline: options.offline === true, sendPictures: options.sendPictures === true },
      })
      await follow(input, live, line)
      const { id } = await live.result
      line.clear()
      return await finish(input, pupil, id)
    } finally {
      line.clear()
    }
  })
}

async function readJson(input: CommandInput, path: string): Promise<unknown> {
  const text = await readTextFile(input, path)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserFault('E_GRAPH', `${path} is no graph: it is not JSON.`, {
      fields: { path },
      cure: 'Write one with "pupil study graph -o FILE".',
      cause,
    })
  }
}

/** Shows what would be sent, by a file of it, and asks; anything but "y" is no. */
async function askConsent(
  { io }: CommandInput,
  { provider, price, picture }: PictureConsent,
  clear: () => void,
): Promise<boolean> {
  clear()
  const folder = await mkdtemp(join(tmpdir(), 'pupil-'))
  const file = join(folder, 'to-be-sent.jpg')
  await saveFile(file, picture)
  const cost = price === null ? 'its price is unknown' : `it costs ${price} USD`
  io.stderr.write(`${provider} would be sent ${file} (${picture.length} bytes); ${cost}.\n`)
  const lines = chatLines(io, true)
  try {
    io.stderr.write('Send it? [y/N] ')
    return /^y(?:es)?$/i.test((await lines.next())?.trim() ?? '')
  } finally {
    lines.close()
    await rm(folder, { recursive: true })
  }
}

function readCost(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value
  throw new UserFault('E_USAGE', `Expected an amount for --max-cost but got "${text}".`, {
    fields: { maxCost: text },
    cure: 'Write it like --max-cost 0.05.',
  })
}

async function readRequest({
  args,
  io,
  ...rest
}: CommandInput): Promise<{ picture: PictureInput; question: string }> {
  const [picture = '', words = ''] = args
  if (picture === '-' && words === '-') {
    throw new UserFault('E_USAGE', 'Only one argument can be "-": standard input is read once.')
  }
  const text = words === '-' ? new TextDecoder().decode(await readStdin(io)) : words
  const question = text.trim()
  if (question === '') throw new UserFault('E_USAGE', 'The question is empty.')
  const source =
    picture === '-'
      ? { bytes: await readStdin(io), name: 'standard input' }
      : pathFrom({ args, io, ...rest }, picture)
  return { picture: source, question }
}

type SeekStep = Parameters<typeof seekMoves>[0][number]

/** Tells each decision on stderr when it is known what came of it. */
async function follow(
  { io, global }: CommandInput,
  live: LiveRun,
  line: ReturnType<typeof progressLine>,
): Promise<void> {
  const paint = paintFor(io.stderr, io, global.color)
  const write = (text: string): void => {
    line.clear()
    if (!global.quiet) io.stderr.write(`${text}\n`)
  }
  const steps: SeekStep[] = []
  let told = 0
  for await (const event of live.events()) {
    if (event.type !== 'step') continue
    steps.push(event.step as SeekStep) // the agent of this run makes no others
    const moves = seekMoves(steps)
    if (event.step.kind === 'plan') write(planText(event.step.plan, paint))
    const last = moves.at(-1)
    if (last === undefined || told === moves.length) continue
    const ended = last.to !== undefined || last.verdict !== undefined || last.failed !== undefined
    if (last.to !== undefined && moves.at(-2)?.to !== undefined) continue
    if (ended) {
      // Numbered as "pupil correct --step" counts them: what went back is no step.
      write(moveText(last, moves.filter(({ to }) => to === undefined).length, paint))
      told = moves.length
    } else {
      line.say(`${moves.length} ${last.tool} …`)
    }
  }
}

async function finish(input: CommandInput, pupil: Pupil, id: string): Promise<number> {
  const { io, global, options } = input
  const document = runDocument(await pupil.runs.get(id))
  if (typeof options.svg === 'string') {
    await writeFile(pathFrom(input, options.svg), await pupil.runs.svg(id))
  }
  const paint = paintFor(io.stderr, io, global.color)
  if (!global.quiet && !global.json) {
    for (const warning of document.warnings) {
      io.stderr.write(`${paint.yellow('warning:')} ${warning}\n`)
    }
    if (io.stderr.isTTY === true || global.verbose) {
      io.stderr.write(paint.dim(`${document.run} · ${costText(document)}\n`))
    }
  }
  if (global.json) writeJson(io, document)
  if (document.error !== undefined) {
    if (!global.json) writeErrorData(document.error, { ...global, io })
    return io.signal?.aborted === true ? 130 : exitCodeOf(document.error)
  }
  return printOutcome(input, document)
}

function printOutcome({ io, global }: CommandInput, document: RunDocument): number {
  const { seek, answer = '' } = document
  const found = seek?.kind === 'answered' || seek?.kind === 'partial'
  if (global.json) return found ? 0 : ABSTAINED
  if (seek === undefined || !found) {
    if (!global.quiet && seek !== undefined) io.stderr.write(`${notFoundText(seek)}\n`)
    return ABSTAINED
  }
  io.stdout.write(`${answer}\n`)
  if (global.quiet) return 0
  io.stdout.write(`\n${sourcesText(seek, paintFor(io.stdout, io, global.color))}\n`)
  return 0
}
