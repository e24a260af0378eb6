import {
  dominantColour,
  maskArea,
  pixelBox,
  subtractMask,
  maskFromBox,
} from '../../../../image/index.ts'
import type { Box, ColourFacts, Image, MaskRle } from '../../../../image/index.ts'
import type { Answer, Finding } from '../../../backends.ts'
import { likelihood } from '../calibration.ts'
import { colourFit, NEUTRAL, SECOND_SHARE, vividColour } from '../colour-fit.ts'
import { findThings, upperBody } from '../things.ts'
import type { Ask } from './question.ts'
import { answered, notKnown, unsure, WOULD_ANSWER } from './scene.ts'
import type { Scene } from './scene.ts'

/** A mask that fills this share of its box is believed; otherwise the middle of the box is measured. */
const BELIEVED_FILL = 0.15

/** "What colour is …?" */
export async function answerColour(
  scene: Scene,
  ask: Extract<Ask, { kind: 'colour' }>,
): Promise<Answer> {
  const { image } = scene
  if (ask.part === 'background') return background(scene)
  if (ask.thing === undefined) return told(dominantColour(image), 'of the whole picture', 1)
  const found = await findThings(scene.sight, image, ask.thing, scene.options)
  if (!found.known) return notKnown(found)
  const first = found.things[0]
  // "It" in a crop means what fills the crop, whether the detector has a word for it or not.
  if (first === undefined && ask.thing.noun === '') {
    return told(dominantColour(image, wholeBox(image)), 'of the middle of the picture', 0.6)
  }
  if (first === undefined) return unsure(`No ${ask.thing.text} was found.`, found.notices)
  if (first.name === 'traffic light') return lampUnknown
  const facts = await colourOf(scene, first, ask.part === 'clothes')
  const answer = told(
    facts,
    `of ${first.name} (${first.score.toFixed(2)})`,
    likelihood(first.score),
  )
  return { ...answer, notices: found.notices } as Answer
}

/** "Is … red?", "Is … red or blue?" */
export async function answerIsColour(
  scene: Scene,
  ask: Extract<Ask, { kind: 'is-colour' }>,
): Promise<Answer> {
  const found = await findThings(scene.sight, scene.image, ask.thing, scene.options)
  if (!found.known) return notKnown(found)
  const thing = found.things[0]
  if (thing === undefined && ask.thing.noun !== '') {
    return unsure(`No ${ask.thing.text} was found.`, found.notices)
  }
  if (thing?.name === 'traffic light') return lampUnknown
  const facts =
    thing === undefined
      ? dominantColour(scene.image, wholeBox(scene.image))
      : await colourOf(scene, thing, false)
  const share = (colour: string): number =>
    facts.shares.find((part) => part.colour === colour)?.share ?? 0
  const how = `measured ${list(facts)}`
  const [first = '', second] = ask.colours
  if (second !== undefined) {
    const best = share(first) >= share(second) ? first : second
    const margin = Math.abs(share(first) - share(second))
    return answered(best, 0.5 + margin / 2, how, found.notices)
  }
  const yes = colourFit(facts, first) !== null
  const sure = yes ? Math.max(share(first), facts.lead) : 1 - share(first)
  return answered(yes ? 'yes' : 'no', sure, how, found.notices)
}

/** The box of a traffic light is mostly its dark case. */
const lampUnknown: Answer = {
  outcome: 'unavailable',
  reason: 'Which lamp of a traffic light is lit cannot be measured reliably.',
  would: WOULD_ANSWER,
}

async function colourOf(scene: Scene, thing: Finding, clothes: boolean): Promise<ColourFacts> {
  const { image, segmenter, options } = scene
  const box = pixelBox(thing.box, image) ?? wholeBox(image)
  if (clothes && thing.name === 'person') return dominantColour(image, upperBody(box))
  const mask = await segmenter.cut?.(image, { box }, { ...options, quick: true })
  return dominantColour(image, mask !== undefined && isBelieved(mask, box) ? mask : box)
}

function isBelieved(mask: MaskRle, [x1, y1, x2, y2]: Box): boolean {
  return maskArea(mask) >= BELIEVED_FILL * (x2 - x1) * (y2 - y1)
}

async function background({ image, sight, options }: Scene): Promise<Answer> {
  const found = await sight.eyes.objects(image, options)
  const boxes = found.filter((one) => one.score > 0.3).map((one) => pixelBox(one.box, image))
  const whole = maskFromBox(wholeBox(image), image.height, image.width)
  const rest = boxes.reduce<MaskRle>(
    (mask, box) =>
      box === undefined ? mask : subtractMask(mask, maskFromBox(box, image.height, image.width)),
    whole,
  )
  if (maskArea(rest) < 0.05 * image.width * image.height) {
    return unsure('Hardly any background is to be seen around what was found.')
  }
  return told(dominantColour(image, rest), 'around what was found', 0.8)
}

function wholeBox({ width, height }: Image): Box {
  return [0, 0, width, height]
}

/** One colour, or two when the second is nearly as common. */
function told(facts: ColourFacts, of: string, certainty: number): Answer {
  const vivid = vividColour(facts)
  if (vivid !== undefined) {
    return answered(vivid, certainty * 0.6, `${list(facts)} ${of}; the most vivid is told`)
  }
  const second = facts.shares.find(
    (part) => part.colour !== facts.colour && part.share >= SECOND_SHARE,
  )
  // A brown horse with a black mane is brown; a cat may be black and white.
  const alike = second !== undefined && NEUTRAL.has(second.colour) === NEUTRAL.has(facts.colour)
  const answer = alike ? `${facts.colour} and ${second.colour}` : facts.colour
  return answered(answer, certainty * (0.5 + facts.lead / 2), `${list(facts)} ${of}`)
}

function list({ shares }: ColourFacts): string {
  return shares
    .slice(0, 3)
    .map(({ colour, share }) => `${colour} ${Math.round(share * 100)} %`)
    .join(', ')
}
