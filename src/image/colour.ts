import { clipBox } from './box.ts'
import { eachRun } from './rle.ts'
import type { Box, Image, MaskRle } from './types.ts'

/** The eleven basic colour words of English (Berlin and Kay). */
export type ColourWord =
  | 'red'
  | 'orange'
  | 'yellow'
  | 'green'
  | 'blue'
  | 'purple'
  | 'pink'
  | 'brown'
  | 'black'
  | 'white'
  | 'grey'

export const COLOUR_WORDS: readonly ColourWord[] = Object.freeze([
  ...(['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'brown'] as const),
  ...(['black', 'white', 'grey'] as const),
])

/** What colours a region has. */
export interface ColourFacts {
  /** What a person would call it. */
  readonly colour: ColourWord
  /** 0..1: how far `colour` leads; 1 when there is no other. */
  readonly lead: number
  /** Share of the region's pixels for each word, largest first, 0 left out; they add up to 1. */
  readonly shares: readonly { readonly colour: ColourWord; readonly share: number }[]
  /** Mean of the pixels called `colour`. */
  readonly mean: readonly [r: number, g: number, b: number]
}

/** Glass, shadow and shine make much of any coloured thing grey, black or white: colours count more. */
const COLOURED_WEIGHT = 1.8
const MOST_SAMPLES = 20_000

/**
 * The colour of a region: its most frequent colour word, coloured pixels counting more than neutral
 * ones.
 *
 * @param region  a mask; a box, whose middle counts more than its corners (they show the background);
 *   or nothing for the whole picture
 */
export function dominantColour(image: Image, region?: MaskRle | Box): ColourFacts {
  const tally = new Map<ColourWord, Tally>()
  const shaded: Tally = { weight: 0, r: 0, g: 0, b: 0 }
  let total = 0
  eachSample(image, region, (i, weight) => {
    const r = image.data[i] as number
    const g = image.data[i + 1] as number
    const b = image.data[i + 2] as number
    const word = colourWord(r, g, b)
    const sum = tally.get(word) ?? { weight: 0, r: 0, g: 0, b: 0 }
    addTo(sum, weight, r, g, b)
    tally.set(word, sum)
    if (word === 'brown' && isShadedOrange(r, g, b)) addTo(shaded, weight, r, g, b)
    total += weight
  })
  moveShade(tally, shaded)
  const ranked = [...tally]
    .map(([colour, sum]) => ({ colour, sum, score: sum.weight * importance(colour) }))
    .sort((a, b) => b.score - a.score)
  const best = ranked[0]
  if (best === undefined) return { colour: 'grey', lead: 0, shares: [], mean: [128, 128, 128] }
  const { weight, r, g, b } = best.sum
  const second = ranked[1]?.score ?? 0
  return Object.freeze({
    colour: best.colour,
    lead: (best.score - second) / best.score,
    shares: ranked
      .map(({ colour, sum }) => ({ colour, share: sum.weight / total }))
      .sort((one, other) => other.share - one.share),
    mean: [Math.round(r / weight), Math.round(g / weight), Math.round(b / weight)] as const,
  })
}

interface Tally {
  weight: number
  r: number
  g: number
  b: number
}

function addTo(sum: Tally, weight: number, r: number, g: number, b: number): void {
  sum.weight += weight
  sum.r += weight * r
  sum.g += weight * g
  sum.b += weight * b
}

/** Orange in the shade is brown by itself: only what lies around it tells. */
function isShadedOrange(r: number, g: number, b: number): boolean {
  return r > 110 && (r - Math.min(g, b)) / r > 0.6
}

/** Counts shaded orange as orange where enough of the region is plainly orange. */
function moveShade(tally: Map<ColourWord, Tally>, shaded: Tally): void {
  const [orange, brown] = [tally.get('orange'), tally.get('brown')]
  if (orange === undefined || brown === undefined || orange.weight < 0.3 * shaded.weight) return
  for (const part of ['weight', 'r', 'g', 'b'] as const) {
    orange[part] += shaded[part]
    brown[part] -= shaded[part]
  }
  if (brown.weight < 1e-9) tally.delete('brown')
}

function importance(colour: ColourWord): number {
  return colour === 'black' || colour === 'white' || colour === 'grey' ? 1 : COLOURED_WEIGHT
}

/** Visits an even selection of the region's pixels: the index of the red byte, and a weight. */
function eachSample(
  image: Image,
  region: MaskRle | Box | undefined,
  visit: (index: number, weight: number) => void,
): void {
  if (region !== undefined && 'counts' in region) {
    const stride = stepFor(region.counts.reduce((sum, n, i) => sum + (i % 2 === 1 ? n : 0), 0))
    let count = 0
    eachRun(region, (x, y1, y2) => {
      for (let y = y1; y < y2; y++) {
        if (count++ % stride === 0) visit((y * image.width + x) * 3, 1)
      }
    })
    return
  }
  const whole: Box = [0, 0, image.width, image.height]
  const [x1, y1, x2, y2] = clipBox(region ?? whole, image) ?? whole
  const step = Math.max(1, Math.floor(Math.sqrt(stepFor((x2 - x1) * (y2 - y1)))))
  for (let y = y1; y < y2; y += step) {
    for (let x = x1; x < x2; x += step) {
      const u = (2 * (x + 0.5 - x1)) / (x2 - x1) - 1
      const v = (2 * (y + 0.5 - y1)) / (y2 - y1) - 1
      visit((y * image.width + x) * 3, region === undefined ? 1 : Math.exp(-2 * (u * u + v * v)))
    }
  }
}

const stepFor = (pixels: number): number => Math.max(1, Math.floor(pixels / MOST_SAMPLES))

/**
 * The basic word for one colour, sRGB 0..255.
 *
 * Hue in HSV (its blue and purple part better than Lab's), lightness and chroma in CIE Lab (D65).
 */
export function colourWord(r: number, g: number, b: number): ColourWord {
  const { lightness, chroma } = toLightnessChroma(r, g, b)
  const highest = Math.max(r, g, b)
  const spread = highest - Math.min(r, g, b)
  const saturation = highest === 0 ? 0 : spread / highest
  if (isNeutral(lightness, chroma, saturation)) {
    return lightness < 27 ? 'black' : lightness < 79 ? 'grey' : 'white'
  }
  return hueWord(hueOf(r, g, b), lightness, chroma, saturation)
}

/** Dark colours have little chroma, and light ones are tinted by the light. */
function isNeutral(lightness: number, chroma: number, saturation: number): boolean {
  if (lightness < 10) return true
  if (lightness < 27) return chroma < 14 || saturation < 0.4
  return chroma < (lightness > 85 ? 10 : 11)
}

/** Upper ends of the hue sectors in degrees, and who judges them. */
const SECTORS: readonly (readonly [
  end: number,
  word: (lightness: number, chroma: number, saturation: number) => ColourWord,
])[] = [
  [13, redOrKin],
  [41, orangeOrKin],
  [69, yellowOrKin],
  [168, () => 'green'],
  [256, () => 'blue'],
  [297, () => 'purple'],
  [338, (lightness) => (lightness < 42 ? 'purple' : 'pink')],
  [361, redOrKin],
]

function hueWord(hue: number, lightness: number, chroma: number, saturation: number): ColourWord {
  const sector = SECTORS.find(([end]) => hue < end)
  return sector === undefined ? 'red' : sector[1](lightness, chroma, saturation)
}

function redOrKin(lightness: number, chroma: number, saturation: number): ColourWord {
  if (lightness >= 62 && saturation < 0.62) return 'pink'
  if (lightness < 45 && (saturation < 0.5 || chroma < 22)) return 'brown'
  return saturation < 0.3 ? 'brown' : 'red'
}

function orangeOrKin(lightness: number, chroma: number): ColourWord {
  if (lightness < 57) return 'brown'
  if (chroma < 42 && lightness < 84) return 'brown'
  return chroma < 18 ? 'white' : 'orange'
}

function yellowOrKin(lightness: number, chroma: number): ColourWord {
  if (lightness < 56) return chroma < 25 ? 'brown' : 'green'
  if (chroma < 32 && lightness < 80) return 'brown'
  return chroma < 16 ? 'white' : 'yellow'
}

/** HSV hue, 0..360. */
function hueOf(r: number, g: number, b: number): number {
  const highest = Math.max(r, g, b)
  const spread = highest - Math.min(r, g, b)
  if (spread === 0) return 0
  const sixth =
    highest === r ? (g - b) / spread : highest === g ? 2 + (b - r) / spread : 4 + (r - g) / spread
  return (sixth * 60 + 360) % 360
}

/** Linear light of each sRGB byte. */
const LINEAR = Float64Array.from({ length: 256 }, (_, i) => {
  const v = i / 255
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
})

function toLightnessChroma(
  r: number,
  g: number,
  b: number,
): { readonly lightness: number; readonly chroma: number } {
  const [lr, lg, lb] = [LINEAR[r] ?? 0, LINEAR[g] ?? 0, LINEAR[b] ?? 0]
  const fx = labCurve((0.4124564 * lr + 0.3575761 * lg + 0.1804375 * lb) / 0.95047)
  const fy = labCurve(0.2126729 * lr + 0.7151522 * lg + 0.072175 * lb)
  const fz = labCurve((0.0193339 * lr + 0.119192 * lg + 0.9503041 * lb) / 1.08883)
  return { lightness: 116 * fy - 16, chroma: Math.hypot(500 * (fx - fy), 200 * (fy - fz)) }
}

function labCurve(t: number): number {
  return t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 / 116) * t + 16 / 116
}
