import type { ModelCapabilities } from '../model.ts'
import type { SdkImageModel } from './sdk-editor.ts'
import type { SdkEmbeddingModel } from './sdk-embedder.ts'
import type { SdkModel } from './sdk-model.ts'

/** What it takes to reach a vendor. */
export interface Reach {
  /** Without a slash at the end; undefined: the vendor's own. */
  readonly baseUrl: string | undefined
  readonly key: string | undefined
  readonly fetch: typeof globalThis.fetch | undefined
}

export interface Vendor {
  /** Variables that may hold the key, the usual one first; none: works without. */
  readonly keyNames: readonly string[]
  readonly keyNeeded: boolean
  readonly baseUrl?: string
  /** The way out when nothing answers. */
  readonly cure: string
  readonly capabilities: ModelCapabilities
  /** Under which name the provider reads its own options. */
  readonly optionsKey: string
  load(model: string, reach: Reach): Promise<SdkModel>
  /** Absent from vendors without models that turn sentences into vectors. */
  readonly loadEmbedder?: (model: string, reach: Reach) => Promise<SdkEmbeddingModel>
  /** Absent from vendors whose models paint no masked part of a picture. */
  readonly loadEditor?: (model: string, reach: Reach) => Promise<SdkImageModel>
  /** Under which name its image models read seed, steps and guidance; absent where they take none. */
  readonly editorOptions?: string
}

const HOSTED = 'Check the network, or use a model that runs at home.'

async function compatible(name: string, reach: Reach) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name,
    baseURL: reach.baseUrl ?? '',
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(reach.key === undefined ? {} : { apiKey: reach.key }),
    ...(reach.fetch === undefined ? {} : { fetch: reach.fetch }),
  })
}

/** A server at home that speaks OpenAI's protocol; the key, if any, is of the user's own making. */
function atHome(name: string, options: Partial<Vendor> & Pick<Vendor, 'cure'>): Vendor {
  return {
    keyNames: [],
    keyNeeded: false,
    capabilities: {},
    optionsKey: name,
    load: async (model, reach) => (await compatible(name, reach)).chatModel(model),
    loadEmbedder: async (model, reach) => (await compatible(name, reach)).embeddingModel(model),
    ...options,
  }
}

/** The providers of language models, by the name before the first slash. Each is loaded when used. */
export const VENDORS: Readonly<Record<string, Vendor>> = {
  ollama: atHome('ollama', {
    baseUrl: 'http://127.0.0.1:11434/v1',
    cure: 'Start it with "ollama serve", or set OLLAMA_HOST.',
    capabilities: { json: true },
  }),
  lmstudio: atHome('lmstudio', {
    baseUrl: 'http://127.0.0.1:1234/v1',
    cure: 'Start the server in LM Studio ("lms server start").',
    capabilities: { json: true },
  }),
  llamacpp: atHome('llamacpp', {
    baseUrl: 'http://127.0.0.1:8080/v1',
    cure: 'Start it with "llama-server -m MODEL.gguf".',
    capabilities: { json: true, grammar: true },
  }),
  'openai-compatible': atHome('openai-compatible', {
    // The provider reads its options under the camel-case form of its name.
    optionsKey: 'openaiCompatible',
    cure: 'Check that the server runs and that its base URL is right.',
    loadEditor: async (model, reach) =>
      (await compatible('openai-compatible', reach)).imageModel(model),
    editorOptions: 'openaiCompatible',
  }),
  openai: {
    keyNames: ['OPENAI_API_KEY'],
    keyNeeded: true,
    cure: HOSTED,
    capabilities: { json: true },
    optionsKey: 'openai',
    async load(model, reach) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const provider = createOpenAI(settings(reach))
      // Other servers at OPENAI_BASE_URL rarely speak the newer protocol (responses).
      return reach.baseUrl === undefined ? provider(model) : provider.chat(model)
    },
    async loadEditor(model, reach) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(settings(reach)).image(model)
    },
    async loadEmbedder(model, reach) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(settings(reach)).embeddingModel(model)
    },
  },
  anthropic: {
    keyNames: ['ANTHROPIC_API_KEY'],
    keyNeeded: true,
    cure: HOSTED,
    capabilities: { json: true },
    optionsKey: 'anthropic',
    async load(model, reach) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(settings(reach))(model)
    },
  },
  google: {
    keyNames: ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    keyNeeded: true,
    cure: HOSTED,
    capabilities: { json: true },
    optionsKey: 'google',
    async load(model, reach) {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI(settings(reach))(model)
    },
  },
}

function settings({ baseUrl, key, fetch }: Reach): {
  apiKey?: string
  baseURL?: string
  fetch?: typeof globalThis.fetch
} {
  return {
    ...(key === undefined ? {} : { apiKey: key }),
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...(fetch === undefined ? {} : { fetch }),
  }
}
