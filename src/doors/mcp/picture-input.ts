import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { pictureAt } from '../../app/index.ts'
import type { PictureBytes } from '../../app/index.ts'
import { UserFault } from '../../base/index.ts'
import type { ToolCall } from './tool-entry.ts'

/** The schema of a picture argument. Shallow on purpose: clients cope with a text best. */
export function pictureSchema(files: boolean, what = 'the picture'): z.ZodType<string> {
  const forms = ['pupil://blob/… of a picture kept here', 'data:image/png;base64,…']
  if (files) forms.unshift('the path of a file on this machine')
  return z
    .string()
    .min(1)
    .describe(`${what}: ${forms.join(', or ')}`)
}

/**
 * The bytes of a picture argument.
 *
 * @param name  the argument's
 * @throws UserFault `E_PICTURE_ADDRESS`, `E_PICTURE_FILE`, `E_PICTURE_TOO_LARGE`, `E_BASE64`, `E_NO_PICTURE`
 */
export async function readPicture(
  text: string,
  name: string,
  { pupil, files }: Pick<ToolCall, 'pupil' | 'files'>,
): Promise<PictureBytes> {
  const path = files ? pathIn(text) : undefined
  if (path === undefined) return pictureAt(text, name, pupil)
  const { bytes: limit } = pupil.config.limits
  try {
    const { size } = await stat(path)
    if (size <= limit) return { bytes: await readFile(path), name: path }
    throw new UserFault('E_PICTURE_TOO_LARGE', `${path} has ${size} bytes; at most ${limit}.`, {
      fields: { path, bytes: size, limit },
      cure: 'Save it smaller, or raise limits.bytes.',
    })
  } catch (cause) {
    if (cause instanceof UserFault) throw cause
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
    throw new UserFault('E_PICTURE_FILE', `The picture ${path} cannot be read (${reason}).`, {
      fields: { path, reason },
      cure: 'Give the full path of a picture file.',
      cause,
    })
  }
}

/** A path or a `file:` address; undefined for any other address. */
function pathIn(text: string): string | undefined {
  if (text.startsWith('file:') && URL.canParse(text)) return fileURLToPath(text)
  return /^(?:[a-z][a-z0-9+.-]+:)/i.test(text) || text.startsWith('/v1/blobs/') ? undefined : text
}
