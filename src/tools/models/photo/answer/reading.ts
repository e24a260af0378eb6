import { iou, pixelBox } from '../../../../image/index.ts'
import type { Answer, TextLine } from '../../../backends.ts'
import { joinLines } from '../../../text-lines.ts'
import { findThings } from '../things.ts'
import type { Ask } from './question.ts'
import { answered, unsure } from './scene.ts'
import type { Scene } from './scene.ts'

/** Beside text that is read this surely, what is read less surely is mostly noise. */
const SURE = 0.8

/** "What does the sign say?", "What number is on the bus?" */
export async function answerReading(
  scene: Scene,
  ask: Extract<Ask, { kind: 'read' }>,
): Promise<Answer> {
  const { image, sight, options } = scene
  const lines = await sight.eyes.lines(image, options)
  const { within, where } = await linesOf(scene, ask, lines)
  const read = ask.only === 'numbers' ? within.flatMap(digitsOf) : within
  const sure = read.filter((line) => line.score >= SURE)
  const wanted = sure.length > 0 ? sure : read
  if (wanted.length === 0) {
    return unsure(
      lines.length === 0
        ? 'No text was found in the picture.'
        : `No ${ask.only === 'numbers' ? 'number' : 'text'} was found ${where}.`,
    )
  }
  const score = wanted.reduce((product, line) => product * line.score, 1) ** (1 / wanted.length)
  const text = joinLines(wanted, ' ')
  return answered(text, score, `read ${wanted.length} pieces of text ${where}`)
}

/**
 * The lines on the thing that was asked about. Signs are found by their text, so all text counts; a
 * thing that is not known or not found leaves all text too, and that is told.
 */
async function linesOf(
  scene: Scene,
  ask: Extract<Ask, { kind: 'read' }>,
  lines: readonly TextLine[],
): Promise<{ readonly within: readonly TextLine[]; readonly where: string }> {
  const whole = { within: lines, where: 'in the picture' }
  if (ask.thing === undefined) return whole
  const found = await findThings(scene.sight, scene.image, ask.thing, scene.options)
  if (!found.known || found.things.length === 0) return whole
  const boxes = found.things
    .map((one) => pixelBox(one.box, scene.image))
    .filter((box) => box !== undefined)
  const within = lines.filter((line) => {
    const x = (line.box[0] + line.box[2]) / 2
    const y = (line.box[1] + line.box[3]) / 2
    return boxes.some(
      (box) => (x >= box[0] && x < box[2] && y >= box[1] && y < box[3]) || iou(box, line.box) > 0.5,
    )
  })
  return within.length === 0 ? whole : { within, where: `on ${ask.thing.text}` }
}

function digitsOf(line: TextLine): readonly TextLine[] {
  const digits = line.text.match(/\d[\d .,:-]*\d|\d/g) ?? []
  return digits.map((text) => ({ ...line, text: text.trim() }))
}
