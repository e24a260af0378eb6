import { runDocument, stepDocument } from '../../app/index.ts'
import type { LiveRun, RunDocument, RunEvent } from '../../app/index.ts'
import { errorData, UserFault } from '../../base/index.ts'
import type { RouteContext } from './door.ts'
import type { SseEvent } from './sse.ts'

const place = (hash: string): string => `/v1/blobs/${hash}`

/** A stored run for the world outside. @throws UserFault `E_NO_RUN` */
export async function documentOf({ pupil }: RouteContext, id: string): Promise<RunDocument> {
  return runDocument(await pupil.runs.get(id), { place, masks: true })
}

/** The event after which a listener comes back. @throws UserFault `E_ARGUMENT` */
export function resumeFrom(text: string | undefined): number {
  if (text === undefined || text === '') return 0
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0) return value
  throw new UserFault('E_ARGUMENT', `Expected a whole number for Last-Event-ID but got "${text}".`)
}

/** A run as it goes on. */
export async function* liveEvents(
  context: RouteContext,
  run: LiveRun,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): AsyncIterable<SseEvent> {
  for await (const event of run.events(after, { signal })) yield* await toSse(context, run, event)
}

async function toSse(
  context: RouteContext,
  run: LiveRun,
  event: RunEvent,
): Promise<readonly SseEvent[]> {
  const { id } = event
  switch (event.type) {
    case 'step':
      return [stepEvent(event.step, run.task.inputs, id)]
    case 'progress':
      return [{ event: 'progress', data: event.note }]
    case 'finish':
      return [{ event: 'finish', id, data: await documentOf(context, run.id) }]
    case 'failed':
      return [{ event: 'failed', id, data: { error: errorData(event.error) } }]
    default:
      return event satisfies never
  }
}

/** A run of the past tells the same story, all at once. */
export async function* pastEvents(
  context: RouteContext,
  id: string,
  after: number,
): AsyncIterable<SseEvent> {
  const run = await context.pupil.runs.get(id)
  for (const [index, step] of run.steps.entries()) {
    if (index + 1 > after) yield stepEvent(step, run.task.inputs, index + 1)
  }
  yield { event: 'finish', id: run.steps.length + 1, data: await documentOf(context, id) }
}

type StepArgs = Parameters<typeof stepDocument>

function stepEvent(step: StepArgs[0], inputs: StepArgs[1], id: number): SseEvent {
  const call = stepDocument(step, inputs, { masks: true })
  if (call !== undefined) return { event: 'step', id, data: call }
  if (step.kind === 'program') {
    const { program, by, confidence, attempt } = step
    return { event: 'program', id, data: { program, by, confidence, attempts: attempt + 1 } }
  }
  if (step.kind === 'plan') return { event: 'plan', id, data: { plan: step.plan, by: step.by } }
  return { event: step.kind, id, data: plainFields(step) }
}

/** What of a decision or a reading is words and numbers; the rest stands in the run's document. */
function plainFields(step: object): Readonly<Record<string, unknown>> {
  const plain = Object.entries(step).filter(([name, value]) => {
    if (name === 'kind') return false
    if (Array.isArray(value)) return value.every((one) => typeof one === 'string')
    return ['string', 'number', 'boolean'].includes(typeof value)
  })
  return Object.fromEntries(plain)
}
