import { systemClock } from '../base/index.ts'
import type { Clock, Log } from '../base/index.ts'
import type { LanguageModel, ModelCapabilities } from './model.ts'
import type { PictureEncoder } from './picture.ts'
import { jpegFile } from './picture.ts'
import { ggufModel } from './providers/gguf.ts'
import type { GgufOptions } from './providers/gguf-runtime.ts'
import { fromAiSdk } from './providers/sdk-model.ts'
import type { SdkModel } from './providers/sdk-model.ts'
import { VENDORS } from './providers/vendors.ts'
import type { Vendor } from './providers/vendors.ts'
import { addressOf, howToGiveKey, keyOf, splitName, unknownProvider } from './vendor-reach.ts'
import type { VendorSources } from './vendor-reach.ts'

/** Where models come from; made once by the configuration, nothing here reads the environment. */
export interface ModelSources extends VendorSources {
  /** What is known of models by id, from a probe or the configuration; wins over our guess. */
  readonly capabilities?: Readonly<Record<string, ModelCapabilities>>
  readonly fetch?: typeof globalThis.fetch
  /** Default: JPEG of the `image` room, 90 of 100. */
  readonly encode?: PictureEncoder
  readonly gguf?: GgufOptions
  readonly clock?: Clock
  readonly log?: Log
}

/**
 * A model by its name `provider/rest`, split at the first slash; or an AI SDK model object.
 *
 * Names and keys are checked now; the provider's package is loaded at the first request.
 *
 * @throws UserFault `E_MODEL_NAME` for a name without a known provider, `E_MODEL_KEY` when a key is
 *   missing, `E_MODEL_ADDRESS` when a base URL is missing, `E_ARGUMENT` when it is none
 */
export function resolveModel(spec: string | SdkModel, sources: ModelSources = {}): LanguageModel {
  const encode = sources.encode ?? jpegFile
  const clock = sources.clock ?? systemClock
  if (typeof spec !== 'string') return fromAiSdk(spec, { encode, clock })
  const { provider, rest } = splitName(spec)
  if (provider === 'gguf') {
    const { gguf = {}, log } = sources
    const known = sources.capabilities?.[spec]
    const model = ggufModel(rest, { ...gguf, id: spec, clock, ...(log && { log }) })
    return known === undefined
      ? model
      : { ...model, capabilities: { ...model.capabilities, ...known } }
  }
  const vendor = VENDORS[provider]
  if (vendor === undefined) throw unknownProvider(spec, provider)
  return vendorModel(spec, vendor, { ...sources, provider, rest, encode, clock })
}

/** The address for OLLAMA_HOST as people write it: `host`, `host:port`, `:port` or a URL. */
export function ollamaBaseUrl(host: string): string {
  const text = host.trim().replace(/\/+$/, '')
  const url = new URL(
    /^https?:\/\//.test(text) ? text : `http://${text.replace(/^:/, '127.0.0.1:')}`,
  )
  // What a server listens on everywhere, a client reaches at home.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  const bare = !/:\d+(\/|$)/.test(text) && url.protocol === 'http:'
  if (bare && url.port === '') url.port = '11434'
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path.endsWith('/v1') ? path : `${path}/v1`}`
}

type Wanted = ModelSources & {
  readonly provider: string
  readonly rest: string
  readonly encode: PictureEncoder
  readonly clock: Clock
}

function vendorModel(id: string, vendor: Vendor, wanted: Wanted): LanguageModel {
  const key = keyOf(vendor, wanted.provider, wanted)
  const baseUrl = addressOf(vendor, wanted.provider, wanted)
  const capabilities = { ...vendor.capabilities, ...wanted.capabilities?.[id] }
  const load = async (): Promise<LanguageModel> => {
    const reach = { baseUrl, key, fetch: wanted.fetch }
    return fromAiSdk(await vendor.load(wanted.rest, reach), {
      ...{ id, capabilities, encode: wanted.encode, clock: wanted.clock },
      optionsKey: vendor.optionsKey,
      secrets: key === undefined ? [] : [key],
      place: {
        address: baseUrl,
        cure: vendor.cure,
        keyCure: howToGiveKey(vendor, wanted.provider),
      },
    })
  }
  return lazyModel(id, capabilities, load)
}

function lazyModel(
  id: string,
  capabilities: ModelCapabilities,
  load: () => Promise<LanguageModel>,
): LanguageModel {
  let loading: Promise<LanguageModel> | undefined
  const loaded = (): Promise<LanguageModel> => (loading ??= load())
  return {
    id,
    capabilities,
    generate: async (request, options) => (await loaded()).generate(request, options),
    async *stream(request, options) {
      yield* (await loaded()).stream(request, options)
    },
  }
}
