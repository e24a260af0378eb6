import { access, stat, writeFile as write } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Pupil } from '../../app/index.ts'
import { Unavailable, UserFault, writeAtomic } from '../../base/index.ts'
import type { CommandInput } from './command.ts'
import { folderOf, pathFrom } from './open.ts'

type PictureKind = 'png' | 'jpeg' | 'webp'

/** Where a picture goes, and as what. */
export interface Output {
  /** A path, or `-` for standard output. */
  readonly path: string
  readonly type: PictureKind
}

/** What a picture file is written as, by its ending. */
export const KINDS: Readonly<Record<string, PictureKind>> = {
  '.png': 'png',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.webp': 'webp',
}

/**
 * What `-o` asks for, checked before any work begins.
 *
 * @throws UserFault `E_USAGE` for an ending that cannot be written, or `-o -` together with `--json`
 */
export function checkOutput(input: CommandInput): Output | undefined {
  const { out } = input.options
  if (typeof out !== 'string') return undefined
  if (out === '-') {
    if (input.global.json) {
      throw new UserFault('E_USAGE', 'Standard output cannot hold both a picture and a document.', {
        cure: 'Give -o a file, or leave --json away.',
      })
    }
    return { path: '-', type: 'png' }
  }
  const type = KINDS[extname(out).toLowerCase()]
  if (type === undefined) {
    throw new UserFault('E_USAGE', `A picture cannot be written as "${basename(out)}".`, {
      fields: { out },
      cure: 'Let the name end in .png, .jpg or .webp.',
    })
  }
  return { path: pathFrom(input, out), type }
}

/** Writes a kept picture, whole or not at all. @returns the path */
export async function writePicture(
  input: CommandInput,
  pupil: Pupil,
  hash: string,
  { path, type }: Output,
): Promise<string> {
  const bytes =
    type === 'png'
      ? (await pupil.pictures.file(hash)).bytes
      : await pupil.pictures.encode(hash, type)
  if (path === '-') {
    input.io.stdout.write(bytes)
    return '-'
  }
  await writeFile(path, bytes)
  return path
}

/** Writes a file that the user named; the error says what to do about that file. */
export async function writeFile(path: string, content: Uint8Array | string): Promise<void> {
  const there = await stat(path).catch(() => undefined)
  try {
    // Renaming over a device or a pipe would put a plain file in its place.
    if (there === undefined || there.isFile()) await writeAtomic(path, content)
    else await write(path, content)
  } catch (error) {
    const fault = error instanceof Unavailable
    const reason = fault ? error.fields.reason : (error as NodeJS.ErrnoException).code
    throw new Unavailable('E_OUTPUT', `Cannot write ${path} (${String(reason)}).`, {
      fields: { path, reason },
      cure:
        reason === 'ENOSPC'
          ? 'The disk is full: free some space and try again.'
          : 'Give a file in a folder that can be written.',
      cause: fault ? error.cause : error,
    })
  }
}

/** `dog.edited.png` beside you, or `dog.edited-2.png` when that is taken. */
export async function freeName(input: CommandInput, picture: string): Promise<string> {
  const stem = picture === '-' ? 'picture' : basename(picture, extname(picture))
  for (let n = 1; ; n++) {
    const path = join(folderOf(input), `${stem}.edited${n === 1 ? '' : `-${n}`}.png`)
    const taken = await access(path).then(
      () => true,
      () => false,
    )
    if (!taken) return path
  }
}
