import { runDocument, stepDocument } from '../../app/index.ts'
import type { LiveRun, PictureInput, Pupil, RunDocument, RunRequest } from '../../app/index.ts'
import { UserFault } from '../../base/index.ts'
import type { CommandInput } from './command.ts'
import { readStdin } from './io.ts'
import { pathFrom, withPupil } from './open.ts'
import { checkOutput, writeFile, writePicture } from './output.ts'
import type { Output } from './output.ts'
import { progressLine } from './progress.ts'
import { exitCodeOf, writeErrorData, writeJson } from './report.ts'
import { paintFor, table } from './style.ts'
import { callText, costText, traceText } from './trace.ts'

/** What a command asks for; pictures and texts as they were written. */
export interface Performance {
  readonly family: string
  readonly pictures: readonly string[]
  /** The instruction, or the program's file when `program` is set. */
  readonly text: string
  readonly program?: true
  /** Where the resulting picture goes when there is no `-o`; undefined: nowhere. */
  readonly out?: (input: CommandInput) => Promise<string>
}

/** Runs a task from beginning to end and prints it: the way of ask, compare, edit, tag and run. */
export async function perform(input: CommandInput, wanted: Performance): Promise<number> {
  const output = checkOutput(input)
  const budget = readBudget(input.options.budget)
  return withPupil(input, async (pupil) => {
    const request = await readRequest(input, wanted)
    const line = progressLine(input.io, input.global)
    line.say('reading …')
    try {
      const live = await pupil.start(request, {
        ...{ budget, progress: line.note, signal: input.io.signal },
        ...(input.options.seed === undefined ? {} : { seed: input.options.seed as number }),
      })
      await follow(live, line.say)
      const run = await live.result
      line.clear()
      return await finish(input, pupil, { id: run.id, output, wanted })
    } finally {
      line.clear()
    }
  })
}

async function follow(live: LiveRun, say: (text: string) => void): Promise<void> {
  for await (const event of live.events()) {
    if (event.type !== 'step') continue
    const step = stepDocument(event.step, live.task.inputs)
    say(step === undefined ? 'planning …' : `${step.index + 1} ${callText(step)}`)
  }
}

async function readRequest(input: CommandInput, wanted: Performance): Promise<RunRequest> {
  const { io } = input
  const dashes = [...wanted.pictures, wanted.text].filter((word) => word === '-').length
  if (dashes > 1) {
    throw new UserFault('E_USAGE', 'Only one argument can be "-": standard input is read once.')
  }
  const pictures: PictureInput[] = []
  for (const picture of wanted.pictures) {
    if (picture === '-') pictures.push({ bytes: await readStdin(io), name: 'standard input' })
    else pictures.push(pathFrom(input, picture))
  }
  const text = await readText(input, wanted)
  return wanted.program === true
    ? { family: wanted.family, instruction: '', pictures, program: text }
    : { family: wanted.family, instruction: text, pictures }
}

async function readText(input: CommandInput, wanted: Performance): Promise<string> {
  if (wanted.program === true) return readTextFile(input, wanted.text)
  const text =
    wanted.text === '-' ? new TextDecoder().decode(await readStdin(input.io)) : wanted.text
  if (text.trim() === '') throw new UserFault('E_USAGE', 'The instruction is empty.')
  return text.trim()
}

