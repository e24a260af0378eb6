import type { Action } from './turn.ts'
import { routedName } from './result-turn.ts'
import type { PythonDict, PythonValue } from './python-value.ts'

/** What a conversation remembers between turns for skills that build on others. */
export interface SkillState {
  /** Run lengths of the mask to change, `{size, counts}`. */
  readonly mask?: PythonDict | null
  /** Base64 of the last segmentation picture. */
  readonly segmentation?: string | null
  readonly referenceImage?: string | null
  readonly referenceMask?: string | null
}

export const BOX_THRESHOLD = 0.3
export const TEXT_THRESHOLD = 0.25

/**
 * The body that asks a tool worker: picture and thresholds (to every tool), then the model's own
 * parameters, then what the conversation keeps.
 *
 * @param image  base64 of a PNG, or null for skills without a picture
 * @source llava-plus §5.4, golden `tool_requests`
 */
export function toolRequest(
  { name, params }: Action,
  image: string | null,
  state: SkillState = {},
): { readonly worker: string; readonly body: PythonDict } {
  const body = new Map<string, PythonValue>([
    ['image', image],
    ['box_threshold', BOX_THRESHOLD],
    ['text_threshold', TEXT_THRESHOLD],
  ])
  for (const [key, value] of params) if (key !== 'image') body.set(key, value)
  if (name === 'inpainting') body.set('mask', state.mask ?? null)
  if (name === 'seem') {
    body.set('refimg', state.referenceImage ?? null)
    body.set('refmask', state.referenceMask ?? null)
  }
  if (name === 'openseed') body.set('mode', 'openseed')
  if (name === 'controlnet') {
    body.set('mode', 'controlnet')
    body.set('mask', state.segmentation ?? null)
  }
  return { worker: routedName(name), body }
}
