import { answer } from './api.ts'

type Box = readonly [x1: number, y1: number, x2: number, y2: number]

/** What of a run is corrected. Boxes are in pixels of the picture that the step saw. */
export type Target =
  | { readonly kind: 'answer' }
  | { readonly kind: 'step'; readonly index: number }
  | { readonly kind: 'region'; readonly index: number; readonly picture: string; readonly box: Box }
  | { readonly kind: 'plan' }
  | { readonly kind: 'program' }

export type Reason =
  | 'not-there'
  | 'wrong-thing'
  | 'wrong-place'
  | 'misread-text'
  | 'wrong-fact'
  | 'bad-plan'
  | 'bad-photo'

export interface CorrectionBody {
  readonly target: Target
  readonly expected: {
    readonly answer?: string
    readonly label?: string
    readonly boxes?: readonly Box[]
    readonly plan?: string
    readonly program?: string
    readonly rejected?: true
  }
  readonly reason?: Reason
  readonly comment?: string
  readonly scope?: 'this' | 'teach'
}

/** Whom reflection blames. */
export interface Blame {
  readonly location: 'plan' | 'program' | 'tool'
  /** Index of the call, from 0. */
  readonly step?: number
  readonly tool?: string
  readonly concept?: string | null
  readonly confidence: number
  readonly reason: string
}

/** An answer of the past that comes out otherwise with a lesson. */
export interface ChangedAnswer {
  readonly run: string
  readonly instruction: string
  readonly before: string
  readonly after: string
}

export interface Lesson {
  readonly id: string
  readonly version: number
  readonly tool: string
  readonly concept: string | null
  readonly status: 'applied' | 'kept-out' | 'undone' | 'superseded'
  /** The correction that it came from. */
  readonly feedback: string | null
  readonly source: string | null
  readonly author: string
  readonly examples: readonly string[]
  readonly prompts: readonly string[]
  readonly demonstrations: readonly string[]
  readonly validation: {
    readonly positives?: number
    readonly negatives?: number
    readonly recognised?: number
  } | null
  readonly effect: {
    readonly proof?: 'right' | 'wrong' | null
    readonly fixed?: readonly ChangedAnswer[]
    readonly broken?: readonly ChangedAnswer[]
    readonly changed?: readonly ChangedAnswer[]
    readonly unchanged?: number
  } | null
  readonly reason?: string
  readonly supersedes?: string
  readonly createdAt: number
}

/** Something that a lesson rests on: a part of a picture, or an answer to a question about it. */
export interface Example {
  readonly kind: 'thing' | 'face' | 'answer'
  readonly concept: string
  readonly answer?: string
  /** False: it is not that. */
  readonly positive: boolean
  /** Hash of the picture; `box` in its pixels. */
  readonly picture: string
  readonly box?: Box
}

/** An example before it is learnt from. */
export interface ShownExample extends Example {
  /** Its place; what `without` names. */
  readonly at: number
  readonly leftOut?: 'person' | 'validation'
}

/** What came of a correction. */
export interface Corrected {
  readonly feedback: { readonly id: string; readonly run: string }
  readonly retired: readonly string[]
  readonly verdict?: { readonly by: string; readonly blames: readonly Blame[] }
  readonly lesson?: Lesson
  readonly examples?: readonly ShownExample[]
  readonly nothing?: string
  readonly note?: string
}

export interface TeachChoice {
  /** Only show what would be learnt. */
  readonly preview?: boolean
  /** Apply it whatever speaks against it. */
  readonly insist?: boolean
  /** Examples to leave out, by their places in the preview. */
  readonly without?: readonly number[]
}

/** Keeps a correction and learns from it. @throws ErrorData */
export function sendCorrection(
  run: string,
  correction: CorrectionBody,
  { preview, insist, without = [] }: TeachChoice = {},
  signal?: AbortSignal,
): Promise<Corrected> {
  const body = {
    ...correction,
    ...(preview === true ? { preview } : {}),
    ...(insist === true ? { insist } : {}),
    ...(without.length > 0 ? { without } : {}),
  }
  return answer<Corrected>(post(`/v1/runs/${run}/corrections`, body, signal))
}

export function undoLesson(id: string): Promise<Lesson> {
  return answer<Lesson>(post(`/v1/lessons/${id}/undo`, {}))
}

export function redoLesson(id: string): Promise<Lesson> {
  return answer<Lesson>(post(`/v1/lessons/${id}/redo`, {}))
}

function post(address: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(address, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
}
