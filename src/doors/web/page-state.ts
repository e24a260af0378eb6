import type { RunDocument, StepDocument } from '../../app/index.ts'
import type { ErrorData } from '../../base/index.ts'
import type { StreamPart } from './api.ts'
import { stepRegions } from './regions.ts'
import { words } from './words.ts'

export type Mode = 'auto' | 'ask' | 'compare' | 'edit' | 'tag' | 'seek'

/** A picture that the person has chosen, or one of a stored run. */
export interface Chosen {
  readonly name: string
  /** Where the browser shows it from. */
  readonly address: string
  /** The file itself; absent for pictures of a stored run. */
  readonly file?: File
}

/** Everything the page knows. */
export interface PageState {
  readonly mode: Mode
  /** A search asks nothing elsewhere. */
  readonly offline: boolean
  readonly instruction: string
  /** One, or two to compare. */
  readonly pictures: readonly Chosen[]
  readonly phase: 'idle' | 'sending' | 'running' | 'done'
  readonly run?: string
  readonly program: string
  readonly steps: readonly StepDocument[]
  readonly document?: RunDocument
  readonly error?: ErrorData
  /** What is going on, in words, for the status line. */
  readonly status: string
  /** Index in `steps` of the one that is pointed at. */
  readonly pointed?: number
  /** Shows the picture as it was, instead of the result. */
  readonly before: boolean
}

export type PageAction =
  | { readonly type: 'choose'; readonly pictures: readonly Chosen[] }
  | { readonly type: 'add'; readonly picture: Chosen }
  | { readonly type: 'remove'; readonly index: number }
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'offline'; readonly offline: boolean }
  | { readonly type: 'write'; readonly instruction: string }
  | { readonly type: 'send' }
  | { readonly type: 'sent'; readonly run: string }
  | { readonly type: 'refused'; readonly error: ErrorData }
  | { readonly type: 'stream'; readonly part: StreamPart }
  | { readonly type: 'open'; readonly run: RunDocument; readonly pictures: readonly Chosen[] }
  | { readonly type: 'point'; readonly step?: number }
  | { readonly type: 'before'; readonly before: boolean }

const CLEAN: Omit<PageState, 'mode' | 'offline' | 'instruction' | 'pictures'> = {
  ...{ phase: 'idle', program: '', steps: [], status: '', before: false },
  ...{ run: undefined, document: undefined, error: undefined, pointed: undefined },
}

export const firstState: PageState = {
  ...{ ...CLEAN, mode: 'auto', offline: true, instruction: '', pictures: [] },
}

/** What the page knows after something happened; pure. */
export function pageReducer(state: PageState, action: PageAction): PageState {
  switch (action.type) {
    case 'choose':
      return { ...state, ...CLEAN, pictures: action.pictures.slice(0, 2) }
    case 'add':
      return { ...state, ...CLEAN, pictures: [...state.pictures, action.picture].slice(-2) }
    case 'remove': {
      const pictures = state.pictures.filter((_, index) => index !== action.index)
      return { ...state, ...CLEAN, pictures }
    }
    case 'mode':
      return { ...state, mode: action.mode }
    case 'offline':
      return { ...state, offline: action.offline }
    case 'write':
      return { ...state, instruction: action.instruction }
    case 'send':
      return { ...state, ...CLEAN, phase: 'sending', status: words.reading }
    case 'sent':
      return { ...state, phase: 'running', run: action.run, status: words.planning }
    case 'refused':
      return { ...state, phase: 'done', status: '', error: action.error }
    case 'stream':
      return stream(state, action.part)
    case 'open': {
      const { instruction, agent } = action.run
      // Asked again, it is asked in the same way.
      const mode = agent === 'seeking' ? 'seek' : state.mode === 'seek' ? 'auto' : state.mode
      const { pictures } = action
      return finished({ ...state, ...CLEAN, mode, instruction, pictures }, action.run)
    }
    case 'point':
      return { ...state, pointed: action.step }
    case 'before':
      return { ...state, before: action.before }
    default:
      return action satisfies never
  }
}

function stream(state: PageState, part: StreamPart): PageState {
  switch (part.type) {
    case 'plan':
      return { ...state, status: words.planning }
    case 'program':
      return { ...state, program: part.program, status: words.working }
    case 'step': {
      // After a break a step may come twice.
      const others = state.steps.filter((one) => one.index !== part.step.index)
      const steps = [...others, part.step].sort((a, b) => a.index - b.index)
      const pointed = stepRegions(part.step).length > 0 ? steps.indexOf(part.step) : state.pointed
      return { ...state, steps, pointed, status: words.working }
    }
    case 'progress':
      return { ...state, status: `${part.note.task} …` }
    case 'lost':
      return state.phase === 'done' ? state : { ...state, status: words.lost }
    case 'finish':
      return finished(state, part.run)
    case 'failed':
      return { ...state, phase: 'done', status: '', error: part.error }
    default:
      return part satisfies never
  }
}

function finished(state: PageState, run: RunDocument): PageState {
  const { steps, program, error } = run
  // What the answer rests on: the last step that found something, or that at least looked somewhere.
  const shows = steps.map((step) => stepRegions(step))
  const found = shows.findLastIndex((regions) => regions.some((one) => one.kind === 'found'))
  const last = found === -1 ? shows.findLastIndex((regions) => regions.length > 0) : found
  const pointed = run.image !== undefined || last === -1 ? undefined : last
  return {
    ...state,
    ...{ phase: 'done', run: run.run, document: run, steps, program, status: '', error, pointed },
  }
}

/** Why the button does nothing yet, or undefined when it may be pressed. */
export function cannotSend({ pictures, mode, instruction }: PageState): string | undefined {
  if (pictures.length === 0) return words.noPicture
  if (mode === 'compare' && pictures.length < 2) return words.noSecond
  return instruction.trim() === '' ? words.noInstruction : undefined
}
