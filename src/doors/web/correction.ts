import type { ImageDocument, RunDocument, StepDocument } from '../../app/index.ts'
import type { CorrectionBody, Reason, Target } from './correct-api.ts'
import type { Box } from './draw-box.ts'
import { stepRegions } from './regions.ts'
import type { Region } from './regions.ts'

/** What a person is putting right; boxes in pixels of the original picture. */
export type Subject =
  | { readonly kind: 'answer' }
  /** A step as a whole: the text that it gave, or everything that it found. */
  | { readonly kind: 'step'; readonly index: number }
  /** A thing that was found, or one that was missed and is drawn. */
  | { readonly kind: 'thing'; readonly index: number; readonly box: Box; readonly drawn: boolean }
  /** A thing that was found beside where it is. */
  | { readonly kind: 'moved'; readonly index: number; readonly from: Box; readonly box: Box }
  | { readonly kind: 'program' }

/** What is said about a subject. */
export interface Said {
  readonly subject: Subject
  /** The right answer, label or program. */
  readonly text: string
  /** It is not there. */
  readonly rejected: boolean
  readonly reason: Reason | undefined
}

/** How a step can be put right: what it found, or what it said; undefined when neither. */
export function correctableAs(step: StepDocument): 'things' | 'words' | undefined {
  if (step.error !== undefined || stepPicture(step) === undefined) return undefined
  if (step.tool === 'VQA' && typeof step.result === 'string') return 'words'
  const { result } = step
  const isThings = Array.isArray(result)
    ? result.every((one) => typeof one === 'object' && one !== null && 'label' in one)
    : typeof result === 'object' && result !== null && 'label' in result
  return isThings ? 'things' : undefined
}

/** The picture that a step looked at. */
export function stepPicture(step: StepDocument): ImageDocument | undefined {
  return Object.values(step.args).find(
    (value): value is ImageDocument =>
      typeof value === 'object' && value !== null && 'image' in value,
  )
}

/** What a step found, in the order in which it is drawn. */
export function thingsFound(step: StepDocument): readonly Region[] {
  return stepRegions(step).filter(({ kind }) => kind === 'found')
}

/** What a step looked for, as the first guess of a label. */
export function wantedBy(step: StepDocument): string {
  const asked = Object.entries(step.args).find(
    ([name, value]) => name !== 'image' && typeof value === 'string',
  )
  return typeof asked?.[1] === 'string' ? asked[1] : ''
}

/**
 * A box of the original in the pixels that a step saw; cut off at the picture's border.
 *
 * The step's picture may be smaller than the original and show a part of it.
 */
export function toStepPixels(box: Box, { box: part, width, height }: ImageDocument): Box {
  const [left, top, right, bottom] = part
  const x = (value: number): number => scaled(value - left, width / (right - left), width)
  const y = (value: number): number => scaled(value - top, height / (bottom - top), height)
  return [x(box[0]), y(box[1]), x(box[2]), y(box[3])]
}

function scaled(value: number, by: number, most: number): number {
  return Math.min(most, Math.max(0, Math.round(value * by)))
}

/** The subject that is likely meant when a run is called wrong. */
export function firstSubject(run: RunDocument, pointed: number | undefined): Subject {
  if (run.answer !== undefined) return { kind: 'answer' }
  const at = run.steps[pointed ?? -1]
  if (at !== undefined && correctableAs(at) !== undefined) return { kind: 'step', index: at.index }
  const found = run.steps.findLast((step) => correctableAs(step) === 'things')
  return found === undefined ? { kind: 'program' } : { kind: 'step', index: found.index }
}

/** The text that a subject begins with. */
export function firstText(subject: Subject, run: RunDocument): string {
  if (subject.kind === 'program') return run.program
  if (subject.kind === 'answer') return OPPOSITE[run.answer ?? ''] ?? ''
  const step = run.steps.find(({ index }) => index === subject.index)
  if (step === undefined || correctableAs(step) === 'words') return ''
  return wantedBy(step)
}

/** What is right when one of two is wrong. */
const OPPOSITE: Readonly<Record<string, string>> = {
  ...{ yes: 'no', no: 'yes', true: 'false', false: 'true' },
}

/** Why nothing can be sent yet, or undefined when it can. */
export function isMissing({ subject, text, rejected }: Said): 'text' | 'box' | undefined {
  if (rejected) return undefined
  if (subject.kind === 'step' && text.trim() === '') return 'box'
  return text.trim() === '' ? 'text' : undefined
}

/** What the API is told. */
export function correctionBody(said: Said, run: RunDocument): CorrectionBody {
  const { reason } = said
  const why = reason === undefined ? {} : { reason }
  // A bad photograph is set right and never learnt from.
  return { ...aimed(said, run), ...why, ...(reason === 'bad-photo' ? { scope: 'this' } : {}) }
}

function aimed({ subject, text, rejected }: Said, run: RunDocument): CorrectionBody {
  const words = text.trim()
  switch (subject.kind) {
    case 'answer':
      return { target: subject, expected: { answer: words } }
    case 'program':
      return { target: subject, expected: { program: text } }
    case 'step': {
      const step = run.steps.find(({ index }) => index === subject.index)
      const isWords = step !== undefined && correctableAs(step) === 'words'
      const said = isWords ? { answer: words } : { label: words }
      return { target: subject, expected: rejected ? { rejected: true } : said }
    }
    case 'thing': {
      const target = regionOf(subject.index, subject.box, run)
      return { target, expected: rejected ? { rejected: true } : { label: words } }
    }
    case 'moved': {
      const step = run.steps.find(({ index }) => index === subject.index)
      const picture = step && stepPicture(step)
      const others = step === undefined ? [] : thingsFound(step).map(({ box }) => box)
      const boxes = [...others.filter((box) => !isSame(box, subject.from)), subject.box]
      const seen = picture === undefined ? boxes : boxes.map((box) => toStepPixels(box, picture))
      return {
        target: { kind: 'step', index: subject.index },
        expected: { boxes: seen, ...(words === '' ? {} : { label: words }) },
      }
    }
    default:
      return subject satisfies never
  }
}

function regionOf(index: number, box: Box, run: RunDocument): Target {
  const step = run.steps.find((one) => one.index === index)
  const picture = step && stepPicture(step)
  if (picture === undefined) return { kind: 'step', index }
  return { kind: 'region', index, picture: picture.image, box: toStepPixels(box, picture) }
}

/** True for two boxes with the same sides. */
export function isSame(a: Box, b: Box): boolean {
  return a.every((side, index) => side === b[index])
}

/** What is said where nothing is learnt, without the options of the command line that it names. */
export function withoutOptions(text: string): string {
  return text.replace(/: (?:give|say|add) [^:]*--.*$/s, '.')
}
