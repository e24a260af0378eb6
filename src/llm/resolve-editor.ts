import { systemClock } from '../base/index.ts'
import type { PictureEditor } from './picture-editor.ts'
import { editorFromAiSdk } from './providers/sdk-editor.ts'
import { VENDORS } from './providers/vendors.ts'
import type { ModelSources } from './resolve.ts'
import { addressOf, howToGiveKey, keyOf, splitName, unknownProvider } from './vendor-reach.ts'

/** Names of the providers whose models paint into a masked part of a picture. */
export const EDITING_PROVIDERS: readonly string[] = Object.keys(VENDORS).filter(
  (name) => VENDORS[name]?.loadEditor !== undefined,
)

/**
 * A model that paints into pictures, by its name `provider/rest`.
 *
 * Names and keys are checked now; the provider's package is loaded at the first request.
 *
 * @param known  providers that errors name; default those of this function
 * @throws UserFault as `resolveModel`
 */
export function resolveEditor(
  spec: string,
  sources: ModelSources = {},
  known: readonly string[] = EDITING_PROVIDERS,
): PictureEditor {
  const { provider, rest } = splitName(spec)
  const vendor = VENDORS[provider]
  const load = vendor?.loadEditor
  if (vendor === undefined || load === undefined) throw unknownProvider(spec, provider, known)
  const key = keyOf(vendor, provider, sources)
  const baseUrl = addressOf(vendor, provider, sources)
  const place = {
    ...{ model: spec, address: baseUrl, cure: vendor.cure },
    keyCure: howToGiveKey(vendor, provider),
    secrets: key === undefined ? [] : [key],
    clock: sources.clock ?? systemClock,
  }
  const open = async (): Promise<PictureEditor> =>
    editorFromAiSdk(await load(rest, { baseUrl, key, fetch: sources.fetch }), {
      ...{ id: spec, place },
      optionsKey: vendor.editorOptions,
    })
  let opening: Promise<PictureEditor> | undefined
  return {
    id: spec,
    edit: async (request, options) => (await (opening ??= open())).edit(request, options),
  }
}
