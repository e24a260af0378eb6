import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { ElementType } from '../element-types.ts'
import type { Model } from '../graph.ts'
import { readModel } from '../read-model.ts'
import type { RunTensor, RunTensors } from '../session.ts'

/** A small exported model of the tests, with what PyTorch recorded for it. */
export interface Fixture {
  readonly model: Model
  readonly inputs: RunTensors
  /** A recorded tensor; `gradients.conv_in.weight` goes into objects. */
  tensor(path: string): RunTensor
  number(name: string): number
}

const folder = join(import.meta.dirname, '../../../test/fixtures/onnx')

interface Stored {
  readonly type: string
  readonly dims: readonly number[]
  readonly data: string
}

function toTensor({ type, dims, data }: Stored): RunTensor {
  const bytes = new Uint8Array(Buffer.from(data, 'base64'))
  const { buffer } = bytes
  const held =
    type === 'int64'
      ? new BigInt64Array(buffer)
      : type === 'bool'
        ? bytes
        : new Float32Array(buffer)
  return { type: type as ElementType, dims, data: held }
}

/** Reads a model of `test/fixtures/onnx`; large ones are packed. */
export function fixtureModel(name: string): Model {
  const path = join(folder, `${name}.onnx`)
  return existsSync(path) ? readModel(path) : readModel(gunzipSync(readFileSync(`${path}.gz`)))
}

/** What PyTorch recorded, by name. */
export type Golden = Pick<Fixture, 'tensor' | 'number'> & { readonly inputs: RunTensors }

/** Reads golden values that `train/fixtures/export.py` wrote; no inputs where it names none so. */
export function readGolden(name: string): Golden {
  const golden = JSON.parse(readFileSync(join(folder, `${name}.golden.json`), 'utf8')) as Record<
    string,
    unknown
  >
  const at = (path: string): unknown => {
    if (path in golden) return golden[path]
    const [head = '', ...rest] = path.split('.')
    return (golden[head] as Record<string, unknown>)[rest.join('.')]
  }
  const inputs = (golden['inputs'] ?? {}) as Record<string, Stored>
  return {
    inputs: Object.fromEntries(Object.entries(inputs).map(([key, v]) => [key, toTensor(v)])),
    tensor: (path) => toTensor(at(path) as Stored),
    number: (key) => Number(at(key)),
  }
}

/** A model with its golden values. */
export function readFixture(name: string): Fixture {
  return { model: fixtureModel(name), ...readGolden(name) }
}
