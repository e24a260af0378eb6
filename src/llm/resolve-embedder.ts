import { systemClock } from '../base/index.ts'
import { embedderFromAiSdk } from './providers/sdk-embedder.ts'
import type { Embedder } from './providers/sdk-embedder.ts'
import { VENDORS } from './providers/vendors.ts'
import type { ModelSources } from './resolve.ts'
import { addressOf, howToGiveKey, keyOf, splitName, unknownProvider } from './vendor-reach.ts'

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
  const { provider, rest } = splitName(spec)
  const vendor = VENDORS[provider]
  const load = vendor?.loadEmbedder
  if (vendor === undefined || load === undefined) {
    throw unknownProvider(spec, provider, EMBEDDING_PROVIDERS)
  }
  const key = keyOf(vendor, provider, sources)
  const baseUrl = addressOf(vendor, provider, sources)
  const place = {
    ...{ model: spec, address: baseUrl, cure: vendor.cure },
    keyCure: howToGiveKey(vendor, provider),
    secrets: key === undefined ? [] : [key],
    clock: sources.clock ?? systemClock,
  }
  const open = async (): Promise<Embedder> =>
    embedderFromAiSdk(await load(rest, { baseUrl, key, fetch: sources.fetch }), { id: spec, place })
  let opening: Promise<Embedder> | undefined
  return {
    id: spec,
    embed: async (sentences, options) => (await (opening ??= open())).embed(sentences, options),
  }
}
