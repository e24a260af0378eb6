import { fstatSync, openSync, readSync } from 'node:fs'
import { UserFault } from '../base/index.ts'

/** Bytes to decode from: an array in memory, or a file of any size read in stretches. */
export interface Source {
  readonly length: number
  /** True when bytes come in stretches, so that large weights should be left where they are. */
  readonly paged: boolean
  /** The file's absolute path, when it is one. */
  readonly file?: string
  /** At least `length` bytes from `offset`, perhaps more behind them; a view of memory, or a fresh stretch of the file. */
  window(offset: number, length: number): Uint8Array
}

/** Bytes in memory; windows are views to the end. */
export function memorySource(given: Uint8Array, file?: string): Source {
  // A Buffer is taken as a plain array: its `slice` would not copy.
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  return {
    length: bytes.length,
    paged: false,
    ...(file === undefined ? {} : { file }),
    window: (offset) => bytes.subarray(offset),
  }
}

const stretch = 1 << 13

/**
 * A file, read in stretches of 8 kB or of what is asked for.
 *
 * @param file  an absolute path
 * @throws UserFault `E_ONNX_MISSING` when there is no such file
 */
export function fileSource(file: string): Source & { readonly descriptor: number } {
  const descriptor = open(file)
  const length = fstatSync(descriptor).size
  return {
    length,
    paged: true,
    file,
    descriptor,
    window: (offset, wanted) => {
      const size = Math.min(Math.max(wanted, stretch), length - offset)
      const bytes = new Uint8Array(size)
      let done = 0
      while (done < size) {
        const got = readSync(descriptor, bytes, done, Math.min(size - done, 1 << 30), offset + done)
        if (got === 0) break
        done += got
      }
      return bytes.subarray(0, done)
    },
  }
}

function open(file: string): number {
  try {
    return openSync(file, 'r')
  } catch (cause) {
    throw new UserFault('E_ONNX_MISSING', `There is no readable model at ${file}.`, {
      fields: { file },
      cause,
      cure: 'Check the path.',
    })
  }
}
