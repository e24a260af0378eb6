import { iou } from '../image/index.ts'
import type { Box, Image, ObjectRecord } from '../image/index.ts'
import type { Feedback } from '../memory/index.ts'
import { isImage, isList, isObject } from '../program/index.ts'
import type { CallStep, Value } from '../program/index.ts'
import type { Blame } from '../reflection/index.ts'
import { conceptOf } from '../reflection/index.ts'
import { normaliseName } from '../tools/index.ts'
import type { Draft, ExampleDraft } from './draft.ts'

/** Boxes with less overlap are other places. */
const OTHER_PLACE = 0.3

/**
 * The examples in what a person said of a step or region (verdict `by: user`: nobody is asked).
 *
 * A bad photograph is set right and never learnt from.
 */
export function draftFromFeedback(feedback: Feedback, steps: readonly CallStep[]): Draft {
  const { target, expected, reason } = feedback
  if (reason === 'bad-photo') return { nothing: 'A bad photograph is not learnt from.' }
  if (target.kind !== 'step' && target.kind !== 'region') {
    return { nothing: 'The correction names no step or region.' }
  }
  const step = steps.find(({ index }) => index === target.index)
  const image = step && pictureOf(step)
  if (step === undefined || image === undefined) {
    return { nothing: `Step ${target.index + 1} looks at no picture.` }
  }
  const place: Place = { step, image }
  if (target.kind === 'region') return draftOfRegion(place, target.box, feedback)
  if (expected.boxes !== undefined) return draftOfBoxes(place, expected.boxes, feedback)
  if (expected.answer !== undefined) return draftOfAnswer(place, expected.answer)
  const found = objectsOf(step.result)
  if (found.length === 0) return { nothing: `Step ${step.index + 1} found nothing to be named.` }
  return draftOfNames(
    place,
    found.map(({ box }) => box),
    feedback,
  )
}

/** The examples in a blame that a replay confirmed: what was wrongly found or missed, or the answer. */
export function draftFromBlame(blame: Blame, steps: readonly CallStep[]): Draft {
  const step = steps.find(({ index }) => index === blame.step)
  const image = step && pictureOf(step)
  const { expected } = blame
  if (step === undefined || image === undefined || expected === undefined) {
    return { nothing: 'It is not known what the step should have given.' }
  }
  if (typeof expected === 'string') return draftOfAnswer({ step, image }, expected)
  const concept = conceptOf(step)
  if (concept === null || !isList(expected)) return { nothing: 'The step has no concept to learn.' }
  const wanted = objectsOf(expected)
  const had = objectsOf(step.result)
  const gone = had.filter((one) => wanted.every(({ id }) => id !== one.id))
  const fresh = wanted.filter((one) => had.every(({ id }) => id !== one.id))
  if (fresh.some(({ box }) => isWhole(box, image)) || wanted.length + had.length === 0) {
    return {
      nothing: `What step ${step.index + 1} missed was not shown: give its place with --step and --box.`,
    }
  }
  const examples = [
    ...fresh.map(({ box }) => thing(image, concept, box, true)),
    ...gone.map(({ box }) => thing(image, concept, box, false)),
  ]
  return { tool: step.tool, concept, examples }
}

interface Place {
  readonly step: CallStep
  readonly image: Image
}

function draftOfRegion(place: Place, box: Box, { expected }: Feedback): Draft {
  const { step, image } = place
  const old = conceptOf(step)
  if (expected.rejected === true || expected.label === undefined) {
    if (old === null) return { nothing: `Step ${step.index + 1} has no concept to unlearn.` }
    return { tool: step.tool, concept: old, examples: [thing(image, old, box, false)] }
  }
  return namedDraft(place, [box], expected.label)
}

function draftOfNames(place: Place, boxes: readonly Box[], { expected }: Feedback): Draft {
  const { step, image } = place
  if (expected.label !== undefined) return namedDraft(place, boxes, expected.label)
  const old = conceptOf(step)
  if (old === null) return { nothing: `Step ${step.index + 1} has no concept to unlearn.` }
  const examples = boxes.map((box) => thing(image, old, box, false))
  return { tool: step.tool, concept: old, examples }
}

/** These are what the label says; and if they were taken for something else, they are not that. */
function namedDraft({ step, image }: Place, boxes: readonly Box[], label: string): Draft {
  const concept = normaliseName(label)
  const old = conceptOf(step)
  const found = objectsOf(step.result).map(({ box }) => box)
  const taken = boxes.filter((box) => found.some((one) => iou(one, box) >= OTHER_PLACE))
  const examples = [
    ...boxes.map((box) => thing(image, concept, box, true)),
    ...(old === null || old === concept ? [] : taken.map((box) => thing(image, old, box, false))),
  ]
  return { tool: step.tool, concept, examples }
}

/** Where the things are; what was found elsewhere is none. */
function draftOfBoxes({ step, image }: Place, boxes: readonly Box[], feedback: Feedback): Draft {
  const name = feedback.expected.label ?? conceptOf(step)
  if (name === null) return { nothing: `Step ${step.index + 1} has no concept: add --label.` }
  const concept = normaliseName(name)
  const wrong = objectsOf(step.result).filter(({ box }) =>
    boxes.every((one) => iou(one, box) < OTHER_PLACE),
  )
  const examples = [
    ...boxes.map((box) => thing(image, concept, box, true)),
    ...wrong.map(({ box }) => thing(image, concept, box, false)),
  ]
  return { tool: step.tool, concept, examples }
}

function draftOfAnswer({ step, image }: Place, answer: string): Draft {
  const question = step.args.find(({ name }) => name === 'question')?.value
  if (step.tool !== 'VQA' || typeof question !== 'string') {
    return {
      nothing: `Step ${step.index + 1} (${step.tool}) answers no question: say --label or --box.`,
    }
  }
  const example: ExampleDraft = { kind: 'answer', concept: question, answer, positive: true, image }
  return { tool: 'VQA', concept: null, examples: [example] }
}

function thing(image: Image, concept: string, box: Box, positive: boolean): ExampleDraft {
  return { kind: 'thing', concept, positive, image, box }
}

/** The picture that a step looked at. */
export function pictureOf(step: CallStep): Image | undefined {
  return step.args.map(({ value }) => value).find(isImage)
}

function objectsOf(value: Value | undefined): readonly ObjectRecord[] {
  return value !== undefined && isList(value) ? value.filter(isObject) : []
}

function isWhole([x1, y1, x2, y2]: Box, { width, height }: Image): boolean {
  return x1 <= 0 && y1 <= 0 && x2 >= width && y2 >= height
}
