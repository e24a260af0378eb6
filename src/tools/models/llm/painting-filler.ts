import type { PictureEditor } from '../../../llm/index.ts'
import type { Filler, FillRequest } from '../../backends.ts'
import { asksForNothing } from '../../nothing-prompts.ts'
import { paintInWindow } from './paint-window.ts'
import type { Paint } from './paint-window.ts'

/** What a model is asked for where something is to go. */
const NOTHING = 'nothing: only what is behind and around it, continued without a trace'

/** What makes a filler of a model that paints. */
export interface PaintingFiller {
  /** Such as `openai/gpt-image-1`. */
  readonly id: string
  readonly cannot: readonly string[]
  /** Paints a square. */
  paint(
    ...given: [...Parameters<Paint>, request: FillRequest, options: { signal?: AbortSignal }]
  ): ReturnType<Paint>
}

/** A filler out of any model that paints a square: it sees the hole and as much around it again. */
export function paintingFiller({ id, cannot, paint }: PaintingFiller): Filler {
  return {
    name: `generator/${id}`,
    models: () => [{ name: id }],
    can: ['puts what a prompt names in the place of things, and removes things'],
    cannot,
    fills: 'both',
    fill: (image, mask, request, { signal } = {}) => {
      const prompt = asksForNothing(request.prompt) ? NOTHING : request.prompt
      const options = signal === undefined ? {} : { signal }
      return paintInWindow(image, mask, (square, hole) =>
        paint(square, hole, { ...request, prompt }, options),
      )
    },
  }
}

/** Fills holes with a model behind an image API. */
export function editorFiller(editor: PictureEditor): Filler {
  return paintingFiller({
    id: editor.id,
    cannot: ['work without its server; the square around the hole is sent there'],
    paint: async (image, mask, { prompt, steps, guidance, random }, options) => {
      const seed = Math.floor(random.next() * 2 ** 31)
      return (await editor.edit({ image, mask, prompt, steps, guidance, seed }, options)).image
    },
  })
}
