import type { Box } from '../../image/index.ts'
import type { FoundBox } from '../../tools/index.ts'
import { contentWords } from './similar.ts'

type Way = 'left' | 'right' | 'above' | 'below' | 'beside'

const WAYS: readonly (readonly [said: RegExp, way: Way])[] = [
  [/\bleft of\b/iu, 'left'],
  [/\bright of\b/iu, 'right'],
  [/\b(?:above|over|higher (?:up )?than|on top of)\b/iu, 'above'],
  [/\b(?:below|under|underneath|beneath|lower (?:down )?than)\b/iu, 'below'],
  [/\b(?:next to|beside)\b/iu, 'beside'],
]

export interface Placed {
  readonly box: FoundBox
  readonly why: string
}

/**
 * The object that a question tells by its place, "Which thing is left of the tent?": seen from the object with
 * the anchor's name, or, when none has it, the outermost on that side.
 *
 * @returns undefined when the question tells no place, or nothing that is left stands there
 */
export function selectByPlace(
  question: string,
  boxes: readonly FoundBox[],
  left: readonly FoundBox[],
): Placed | undefined {
  const found = WAYS.map(([said, way]) => ({ at: said.exec(question), way })).find(
    ({ at }) => at !== null,
  )
  if (found === undefined || found.at === null) return undefined
  const { at, way } = found
  const name = contentWords(question.slice(at.index + at[0].length))
  const anchor = boxes
    .filter(({ label }) => name.join(' ') === contentWords(label).join(' '))
    .toSorted((a, b) => b.score - a.score)[0]
  const far = (one: FoundBox): number => distance(one.box, anchor?.box, way)
  const others = left.filter((one) => one !== anchor && far(one) > 0)
  const best = others.toSorted((a, b) => far(b) - far(a))[0]
  if (best === undefined) {
    // Nothing stands there, as far as was found: at least not what it is seen from.
    const rest = left.filter((one) => one !== anchor)
    const most = rest.toSorted((a, b) => far(b) - far(a))[0]
    return most === undefined || anchor === undefined
      ? undefined
      : { box: most, why: `${most.label}, nothing stands ${way} as seen from ${anchor.label}` }
  }
  const seen =
    anchor === undefined ? `outermost to the ${way}` : `stands ${way} as seen from ${anchor.label}`
  return { box: best, why: `${best.label}, ${seen}` }
}

/** How far a box stands to a side: of another box, or of the picture's corner. */
function distance(box: Box, from: Box | undefined, way: Way): number {
  const [x, y] = middle(box)
  const [ax, ay] = from === undefined ? [0, 0] : middle(from)
  if (way === 'beside') return from === undefined ? 0 : 1e6 - Math.hypot(x - ax, y - ay)
  const [along, across] = way === 'left' || way === 'right' ? [x - ax, y - ay] : [y - ay, x - ax]
  const signed = way === 'left' || way === 'above' ? -along : along
  // Without an anchor only the order counts; with one, what stands more to the side than up or down.
  return from === undefined ? signed + 1e6 : signed - 0.25 * Math.abs(across)
}

const middle = ([x1, y1, x2, y2]: Box): readonly [number, number] => [(x1 + x2) / 2, (y1 + y2) / 2]
