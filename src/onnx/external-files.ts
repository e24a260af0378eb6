import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import { UserFault } from '../base/index.ts'
import type { Message } from './message.ts'
import type { FileRange } from './tensor.ts'

/** Finds the files that weights are said to lie in. */
export interface ExternalFiles {
  /** The stretch that the entries of a tensor name, with an absolute path. */
  resolve(tensor: string, entries: readonly Message[]): FileRange
}

/**
 * Files beside a model.
 *
 * A location must be relative and stay in the folder, links followed. In a Hugging Face cache
 * (`snapshots/REVISION` full of links into `blobs`) the links may lead into that `blobs`.
 *
 * @param folder  the model's folder; undefined when the model came as bytes without one
 * @throws UserFault `E_ONNX_OUTSIDE` for a location that leaves the folder, `E_ONNX_MISSING` for a file
 *   that is not there, `E_ONNX_TENSOR` for a range outside its file
 */
export function externalFiles(folder: string | undefined): ExternalFiles {
  const found = new Map<string, { readonly file: string; readonly size: number }>()
  return {
    resolve: (tensor, entries) => {
      const given = new Map(
        entries.map(({ fields }) => [String(fields.key ?? ''), String(fields.value ?? '')]),
      )
      const location = given.get('location') ?? ''
      if (folder === undefined) throw needsFolder(tensor, location)
      const known = found.get(location) ?? locate(folder, location, tensor)
      found.set(location, known)
      const offset = whole(given.get('offset') ?? '0', 'offset', tensor)
      const length = whole(given.get('length') ?? String(known.size - offset), 'length', tensor)
      if (offset + length > known.size) {
        throw new UserFault(
          'E_ONNX_TENSOR',
          `The tensor "${tensor}" lies at ${offset}+${length} of ${location}, which has ${known.size} bytes.`,
          {
            fields: { tensor, location, offset, length, size: known.size },
            cure: 'Get the weight file again: it is cut short, or belongs to another model.',
          },
        )
      }
      return Object.freeze({ file: known.file, offset, length })
    },
  }
}

function locate(
  folder: string,
  location: string,
  tensor: string,
): { readonly file: string; readonly size: number } {
  const parts = location.split(/[\\/]/)
  if (location === '' || isAbsolute(location) || parts.includes('..') || location.includes('\0')) {
    throw outside(tensor, location)
  }
  const file = realpath(join(folder, location), tensor, location)
  const inside = (root: string): boolean => file.startsWith(root.endsWith(sep) ? root : root + sep)
  if (!rootsOf(folder).some(inside)) throw outside(tensor, location)
  const stat = statSync(file)
  if (!stat.isFile()) throw missing(tensor, location, undefined)
  return { file, size: stat.size }
}

/** The folder itself, and the blobs of a Hugging Face cache whose snapshot it is. */
function rootsOf(folder: string): string[] {
  const root = realpathSync(folder)
  const parts = root.split(sep)
  const snapshots = parts.lastIndexOf('snapshots')
  if (snapshots < 1) return [root]
  return [root, [...parts.slice(0, snapshots), 'blobs'].join(sep)]
}

function realpath(path: string, tensor: string, location: string): string {
  try {
    return realpathSync(path)
  } catch (cause) {
    throw missing(tensor, location, cause)
  }
}

function whole(text: string, what: string, tensor: string): number {
  const value = Number(text)
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(value)) {
    throw new UserFault('E_ONNX_TENSOR', `The tensor "${tensor}" has the ${what} "${text}".`, {
      fields: { tensor, [what]: text },
      cure: 'Export the model again.',
    })
  }
  return value
}

function missing(tensor: string, location: string, cause: unknown): UserFault {
  return new UserFault(
    'E_ONNX_MISSING',
    `The weights "${tensor}" lie in ${location}, which is not beside the model.`,
    {
      fields: { tensor, location },
      cause,
      cure: `Put ${basename(location)} into the model's folder.`,
    },
  )
}

function outside(tensor: string, location: string): UserFault {
  return new UserFault(
    'E_ONNX_OUTSIDE',
    `The weights "${tensor}" are said to lie in ${JSON.stringify(location)}, outside the model's folder.`,
    { fields: { tensor, location }, cure: 'Do not trust this file.' },
  )
}

function needsFolder(tensor: string, location: string): UserFault {
  return new UserFault(
    'E_ONNX_MISSING',
    `The weights "${tensor}" lie in ${location}, but the model came without a folder.`,
    { fields: { tensor, location }, cure: 'Open the model by its path, or name its folder.' },
  )
}

/** The deepest folder that holds all of the files; undefined when they share none. */
export function commonFolder(files: readonly string[]): string | undefined {
  const [first, ...others] = files.map((file) => dirname(file).split(sep))
  if (first === undefined) return undefined
  let shared = first.length
  for (const other of others) {
    let same = 0
    while (same < shared && other[same] === first[same]) same++
    shared = same
  }
  return shared === 0 ? undefined : first.slice(0, shared).join(sep) || sep
}
