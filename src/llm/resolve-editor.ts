import type { PictureEditor } from './picture-editor.ts'
import { editorFromAiSdk } from './providers/sdk-editor.ts'
import { VENDORS } from './providers/vendors.ts'
import { reachFor } from './reach-for.ts'
import type { ModelSources } from './resolve.ts'

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
  const { vendor, load, rest, reach, place } = reachFor(
    spec,
    ({ loadEditor }) => loadEditor,
    sources,
    known,
  )
  const open = async (): Promise<PictureEditor> =>
    editorFromAiSdk(await load(rest, reach), { id: spec, place, optionsKey: vendor.editorOptions })
  let opening: Promise<PictureEditor> | undefined
  return {
    id: spec,
    edit: async (request, options) => (await (opening ??= open())).edit(request, options),
  }
}
