import { stat, watch } from 'node:fs/promises'
import { join } from 'node:path'
import { runDocument } from '../../../app/index.ts'
import type { Pupil } from '../../../app/index.ts'
import { UserFault } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { pathFrom, withPupil } from '../open.ts'
import { paintFor } from '../style.ts'
import { watchFolder } from '../watch-folder.ts'
import type { Tagged, WatchedLine } from '../watch-folder.ts'
import { oneOf } from '../world.ts'
import { writeSidecar } from '../xmp-sidecar.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, options, global, args } = input
  const folder = pathFrom(input, args[0] ?? '.')
  const instruction = args[1] ?? 'Tag every person'
  const to = oneOf(options.to, 'to', ['jsonl', 'xmp'] as const, 'jsonl')
  await checkFolder(folder)
  const { signal = new AbortController().signal } = io
  const paint = paintFor(io.stdout, io, global.color)
  const told = (line: WatchedLine): void => {
    if (global.json) io.stdout.write(`${JSON.stringify(line)}\n`)
    else if (line.error !== undefined) io.stderr.write(`${line.file}: ${line.error.message}\n`)
    else io.stdout.write(`${paint.bold(line.file)}  ${labelsOf(line)}\n`)
  }
  return withPupil(input, async (pupil) => {
    const looked = watchFolder(folder, {
      ...{ instruction, told, signal },
      journal: join(folder, 'pupil-tags.jsonl'),
      tag: (path) => tagOne(pupil, path, { instruction, signal }),
      ...(to === 'xmp' ? { beside: writeSidecar } : {}),
      changes: options.once === true ? nothing() : watch(folder, { recursive: true, signal }),
    })
    const n = await looked.catch((error: unknown) => {
      if (signal.aborted) return undefined // Ctrl-C is how watching ends
      throw error
    })
    if (n !== undefined && !global.quiet) io.stderr.write(paint.dim(`${n} pictures\n`))
    return 0
  })
}

async function tagOne(
  pupil: Pupil,
  path: string,
  { instruction, signal }: { readonly instruction: string; readonly signal: AbortSignal },
): Promise<Tagged> {
  const { id } = await pupil.tag(path, instruction, { signal })
  const document = runDocument(await pupil.runs.get(id))
  const { error, tags = [], inputs } = document
  if (error !== undefined) {
    throw new UserFault(error.code, error.message, { fields: { run: document.run } })
  }
  const { width = 0, height = 0 } = inputs.IMAGE?.original ?? {}
  return { run: document.run, width, height, tags }
}

function labelsOf({ tags = [] }: WatchedLine): string {
  return tags.length === 0 ? 'nothing found' : tags.map(({ label }) => label).join(', ')
}

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory() === true) return
  throw new UserFault('E_USAGE', `There is no folder ${folder}.`, { fields: { folder } })
}

async function* nothing(): AsyncGenerator<never> {}
