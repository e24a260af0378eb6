import { ollamaBaseUrl } from '../llm/index.ts'
import type { ModelSources } from '../llm/index.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'

/** Keys and addresses: those of the configuration, then the variables that people have already. */
export function modelSources(
  { providers }: Pick<Config, 'providers'>,
  env: Environment,
): ModelSources {
  const named = Object.entries(providers)
  const keys = named.flatMap(([name, { apiKeyEnv }]) =>
    apiKeyEnv === undefined ? [] : [[name, env[apiKeyEnv]] as const],
  )
  const addresses = named.flatMap(([name, { baseURL }]) =>
    baseURL === undefined ? [] : [[name, baseURL] as const],
  )
  const { OLLAMA_HOST = '', OPENAI_BASE_URL = '' } = env
  return {
    env,
    keys: Object.fromEntries(keys),
    baseUrls: {
      ...(OLLAMA_HOST === '' ? {} : { ollama: ollamaBaseUrl(OLLAMA_HOST) }),
      ...(OPENAI_BASE_URL === '' ? {} : { openai: OPENAI_BASE_URL }),
      ...Object.fromEntries(addresses),
    },
  }
}
