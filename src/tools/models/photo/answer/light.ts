import { luma } from '../../../../image/index.ts'
import type { Image } from '../../../../image/index.ts'
import type { Answer } from '../../../backends.ts'
import type { Ask } from './question.ts'
import { answered } from './scene.ts'

/** Mean brightness that parts dark pictures from bright ones, 0..255. */
const DARK_BELOW = 85
/** Difference of channels below which a pixel counts as grey, and the share that makes a grey picture. */
const GREY_WITHIN = 12
const GREY_SHARE = 0.995

/** "Is it day or night?", "Is it dark?": by brightness alone, which is told. */
export function answerLight(image: Image, ask: Extract<Ask, { kind: 'light' }>): Answer {
  const brightness = meanLuma(image)
  const dark = brightness < DARK_BELOW
  const certainty = Math.min(0.95, 0.5 + Math.abs(brightness - DARK_BELOW) / 150)
  const how = `mean brightness ${Math.round(brightness)} of 255`
  const notices = [
    {
      code: 'N_BY_BRIGHTNESS',
      message: 'Judged by the brightness of the picture alone, not by what it shows.',
    },
  ]
  const fits = (word: string): boolean => (word === 'night' || word === 'dark') === dark
  const [first = 'dark', second] = ask.words
  const isClock = first === 'day' || first === 'night'
  const score = isClock ? certainty * 0.8 : certainty
  if (second !== undefined) return answered(fits(first) ? first : second, score, how, notices)
  return answered(fits(first) ? 'yes' : 'no', score, how, notices)
}

/** "Is it black and white?" */
export function answerMonochrome(image: Image, ask: Extract<Ask, { kind: 'monochrome' }>): Answer {
  const share = greyShare(image)
  const monochrome = share >= GREY_SHARE
  const yes = monochrome === (ask.yesMeans === 'monochrome')
  const score = Math.min(0.99, 0.6 + Math.abs(share - GREY_SHARE) * (monochrome ? 80 : 2))
  return answered(yes ? 'yes' : 'no', score, `${Math.round(share * 1000) / 10} % of it is grey`)
}

function meanLuma({ data }: Image): number {
  let sum = 0
  for (let i = 0; i < data.length; i += 3) {
    sum += luma(data[i] as number, data[i + 1] as number, data[i + 2] as number)
  }
  return sum / (data.length / 3)
}

function greyShare({ data }: Image): number {
  let grey = 0
  for (let i = 0; i < data.length; i += 3) {
    const [r, g, b] = [data[i] as number, data[i + 1] as number, data[i + 2] as number]
    if (Math.max(r, g, b) - Math.min(r, g, b) <= GREY_WITHIN) grey++
  }
  return grey / (data.length / 3)
}
