import { expected, orAbort } from '../../base/index.ts'
import type { Abortable } from '../../base/index.ts'
import { sdkFault } from './sdk-fault.ts'
import type { FaultPlace } from './sdk-fault.ts'

/** The part of an AI SDK embedding model that we rely on. */
export interface SdkEmbeddingModel {
  readonly maxEmbeddingsPerCall?: number | PromiseLike<number | undefined> | undefined
  doEmbed(options: object): PromiseLike<unknown>
}

/** A model that turns sentences into vectors. */
export interface Embedder {
  readonly id: string
  /** One vector for each sentence, in order, of any length. @throws Unavailable, UserFault `E_MODEL_KEY` */
  embed(sentences: readonly string[], options?: Abortable): Promise<readonly Float32Array[]>
}

/** An embedding model of the AI SDK, asked for as many sentences at once as it takes. */
export function embedderFromAiSdk(
  model: SdkEmbeddingModel,
  { id, place }: { readonly id: string; readonly place: FaultPlace },
): Embedder {
  return {
    id,
    embed: async (sentences, { signal } = {}) => {
      const most = Math.min(96, (await model.maxEmbeddingsPerCall) ?? 96)
      const found: Float32Array[] = []
      for (let i = 0; i < sentences.length; i += most) {
        signal?.throwIfAborted()
        const values = sentences.slice(i, i + most)
        try {
          const asked = Promise.resolve(model.doEmbed({ values, abortSignal: signal }))
          const { embeddings } = (await orAbort(asked, signal)) as {
            readonly embeddings: readonly (readonly number[])[]
          }
          if (embeddings.length !== values.length) {
            throw expected(`${values.length} vectors`, id, embeddings.length)
          }
          found.push(...embeddings.map((one) => Float32Array.from(one)))
        } catch (error) {
          throw signal?.aborted === true ? signal.reason : sdkFault(error, place)
        }
      }
      return found
    },
  }
}
