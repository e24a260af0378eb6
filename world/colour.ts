import type { ColourWord } from './types.ts'

/** Hue in 0..1535 (256 a sextant), saturation and value in 0..255; integer arithmetic only. */
export function toHsv(r: number, g: number, b: number): readonly [number, number, number] {
  const max = Math.max(r, g, b)
  const min = Math.min(r, g, b)
  const span = max - min
  if (span === 0) return [0, 0, max]
  const part = (difference: number): number => Math.trunc((difference * 256) / span)
  const hue = max === r ? part(g - b) : max === g ? 512 + part(b - r) : 1024 + part(r - g)
  return [hue < 0 ? hue + 1536 : hue, Math.trunc((span * 255) / max), max]
}

/** The inverse of `toHsv`, to within rounding. */
export function fromHsv(h: number, s: number, v: number): readonly [number, number, number] {
  const sextant = h >> 8
  const f = h & 255
  const p = Math.trunc((v * (255 - s)) / 255)
  const q = Math.trunc((v * (65280 - s * f)) / 65280)
  const t = Math.trunc((v * (65280 - s * (256 - f))) / 65280)
  switch (sextant) {
    case 0:
      return [v, t, p]
    case 1:
      return [q, v, p]
    case 2:
      return [p, v, t]
    case 3:
      return [p, q, v]
    case 4:
      return [t, p, v]
    default:
      return [v, p, q]
  }
}

/** One cell of the colour table; hues in degrees, wrapping where `from` is above `to`; gaps are meant. */
interface Cell {
  readonly word: ColourWord
  readonly hue?: readonly [from: number, to: number]
  readonly saturation: readonly [number, number]
  readonly value: readonly [number, number]
}

/** Pale yellows, skin, olive and teal lie in gaps, so that no one is asked about them. */
export const COLOUR_CELLS: readonly Cell[] = [
  { word: 'black', saturation: [0, 255], value: [0, 44] },
  { word: 'black', saturation: [0, 80], value: [45, 66] },
  { word: 'white', saturation: [0, 22], value: [226, 255] },
  { word: 'grey', saturation: [0, 44], value: [84, 208] },
  { word: 'red', hue: [346, 10], saturation: [140, 255], value: [120, 255] },
  { word: 'brown', hue: [8, 38], saturation: [80, 235], value: [60, 158] },
  { word: 'orange', hue: [20, 38], saturation: [160, 255], value: [196, 255] },
  { word: 'yellow', hue: [44, 64], saturation: [120, 255], value: [180, 255] },
  { word: 'green', hue: [80, 162], saturation: [70, 255], value: [70, 255] },
  { word: 'blue', hue: [192, 246], saturation: [80, 255], value: [80, 255] },
  { word: 'purple', hue: [260, 296], saturation: [60, 255], value: [70, 255] },
  { word: 'pink', hue: [308, 346], saturation: [60, 235], value: [180, 255] },
]

/** The colour word whose cell holds the pixel, or null in a gap. */
export function colourOfPixel(r: number, g: number, b: number): ColourWord | null {
  const [h, s, v] = toHsv(r, g, b)
  const degrees = Math.trunc((h * 360) / 1536)
  const cell = COLOUR_CELLS.find(
    ({ hue, saturation, value }) =>
      s >= saturation[0] &&
      s <= saturation[1] &&
      v >= value[0] &&
      v <= value[1] &&
      (hue === undefined || inHue(degrees, hue)),
  )
  return cell?.word ?? null
}

/**
 * What can be said about a colour from counts of pixels by word: `yes` from 70 %, `no` below 10 %.
 *
 * @source picture-world §4
 */
export function colourFact(share: number, whole: number): 'yes' | 'no' | 'unclear' {
  if (share * 10 >= whole * 7) return 'yes'
  return share * 10 < whole ? 'no' : 'unclear'
}

function inHue(degrees: number, [from, to]: readonly [number, number]): boolean {
  return from <= to ? degrees >= from && degrees <= to : degrees >= from || degrees <= to
}
