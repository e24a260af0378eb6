import { createHash } from 'node:crypto'
import type { Box, Image, Size } from '../../../image/index.ts'
import { resizeImage } from '../../../image/index.ts'
import { numpyRound2 } from './python-round.ts'
import { pythonFloat } from './python-write.ts'
import { WIRE } from './strings.ts'

/** Size of a picture for the model: shortest side at most 400, longest at most 800 (llava-plus §3.3). */
export function modelSize({ width, height }: Size): Size {
  const [longest, shortest] = [Math.max(width, height), Math.min(width, height)]
  const aspect = longest / shortest
  const short = Math.trunc(Math.min(800 / aspect, 400, shortest))
  const long = Math.trunc(short * aspect)
  return height > width ? { width: short, height: long } : { width: long, height: short }
}

/** Size of a picture for tools: longest side at most 800. */
export function toolSize({ width, height }: Size): Size {
  const [longest, shortest] = [Math.max(width, height), Math.min(width, height)]
  const aspect = longest / shortest
  const long = Math.min(longest, 800)
  const short = Math.trunc(long / aspect)
  if (longest <= 800) return { width, height }
  return height > width ? { width: short, height: long } : { width: long, height: short }
}

/** The picture as the model sees it. */
export function forModel(image: Image): Promise<Image> {
  return resizeImage(image, modelSize(image))
}

/** The picture as tools see it. */
export function forTools(image: Image): Promise<Image> {
  return resizeImage(image, toolSize(image))
}

/** The name under which the reference files a picture: MD5 of the raw RGB bytes of its model size. */
export async function imageName(image: Image): Promise<string> {
  const { data } = await forModel(image)
  return createHash('md5').update(data).digest('hex')
}

/**
 * The line that a drawn region becomes: its box, normalised, numpy's two decimals.
 *
 * @param box  half-open pixels of a picture of the size
 */
export function inputBoxLine([x1, y1, x2, y2]: Box, { width, height }: Size): string {
  const numbers = [x1 / width, y1 / height, x2 / width, y2 / height]
  return `${WIRE.inputBox}[${numbers.map((one) => pythonFloat(numpyRound2(one))).join(', ')}]`
}
