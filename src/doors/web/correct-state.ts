import type { RunDocument } from '../../app/index.ts'
import type { ErrorData } from '../../base/index.ts'
import type { Corrected, Reason } from './correct-api.ts'
import { correctableAs, firstSubject, firstText, thingsFound, wantedBy } from './correction.ts'
import type { Said, Subject } from './correction.ts'
import type { Box } from './draw-box.ts'
import { boxAbout, boxAt } from './draw-box.ts'
import type { Size } from './draw-box.ts'

/** A correction in the making. */
export interface CorrectState extends Said {
  readonly phase: 'closed' | 'open' | 'checking' | 'shown' | 'teaching'
  /** A box is being drawn on the picture. */
  readonly drawing: boolean
  /** What came of it so far: what would be learnt. */
  readonly came?: Corrected
  /** Examples that are not to be learnt from, by their places. */
  readonly without: readonly number[]
  readonly error?: ErrorData
}

export type CorrectAction =
  | { readonly type: 'wrong'; readonly run: RunDocument; readonly pointed: number | undefined }
  | { readonly type: 'close' }
  | { readonly type: 'aim'; readonly subject: Subject; readonly run: RunDocument }
  | { readonly type: 'write'; readonly text: string }
  | { readonly type: 'reject'; readonly rejected: boolean }
  | { readonly type: 'why'; readonly reason: Reason; readonly run: RunDocument }
  | { readonly type: 'draw'; readonly drawing: boolean }
  | { readonly type: 'drew'; readonly box: Box }
  | {
      readonly type: 'tapped'
      readonly at: { readonly x: number; readonly y: number }
      readonly size: Size
      readonly run: RunDocument
    }
  | { readonly type: 'check' }
  | { readonly type: 'checked'; readonly came: Corrected }
  | { readonly type: 'refused'; readonly error: ErrorData }
  | { readonly type: 'tick'; readonly example: number }
  | { readonly type: 'teach' }

export const noCorrection: CorrectState = {
  ...{ phase: 'closed', subject: { kind: 'answer' }, text: '', rejected: false, reason: undefined },
  ...{ drawing: false, without: [], came: undefined, error: undefined },
}

/** What is known of the correction after something happened; pure. */
export function correctReducer(state: CorrectState, action: CorrectAction): CorrectState {
  switch (action.type) {
    case 'wrong': {
      const subject = firstSubject(action.run, action.pointed)
      return { ...noCorrection, phase: 'open', ...aimedAt(subject, action.run) }
    }
    case 'close':
      return noCorrection
    case 'aim': {
      const { reason } = state
      return { ...noCorrection, phase: 'open', reason, ...aimedAt(action.subject, action.run) }
    }
    case 'write':
      return { ...open(state), text: action.text, rejected: false }
    case 'reject':
      return { ...open(state), rejected: action.rejected }
    case 'why':
      return why(state, action.reason, action.run)
    case 'draw':
      return { ...open(state), drawing: action.drawing }
    case 'drew':
      return drew(state, action.box)
    case 'tapped':
      return tapped(state, action)
    case 'check':
      return { ...open(state), phase: 'checking', drawing: false }
    case 'checked':
      return { ...state, phase: 'shown', came: action.came }
    case 'refused':
      return { ...state, phase: state.came === undefined ? 'open' : 'shown', error: action.error }
    case 'tick': {
      const { example } = action
      const isOut = state.without.includes(example)
      const without = isOut
        ? state.without.filter((one) => one !== example)
        : [...state.without, example]
      return { ...state, without: without.sort((a, b) => a - b) }
    }
    case 'teach':
      return { ...state, phase: 'teaching', error: undefined }
    default:
      return action satisfies never
  }
}

/** What was shown no longer fits what is said. */
function open(state: CorrectState): CorrectState {
  return { ...state, phase: 'open', came: undefined, without: [], error: undefined }
}

function aimedAt(subject: Subject, run: RunDocument): Pick<CorrectState, 'subject' | 'text'> {
  const found = foundAt(subject, run)
  return { subject, text: found ?? firstText(subject, run) }
}

/** The name that a found thing has now. */
function foundAt(subject: Subject, run: RunDocument): string | undefined {
  if (subject.kind !== 'thing' || subject.drawn) return undefined
  const step = run.steps.find(({ index }) => index === subject.index)
  const found = step && thingsFound(step)
  const sides = subject.box.join(' ')
  return found?.find(({ box }) => box.join(' ') === sides)?.label
}

/** A reason is already most of the blame: it says what is put right. */
function why(state: CorrectState, reason: Reason, run: RunDocument): CorrectState {
  const next = { ...open(state), reason: state.reason === reason ? undefined : reason }
  if (next.reason === undefined) return next
  const { subject } = next
  const things = run.steps.findLast((step) => correctableAs(step) === 'things')
  const words = run.steps.findLast((step) => correctableAs(step) === 'words')
  const isOfThings = subject.kind === 'thing' || subject.kind === 'moved' || subject.kind === 'step'
  switch (reason) {
    case 'not-there':
      if (isOfThings) return { ...next, rejected: true }
      if (things === undefined) return next
      return { ...next, ...aimedAt({ kind: 'step', index: things.index }, run), rejected: true }
    case 'wrong-place':
      if (isOfThings) return { ...next, drawing: true }
      if (things === undefined) return next
      return { ...next, ...aimedAt({ kind: 'step', index: things.index }, run), drawing: true }
    case 'misread-text':
      if (words === undefined || subject.kind !== 'answer') return next
      return { ...next, ...aimedAt({ kind: 'step', index: words.index }, run) }
    case 'bad-plan':
      return { ...next, ...aimedAt({ kind: 'program' }, run), rejected: false }
    case 'wrong-thing':
      return { ...next, rejected: false }
    case 'wrong-fact':
    case 'bad-photo':
      return next
    default:
      return reason satisfies never
  }
}

/** A drawn box: where a found thing really is, when it was found beside; else a thing that was missed. */
function drew(state: CorrectState, box: Box): CorrectState {
  const { subject, reason } = state
  if (subject.kind === 'answer' || subject.kind === 'program') return { ...state, drawing: false }
  const next = { ...open(state), rejected: false }
  const { index } = subject
  if (subject.kind === 'moved') return { ...next, subject: { ...subject, box } }
  if (subject.kind === 'thing' && !subject.drawn && reason === 'wrong-place') {
    return { ...next, subject: { kind: 'moved', index, from: subject.box, box } }
  }
  return { ...next, subject: { kind: 'thing', index, box, drawn: true } }
}

type Tap = Extract<CorrectAction, { type: 'tapped' }>

/** A tap means the thing that was found there; where nothing was, a new one about the point. */
function tapped(state: CorrectState, { at, size, run }: Tap): CorrectState {
  const { subject } = state
  if (subject.kind === 'answer' || subject.kind === 'program') return state
  const step = run.steps.find(({ index }) => index === subject.index)
  const found = step === undefined ? [] : thingsFound(step)
  const hit =
    found[
      boxAt(
        found.map(({ box }) => box),
        at,
      ) ?? -1
    ]
  if (hit === undefined || state.reason === 'wrong-place') return drew(state, boxAbout(at, size))
  const thing: Subject = { kind: 'thing', index: subject.index, box: hit.box, drawn: false }
  return { ...open(state), subject: thing, text: hit.label || (step ? wantedBy(step) : '') }
}
