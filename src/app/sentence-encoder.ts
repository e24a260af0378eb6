import { resolveEmbedder } from '../llm/index.ts'
import { unit } from '../memory/index.ts'
import type { SentenceEncoder } from '../memory/index.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import { modelSources } from './model-sources.ts'

/**
 * What demonstrations are retrieved by when a language model plans: features of `models.embedder` where one
 * is named, else undefined, which is the lexical ranking (clova §2).
 *
 * @throws UserFault `E_MODEL_NAME`, `E_MODEL_KEY`, `E_MODEL_ADDRESS`
 */
export function sentenceEncoder(config: Config, env: Environment): SentenceEncoder | undefined {
  const name = config.models.embedder
  if (name === undefined) return undefined
  const embedder = resolveEmbedder(name, modelSources(config, env))
  return {
    name,
    version: '1',
    encode: async (sentences, options) =>
      (await embedder.embed(sentences, options)).map((vector) => unit(vector)),
  }
}
