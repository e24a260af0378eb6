import { canonicalJson, sha256 } from '../../base/index.ts'
import type { Model } from '../graph.ts'
import type { Tensor } from '../tensor.ts'
import { tensorBytes } from '../tensor.ts'
import { writeLean } from '../write-model.ts'
import type { Injection } from './inject.ts'

/** How much of each weight is looked at: all of it would take a second for a model of some hundred MB. */
const sample = 256

function beginning(tensor: Tensor): Uint8Array {
  const { storage } = tensor
  if (storage.kind === 'texts') return new Uint8Array()
  if (storage.kind === 'bytes') return storage.bytes.subarray(0, sample)
  const at = { ...storage.at, length: Math.min(sample, storage.at.length) }
  return tensorBytes({ ...tensor, storage: { kind: 'file', at } })
}

/**
 * What a prompt is valid for: a hash of the graph, of the beginning of each weight, and of the injection.
 */
export function promptKey(model: Model, injection: Injection): string {
  const weights = model.graph.initializers.map(
    (tensor) => `${tensor.name} ${tensor.dims.join()} ${sha256(beginning(tensor))}`,
  )
  const parts = [sha256(writeLean(model).bytes), ...weights, canonicalJson(injection as never)]
  return sha256(parts.join('\n'))
}
