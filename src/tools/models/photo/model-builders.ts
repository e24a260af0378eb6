import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Bug, sha256 } from '../../../base/index.ts'
import {
  convertTfjs,
  readTfjsWeights,
  tfjsConverterVersion,
  writeModel,
} from '../../../onnx/index.ts'
import { buildFaceNet } from './face-net.ts'
import { photoFile } from './files.ts'

/** Models that are built once from other files and kept in the cache. */
export type BuiltModel = 'centernet' | 'blazeface' | 'face-net'

/** The backbone's last features, before the activation: [1, 16, 16, 480]. */
export const CENTERNET_FEATURES = 'tower_0/extern1/BatchNorm/FusedBatchNorm'

/** Raised when `buildFaceNet` gives another graph for the same weights. */
const FACE_NET_VERSION = 1

/** What a model is built from: its bytes decide the name under which the result is kept. */
export interface Sources {
  readonly json: Uint8Array
  readonly shards: readonly Uint8Array[]
  /** SHA-256 of the sources and of what builds the model from them. */
  readonly key: string
}

/** Reads the sources of a model; some milliseconds. */
export async function readSources(name: BuiltModel): Promise<Sources> {
  const path = photoFile(name)
  const json = await readFile(path)
  const shards = await Promise.all(
    shardNames(json).map((shard) => readFile(join(dirname(path), shard))),
  )
  const version = name === 'face-net' ? FACE_NET_VERSION : tfjsConverterVersion
  const hashes = [json, ...shards].map(sha256)
  return { json, shards, key: sha256(`${name} ${version} ${hashes.join(' ')}`) }
}

interface Manifest {
  readonly paths: readonly string[]
  readonly weights: readonly { readonly name: string }[]
}

function manifests(json: Uint8Array): readonly Manifest[] {
  const parsed: unknown = JSON.parse(Buffer.from(json).toString('utf8'))
  const list = Array.isArray(parsed)
    ? parsed
    : (parsed as { weightsManifest: unknown }).weightsManifest
  return list as readonly Manifest[]
}

function shardNames(json: Uint8Array): readonly string[] {
  return manifests(json).flatMap((group) => group.paths)
}

/** The ONNX bytes of a model; 20 to 700 ms. */
export function buildModel(name: BuiltModel, sources: Sources): Uint8Array {
  if (name === 'face-net') return writeModel(faceNet(sources))
  const alsoOutputs = name === 'centernet' ? [CENTERNET_FEATURES] : []
  return writeModel(convertTfjs(sources, { name, alsoOutputs }))
}

function faceNet({ json, shards }: Sources): ReturnType<typeof buildFaceNet> {
  const listed = manifests(json).flatMap((group) => group.weights)
  const weights = readTfjsWeights('face-net', listed as never, shards)
  return buildFaceNet((name) => {
    const found = weights.get(name)
    if (found === undefined || !(found.values instanceof Float32Array)) {
      throw new Bug('E_FACE_NET', `The weights of the face net have no "${name}".`)
    }
    return { dims: found.dims, data: found.values }
  })
}
