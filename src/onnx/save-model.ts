import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Abortable } from '../base/index.ts'
import { Unavailable, UserFault } from '../base/index.ts'
import { encodeMessage } from './encode.ts'
import type { Model } from './graph.ts'
import { fromModel } from './model-message.ts'
import type { FileRange, Tensor } from './tensor.ts'
import { tensorBytes } from './tensor.ts'
import { fromTensor, fromTensorOutside } from './tensor-message.ts'
import { writeModel } from './write-model.ts'

export interface SaveOptions extends Abortable {
  /**
   * Where weights go: into the model itself (`inside`), into `PATH_data` beside it (`beside`), or
   * beside it only when they are over a gigabyte (default; a model over two cannot be read by anybody).
   */
  readonly weights?: 'inside' | 'beside'
}

const insideUpTo = 2 ** 30
/** Weights below this stay in the model. */
const besideFrom = 1024
const stretch = 16 * 2 ** 20
/** Weights begin at multiples of this, so that they can be mapped. */
const alignment = 4096

/**
 * Writes a model to a file, and its weights beside it when they are large or it is asked for.
 *
 * Files are written under other names and renamed when they are whole; weights are copied in stretches,
 * so memory stays flat.
 *
 * @throws Unavailable `E_ONNX_WEIGHTS` when weights cannot be read or the files cannot be written
 * @throws UserFault `E_ONNX_TARGET` when the target is a folder, a device or a pipe: renaming would replace it
 */
export async function saveModel(
  model: Model,
  path: string,
  options: SaveOptions = {},
): Promise<void> {
  const { signal } = options
  const there = await stat(path).catch(() => undefined)
  if (there !== undefined && !there.isFile()) {
    throw new UserFault('E_ONNX_TARGET', `${path} is no plain file.`, {
      cure: 'Give the name of a file to write.',
    })
  }
  const large = model.graph.initializers.filter((tensor) => sizeInBytes(tensor) >= besideFrom)
  const total = large.reduce((sum, tensor) => sum + sizeInBytes(tensor), 0)
  const weights = options.weights ?? (total > insideUpTo ? 'beside' : 'inside')
  signal?.throwIfAborted()
  const mark = `.${randomUUID()}.part`
  const data = `${path}_data`
  try {
    if (weights === 'inside') {
      await writeFile(path + mark, writeModel(model), { signal })
    } else {
      const places = await writeWeights(data + mark, basename(data), large, signal)
      const message = fromModel(model, (tensor) => {
        const at = places.get(tensor)
        return at === undefined ? fromTensor(tensor) : fromTensorOutside(tensor, at)
      })
      await writeFile(path + mark, encodeMessage('Model', message), { signal })
      await rename(data + mark, data)
    }
    await rename(path + mark, path)
  } catch (error) {
    await Promise.all([rm(path + mark, { force: true }), rm(data + mark, { force: true })])
    signal?.throwIfAborted()
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    throw new Unavailable('E_ONNX_WEIGHTS', `The model cannot be written to ${dirname(path)}.`, {
      fields: { file: path },
      cause: error,
      cure: `Check the space and the permissions of ${join(dirname(path), '.')}.`,
    })
  }
}

function sizeInBytes({ storage }: Tensor): number {
  switch (storage.kind) {
    case 'bytes':
      return storage.bytes.length
    case 'file':
      return storage.at.length
    case 'texts':
      return 0
    default:
      return storage satisfies never
  }
}

async function writeWeights(
  file: string,
  name: string,
  tensors: readonly Tensor[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Tensor, FileRange>> {
  const places = new Map<Tensor, FileRange>()
  await using target = await open(file, 'w')
  let offset = 0
  for (const tensor of tensors) {
    offset = Math.ceil(offset / alignment) * alignment
    const length = sizeInBytes(tensor)
    await copy(tensor, target, offset, signal)
    places.set(tensor, { file: name, offset, length })
    offset += length
  }
  return places
}

async function copy(
  tensor: Tensor,
  target: FileHandle,
  offset: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { storage } = tensor
  if (storage.kind !== 'file') {
    signal?.throwIfAborted()
    await writeAll(target, tensorBytes(tensor), offset)
    return
  }
  const { at } = storage
  for (let done = 0; done < at.length; done += stretch) {
    signal?.throwIfAborted()
    const length = Math.min(stretch, at.length - done)
    const part = { ...storage, at: { ...at, offset: at.offset + done, length } }
    await writeAll(target, tensorBytes({ ...tensor, storage: part }), offset + done)
  }
}

async function writeAll(target: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const length = Math.min(bytes.length - done, 2 ** 30)
    const { bytesWritten } = await target.write(bytes, done, length, offset + done)
    done += bytesWritten
  }
}
