import { expected, nearestNames, UserFault } from '../base/index.ts'
import type { Vendor } from './providers/vendors.ts'
import { VENDORS } from './providers/vendors.ts'

/** Keys and addresses by provider; nothing here reads the environment. */
export interface VendorSources {
  /** Variables that may hold keys, usually the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Keys by provider; they win over variables. */
  readonly keys?: Readonly<Record<string, string | undefined>>
  /** Addresses by provider, ending in `/v1` where the protocol is OpenAI's. */
  readonly baseUrls?: Readonly<Record<string, string | undefined>>
}

/** Names of the providers of language models. */
export const PROVIDERS: readonly string[] = [...Object.keys(VENDORS), 'gguf']

/** `provider/rest`, split at the first slash. @throws UserFault `E_MODEL_NAME` without one */
export function splitName(name: string): { provider: string; rest: string } {
  const slash = name.indexOf('/')
  if (slash < 1 || slash === name.length - 1) {
    throw new UserFault('E_MODEL_NAME', `Expected provider/model for a model but got "${name}".`, {
      fields: { name, providers: PROVIDERS },
      cure: 'Write it like ollama/qwen2.5vl:7b or openai/gpt-4.1-mini.',
    })
  }
  return { provider: name.slice(0, slash), rest: name.slice(slash + 1) }
}

/** The error of a provider that is none of `known`. */
export function unknownProvider(
  name: string,
  provider: string,
  known: readonly string[] = PROVIDERS,
): UserFault {
  const near = nearestNames(provider, known)
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}? ` : ''
  return new UserFault('E_MODEL_NAME', `"${provider}" of "${name}" is no provider of models.`, {
    fields: { name, provider, near },
    cure: `${hint}Providers: ${known.join(', ')}.`,
  })
}

/** The key of a vendor, if it has one. @throws UserFault `E_MODEL_KEY` where one is needed and missing */
export function keyOf(
  vendor: Vendor,
  provider: string,
  { keys, env = {} }: VendorSources,
): string | undefined {
  const given = [keys?.[provider], ...vendor.keyNames.map((name) => env[name])]
  const key = given.find((one) => one !== undefined && one !== '')
  if (key !== undefined || !vendor.keyNeeded) return key
  throw new UserFault('E_MODEL_KEY', `${provider} needs a key, and none is given.`, {
    fields: { provider, variables: vendor.keyNames },
    cure: howToGiveKey(vendor, provider),
  })
}

/** How to give a vendor's key, one sentence. */
export function howToGiveKey(vendor: Vendor, provider: string): string {
  const variable = vendor.keyNames[0]
  const configured = `name a variable in pupil.config.ts (apiKeyEnv of ${provider})`
  return variable === undefined
    ? `${configured.replace('name', 'Name')}.`
    : `Set ${variable}, or ${configured}.`
}

/**
 * The address of a vendor's server; undefined: its own.
 *
 * @throws UserFault `E_MODEL_ADDRESS` when it is missing, `E_ARGUMENT` when it is none
 */
export function addressOf(
  vendor: Vendor,
  provider: string,
  { baseUrls }: VendorSources,
): string | undefined {
  const address = baseUrls?.[provider] ?? vendor.baseUrl
  if (address === undefined) {
    if (vendor.keyNeeded) return undefined
    throw new UserFault('E_MODEL_ADDRESS', `${provider} needs the address of a server.`, {
      fields: { provider },
      cure: `Give its baseURL in pupil.config.ts, such as http://127.0.0.1:8000/v1.`,
    })
  }
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw expected('an http or https address', `the base URL of ${provider}`, address)
  }
  return address.replace(/\/+$/, '')
}
