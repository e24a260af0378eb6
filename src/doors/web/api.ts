import type { RunDocument, StepDocument } from '../../app/index.ts'
import type { ErrorData, ProgressNote } from '../../base/index.ts'
import type { Mode } from './page-state.ts'

/** What the stream of a run tells. */
export type StreamPart =
  | { readonly type: 'plan'; readonly plan: string }
  | { readonly type: 'program'; readonly program: string }
  | { readonly type: 'step'; readonly step: StepDocument }
  | { readonly type: 'progress'; readonly note: ProgressNote }
  | { readonly type: 'finish'; readonly run: RunDocument }
  | { readonly type: 'failed'; readonly error: ErrorData }
  | { readonly type: 'lost' }

export interface RunRow {
  readonly id: string
  readonly family: string
  readonly instruction: string
  readonly status: string
  readonly answer: string | null
  readonly createdAt: number
}

const FAMILIES: Readonly<Record<TaskMode, string>> = {
  auto: 'auto',
  ask: 'gqa',
  compare: 'nlvr',
  edit: 'imgedit',
  tag: 'tagging',
}

/** What runs a program; a search is asked for by itself. */
export type TaskMode = Exclude<Mode, 'seek'>

/** Starts a run. @returns its id; rejects with `ErrorData` */
export async function startRun(
  pictures: readonly File[],
  instruction: string,
  mode: TaskMode,
): Promise<string> {
  const body = taskForm(pictures, instruction, mode)
  const made = await answer<{ run: string }>(fetch('/v1/runs', { method: 'POST', body }))
  return made.run
}

/** Runs an instruction on one picture to its end. @throws ErrorData */
export function askAndWait(
  picture: File,
  instruction: string,
  mode: TaskMode,
): Promise<RunDocument> {
  const body = taskForm([picture], instruction, mode)
  return answer<RunDocument>(fetch('/v1/runs?wait', { method: 'POST', body }))
}

/** Starts a search for what is known about what a picture shows. @returns its id; rejects with `ErrorData` */
export async function startSeek(
  picture: File,
  question: string,
  offline: boolean,
): Promise<string> {
  const base64 = await base64Of(picture)
  const body = JSON.stringify({ picture: { base64, name: picture.name }, question, offline })
  const headers = { 'content-type': 'application/json' }
  const made = await answer<{ run: string }>(fetch('/v1/seek', { method: 'POST', headers, body }))
  return made.run
}

/** A file's bytes as base 64. */
export function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const address = String(reader.result)
      resolve(address.slice(address.indexOf(',') + 1))
    })
    reader.addEventListener('error', () => reject(unreadable(reader.error?.message)))
    reader.readAsDataURL(file)
  })
}

function unreadable(why = ''): ErrorData {
  return {
    ...{ kind: 'UserFault', code: 'E_PICTURE', message: `The picture cannot be read: ${why}` },
    fields: {},
  }
}

function taskForm(pictures: readonly File[], instruction: string, mode: TaskMode): FormData {
  const form = new FormData()
  for (const picture of pictures) form.append('picture', picture)
  form.set('instruction', instruction)
  form.set('family', FAMILIES[mode])
  return form
}

export function readRun(id: string): Promise<RunDocument> {
  return answer<RunDocument>(fetch(`/v1/runs/${id}`))
}

export interface RunPage {
  readonly runs: readonly RunRow[]
  /** Address of the following page; absent on the last. */
  readonly next?: string
}

export function readRuns(address = '/v1/runs?limit=50'): Promise<RunPage> {
  return answer<RunPage>(fetch(address))
}

export async function cancelRun(id: string): Promise<void> {
  await answer(fetch(`/v1/runs/${id}/cancel`, { method: 'POST' }))
}

/** What the API gave. @throws ErrorData for anything but success */
export async function answer<T>(request: Promise<Response>): Promise<T> {
  let response: Response
  try {
    response = await request
  } catch {
    throw unreachable()
  }
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>
  if (response.ok) return body as T
  throw problemData(body, response.status)
}

/** A problem object of the API as `ErrorData`. */
export function problemData(body: Readonly<Record<string, unknown>>, status: number): ErrorData {
  const { detail, code, cure, kind, fields } = body
  return {
    kind: (kind as ErrorData['kind']) ?? 'Bug',
    code: String(code ?? `HTTP ${status}`),
    message: String(detail ?? `The server answered ${status}.`),
    fields: (fields as ErrorData['fields']) ?? {},
    ...(typeof cure === 'string' ? { cure } : {}),
  }
}

function unreachable(): ErrorData {
  return {
    kind: 'Unavailable',
    code: 'E_SERVER',
    message: 'Pupil does not answer.',
    fields: {},
    cure: 'Is "pupil start" still running?',
  }
}

/**
 * Listens to a run until it ends. The browser comes back by itself after a break, from the last event on.
 *
 * @returns hangs up
 */
export function listen(id: string, tell: (part: StreamPart) => void): () => void {
  const source = new EventSource(`/v1/runs/${id}/events`)
  const on = <T>(name: string, part: (data: T) => StreamPart): void => {
    source.addEventListener(name, (event) =>
      tell(part(JSON.parse((event as MessageEvent<string>).data) as T)),
    )
  }
  on<{ plan: string }>('plan', ({ plan }) => ({ type: 'plan', plan }))
  on<{ program: string }>('program', ({ program }) => ({ type: 'program', program }))
  on<StepDocument>('step', (step) => ({ type: 'step', step }))
  on<ProgressNote>('progress', (note) => ({ type: 'progress', note }))
  on<RunDocument>('finish', (run) => ({ type: 'finish', run }))
  on<{ error: ErrorData }>('failed', ({ error }) => ({ type: 'failed', error }))
  source.addEventListener('finish', () => source.close())
  source.addEventListener('failed', () => source.close())
  source.addEventListener('error', () => tell({ type: 'lost' }))
  return () => source.close()
}

/** Address of a kept picture. */
export function pictureAddress(hash: string, side?: number): string {
  return `/v1/blobs/${hash}${side === undefined ? '' : `?side=${side}`}`
}
