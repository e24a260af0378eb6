import { closeSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UserFault } from '../base/index.ts'
import { decodeMessage } from './decode.ts'
import { externalFiles } from './external-files.ts'
import type { Model } from './graph.ts'
import { toModel } from './model-message.ts'
import type { Source } from './source.ts'
import { fileSource, memorySource } from './source.ts'

export interface ReadOptions {
  /** Where external weights lie; default the folder of `file`. */
  readonly folder?: string
  /** The file whose whole content the bytes are: sessions then take weights from there. */
  readonly file?: string
}

/**
 * A model from its bytes (weights are views of them), or from a file of any size, whose weights above
 * 1 kB stay where they are.
 *
 * @throws UserFault `E_ONNX_DAMAGED` with byte offset, node and tensor; `E_ONNX_REFUSED` for a version
 *   outside IR 3 to 13; `E_ONNX_TENSOR`, `E_ONNX_OUTSIDE`, `E_ONNX_MISSING` for weights
 */
export function readModel(source: Uint8Array | string, options: ReadOptions = {}): Model {
  return typeof source === 'string' ? readFile(source, options) : readBytes(source, options)
}

function readBytes(bytes: Uint8Array, { folder, file }: ReadOptions): Model {
  const place = file === undefined ? undefined : realpathSync(file)
  const external = externalFiles(
    folder ?? (file === undefined ? undefined : dirname(resolve(file))),
  )
  const message = decodeMessage('Model', memorySource(bytes, place))
  return toModel(message, {
    external,
    ...(place === undefined ? {} : { file: place, whole: bytes }),
  })
}

function readFile(path: string, { folder }: ReadOptions): Model {
  const file = realpath(path)
  const source = fileSource(file)
  try {
    const external = externalFiles(folder ?? dirname(resolve(path)))
    return toModel(decodeMessage('Model', source satisfies Source), { external, file })
  } finally {
    closeSync(source.descriptor)
  }
}

function realpath(path: string): string {
  try {
    return realpathSync(path)
  } catch (cause) {
    throw new UserFault('E_ONNX_MISSING', `There is no model at ${path}.`, {
      fields: { file: path },
      cause,
      cure: 'Check the path.',
    })
  }
}
