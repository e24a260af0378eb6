import { nearestNames, UserFault } from '../base/index.ts'
import { pasteRgba, renderSvg } from '../image/index.ts'
import type { Box } from '../image/index.ts'
import { textArg } from './args.ts'
import { EMOJI_ALIASES } from './emoji-aliases.ts'
import { EMOJI_NAMES } from './emoji-names.ts'
import { selected } from './selected.ts'
import { signatureOf } from './signature-of.ts'
import { emojiArt } from './sources/emoji-art.ts'
import type { Tool } from './tool.ts'

/** The side of the emoji is the height of the box divided by this. */
const HEIGHT_TO_SIDE = 1.5

/** EMOJI: a drawing over the middle of every object (program-language §8). */
export function emoji(): Tool {
  const art = emojiArt()
  return {
    signature: signatureOf('EMOJI'),
    run: async (args, context) => {
      const name = emojiName(textArg(args, 'emoji'))
      const { image, objects, notices } = selected(args, context, { masks: false })
      if (objects.length === 0) return { value: image, notices }
      const places = objects.map((one) => emojiBox(one.box))
      const largest = Math.max(...places.map(([x1, , x2]) => x2 - x1))
      const drawing = await renderSvg(await art(name), largest, { signal: context.signal })
      let value = image
      for (const place of places) {
        value = await pasteRgba(value, drawing, place, { signal: context.signal })
      }
      return { value, notices }
    },
  }
}

/**
 * The canonical name of an emoji, from any letter case, with blanks or `_`, or an alias such as `:)`.
 *
 * @throws UserFault `C_VALUE` with the nearest names
 */
export function emojiName(written: string): string {
  const plain = written.trim().toLowerCase()
  const name = Object.hasOwn(EMOJI_ALIASES, plain) ? plain : plain.replace(/[\s-]+/g, '_')
  const found = Object.hasOwn(EMOJI_ALIASES, name) ? EMOJI_ALIASES[name] : name
  if (found !== undefined && EMOJI_NAMES.includes(found)) return found
  const near = nearestNames(name, EMOJI_NAMES)
  const some = ['smiling_face', 'winking_face', 'red_heart', 'sunglasses', 'dog_face']
  throw new UserFault('C_VALUE', `There is no emoji "${written}".`, {
    fields: { emoji: written, near, names: EMOJI_NAMES },
    cure: `${near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Names are like ${some.join(', ')}.`}`,
  })
}

/** A square over the middle of a box, at least 1 pixel. */
export function emojiBox([x1, y1, x2, y2]: Box): Box {
  const side = Math.max(1, Math.round((y2 - y1) / HEIGHT_TO_SIDE))
  const left = Math.round((x1 + x2 - side) / 2)
  const top = Math.round((y1 + y2 - side) / 2)
  return [left, top, left + side, top + side]
}
