import { embedderFromAiSdk } from './providers/sdk-embedder.ts'
import type { Embedder } from './providers/sdk-embedder.ts'
import { VENDORS } from './providers/vendors.ts'
import { reachFor } from './reach-for.ts'
import type { ModelSources } from './resolve.ts'

/** Names of the providers that have embedding models. */
export const EMBEDDING_PROVIDERS: readonly string[] = Object.keys(VENDORS).filter(
  (name) => VENDORS[name]?.loadEmbedder !== undefined,
)

/**
 * A model that turns sentences into vectors, by its name `provider/rest`.
 *
 * Names and keys are checked now; the provider's package is loaded at the first request.
 *
 * @throws UserFault as `resolveModel`
 */
export function resolveEmbedder(spec: string, sources: ModelSources = {}): Embedder {
  const { load, rest, reach, place } = reachFor(
    spec,
    ({ loadEmbedder }) => loadEmbedder,
    sources,
    EMBEDDING_PROVIDERS,
  )
  const open = async (): Promise<Embedder> =>
    embedderFromAiSdk(await load(rest, reach), { id: spec, place })
  let opening: Promise<Embedder> | undefined
  return {
    id: spec,
    embed: async (sentences, options) => (await (opening ??= open())).embed(sentences, options),
  }
}
