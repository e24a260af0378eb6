import type { ColourFacts } from '../../../image/index.ts'

/** A colour with at least this share is one of the thing's colours. */
export const SECOND_SHARE = 0.3
/** A vivid colour with this share counts more than any single dull one. */
const VIVID_SHARE = 0.12

export const NEUTRAL: ReadonlySet<string> = new Set(['black', 'white', 'grey'])
const DULL: ReadonlySet<string> = new Set([...NEUTRAL, 'brown'])

/**
 * What people call a thing that is partly of a vivid colour and otherwise of many dull ones: a
 * motorcycle with a red tank is red, whatever its wheels and engine are.
 */
export function vividColour({ colour, lead, shares }: ColourFacts): string | undefined {
  if (!DULL.has(colour) || lead > 0.5) return undefined
  const [first, second] = shares.filter((part) => !DULL.has(part.colour))
  if (first === undefined || first.share < VIVID_SHARE) return undefined
  return second === undefined || first.share >= 2 * second.share ? first.colour : undefined
}

/** How well a colour word fits measured colours, 0..1; null when the thing has it not. */
export function colourFit(facts: ColourFacts, colour: string): number | null {
  const share = facts.shares.find((part) => part.colour === colour)?.share ?? 0
  if (facts.colour === colour) return Math.max(0.5, share)
  if (vividColour(facts) === colour) return 0.4 + share / 2
  return share >= SECOND_SHARE ? share : null
}
