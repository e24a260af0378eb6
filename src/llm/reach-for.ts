import { systemClock } from '../base/index.ts'
import type { FaultPlace } from './providers/sdk-fault.ts'
import { VENDORS } from './providers/vendors.ts'
import type { Reach, Vendor } from './providers/vendors.ts'
import type { ModelSources } from './resolve.ts'
import { addressOf, howToGiveKey, keyOf, splitName, unknownProvider } from './vendor-reach.ts'

/** How to open a model of a kind that only some vendors have. */
export interface Reached<L> {
  readonly vendor: Vendor
  readonly load: L
  /** The name after `provider/`. */
  readonly rest: string
  readonly reach: Reach
  readonly place: FaultPlace
}

/**
 * Checks name, key and address of `provider/rest` before anything is loaded.
 *
 * @param loaderOf  the vendor's loader of the wanted kind
 * @param known  providers that errors name
 * @throws UserFault `E_MODEL_NAME`, `E_MODEL_KEY`, `E_MODEL_ADDRESS`, `E_ARGUMENT` as `resolveModel`
 */
export function reachFor<L>(
  spec: string,
  loaderOf: (vendor: Vendor) => L | undefined,
  sources: ModelSources,
  known: readonly string[],
): Reached<L> {
  const { provider, rest } = splitName(spec)
  const vendor = VENDORS[provider]
  const load = vendor && loaderOf(vendor)
  if (vendor === undefined || load === undefined) throw unknownProvider(spec, provider, known)
  const key = keyOf(vendor, provider, sources)
  const baseUrl = addressOf(vendor, provider, sources)
  const place = {
    ...{ model: spec, address: baseUrl, cure: vendor.cure },
    keyCure: howToGiveKey(vendor, provider),
    secrets: key === undefined ? [] : [key],
    clock: sources.clock ?? systemClock,
  }
  return { vendor, load, rest, reach: { baseUrl, key, fetch: sources.fetch }, place }
}