/** The text of a file, or of standard input for `-`. */
export async function readTextFile(input: CommandInput, path: string): Promise<string> {
  if (path === '-') return new TextDecoder().decode(await readStdin(input.io))
  const { readFile } = await import('node:fs/promises')
  try {
    return await readFile(pathFrom(input, path), 'utf8')
  } catch (cause) {
    const reason =
      (cause as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'there is no such file'
        : String((cause as Error).message)
    throw new UserFault('E_FILE', `${path} cannot be read: ${reason}.`, {
      fields: { path, reason },
      cure: 'Give the path of a text file, or "-" for standard input.',
      cause,
    })
  }
}

interface Finished {
  readonly id: string
  readonly output: Output | undefined
  readonly wanted: Performance
}

async function finish(input: CommandInput, pupil: Pupil, finished: Finished): Promise<number> {
  const { io, global, options } = input
  const stored = await pupil.runs.get(finished.id)
  const value = stored.outcome.status === 'done' ? stored.outcome.value : null
  const hash = isPicture(value) ? value.hash : undefined
  const path =
    hash === undefined ? undefined : await placePicture(input, pupil, { ...finished, hash })
  const document = runDocument(stored, { place: () => path })
  if (typeof options.html === 'string') {
    await writeFile(pathFrom(input, options.html), await pupil.runs.html(finished.id))
  }
  const paint = paintFor(io.stderr, io, global.color)
  // A trace has the notices at their steps.
  const traced = options.trace === true ? noticesOf(document) : []
  if (options.trace === true) io.stderr.write(traceText(document, paint))
  if (!global.quiet && !global.json) {
    for (const warning of document.warnings.filter((one) => !traced.includes(one)))
      io.stderr.write(`${paint.yellow('warning:')} ${warning}\n`)
    if (io.stderr.isTTY === true || options.trace === true || global.verbose) {
      io.stderr.write(paint.dim(`${document.run} · ${costText(document)}\n`))
    }
  }
  return printResult(input, document, path)
}

function noticesOf({ steps }: RunDocument): readonly string[] {
  return steps.flatMap((step) => step.notices.map((notice) => notice.message))
}

function isPicture(value: unknown): value is { readonly hash: string } {
  return (value as { type?: unknown } | null)?.type === 'image'
}

/** Writes the picture where it was asked for; without a wish the kept file is named. */
async function placePicture(
  input: CommandInput,
  pupil: Pupil,
  { output, wanted, hash }: Finished & { readonly hash: string },
): Promise<string | undefined> {
  if (output !== undefined) return writePicture(input, pupil, hash, output)
  const beside = await wanted.out?.(input)
  if (beside === undefined) return pupil.pictures.path(hash)
  return writePicture(input, pupil, hash, { path: beside, type: 'png' })
}

function printResult(input: CommandInput, document: RunDocument, path?: string): number {
  const { io, global } = input
  if (global.json) writeJson(io, document)
  if (document.error !== undefined) {
    if (!global.json) writeErrorData(document.error, { ...global, io })
    return io.signal?.aborted === true ? 130 : exitCodeOf(document.error)
  }
  if (global.json || path === '-') return 0
  if (document.tags !== undefined) {
    const rows = document.tags.map(({ label, score, box }) => [
      label,
      score === null ? '' : score.toFixed(2),
      `[${box.join(', ')}]`,
    ])
    io.stdout.write(rows.length === 0 ? '' : `${table(rows)}\n`)
    if (rows.length === 0 && !global.quiet) io.stderr.write('Nothing was found to tag.\n')
    return 0
  }
  io.stdout.write(`${path ?? document.answer ?? ''}\n`)
  return 0
}

/** `calls=10,seconds=30` as limits. */
export function readBudget(text: unknown): Readonly<Record<string, number>> {
  if (typeof text !== 'string') return {}
  const known = ['calls', 'tokens', 'seconds', 'money', 'pictures']
  const entries = text.split(',').map((part) => {
    const [name = '', amount = ''] = part.split('=').map((word) => word.trim())
    const value = Number(amount)
    if (!known.includes(name) || amount === '' || !(value >= 0)) {
      throw new UserFault(
        'E_USAGE',
        `Expected limits such as calls=10,seconds=30 for --budget but got "${text}".`,
        {
          fields: { budget: text, known },
          cure: `Limits: ${known.join(', ')}.`,
        },
      )
    }
    return [name, value] as const
  })
  return Object.fromEntries(entries)
}
