import { runDocument, stepDocument } from '../../../app/index.ts'
import type { LiveRun, RunEvent, StepDocument } from '../../../app/index.ts'
import { errorData, errorLine } from '../../../base/index.ts'
import type { RouteContext } from '../door.ts'
import { safeMarkdown } from '../safe-markdown.ts'

/** A chunk of the AI SDK's UI message stream; `type` says which. */
export type Chunk = Readonly<Record<string, unknown>> & { readonly type: string }

const place = (hash: string): string => `/v1/blobs/${hash}`

/** A run as a message that grows: its plan, a tool part for each step, regions, the picture, the answer. */
export async function* messageChunks(
  run: LiveRun,
  context: RouteContext,
  signal: AbortSignal,
): AsyncIterable<Chunk> {
  const { family } = run.task
  yield { type: 'start', messageId: `msg_${run.id}`, messageMetadata: { run: run.id, family } }
  yield { type: 'start-step' }
  for await (const event of run.events(0, { signal })) yield* eventChunks(event, run)
  if (signal.aborted) return
  await run.result
  yield* endChunks(run, context)
}

function eventChunks(event: RunEvent, run: LiveRun): readonly Chunk[] {
  if (event.type === 'progress') {
    return [{ type: 'data-progress', transient: true, data: event.note }]
  }
  if (event.type !== 'step') return []
  const { step } = event
  switch (step.kind) {
    case 'plan':
      return [{ type: 'data-plan', id: 'plan', data: { plan: step.plan, by: step.by } }]
    case 'program': {
      const { program, by, confidence, attempt } = step
      return [
        {
          ...{ type: 'data-program', id: 'program' },
          data: { program, by, confidence, attempts: attempt + 1 },
        },
      ]
    }
    case 'reflect':
      return [{ type: 'data-reflection', data: { by: step.by, verdict: step.verdict } }]
    case 'reply':
    case 'decide':
    case 'reason':
      return [{ type: `data-${step.kind}`, data: told(step) }]
    case 'call': {
      const call = stepDocument(step, run.task.inputs)
      return call === undefined ? [] : callChunks(call, `${run.id}:${event.id}`)
    }
    default:
      return step satisfies never
  }
}

/** A step without the requests to language models behind it. */
function told<T extends { readonly calls: unknown }>({ calls: _, ...rest }: T): Omit<T, 'calls'> {
  return rest
}

function callChunks(call: StepDocument, toolCallId: string): readonly Chunk[] {
  const { tool: toolName, args: input, result: output, error, index, ms, score } = call
  const common = { toolCallId, providerExecuted: true }
  const regions = regionsOf(output)
  return [
    { type: 'tool-input-available', toolName, input, ...common },
    error === undefined
      ? { type: 'tool-output-available', output: output ?? null, ...common }
      : { type: 'tool-output-error', errorText: errorLine(error), ...common },
    ...(regions.length === 0
      ? []
      : [{ type: 'data-regions', id: toolCallId, data: { step: index, ms, score, regions } }]),
  ]
}

/** The things in a step's result that lie somewhere. */
function regionsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(regionsOf)
  return typeof (value as { label?: unknown } | null)?.label === 'string' ? [value] : []
}

async function* endChunks(run: LiveRun, { pupil }: RouteContext): AsyncIterable<Chunk> {
  const document = runDocument(await pupil.runs.get(run.id), { place })
  const { answer, image, tags, error, costs, models, warnings, fallback } = document
  if (tags !== undefined) {
    yield { type: 'data-regions', id: `${run.id}:tags`, data: { regions: tags } }
  }
  if (image !== undefined) yield { type: 'file', url: image, mediaType: 'image/png' }
  const text = answer ?? (image === undefined || error !== undefined ? undefined : wordsFor(tags))
  if (text !== undefined) {
    const id = `${run.id}:answer`
    yield { type: 'text-start', id }
    yield { type: 'text-delta', id, delta: safeMarkdown(text) }
    yield { type: 'text-end', id }
  }
  if (error !== undefined) yield { type: 'error', errorText: errorLine(error) }
  yield { type: 'finish-step' }
  yield {
    ...{ type: 'finish', finishReason: error === undefined ? 'stop' : 'error' },
    messageMetadata: {
      ...{ run: run.id, family: run.task.family, address: `/v1/runs/${run.id}` },
      ...{ cost: costs, models, warnings, fallback, ...(error === undefined ? {} : { error }) },
    },
  }
}

function wordsFor(tags: readonly unknown[] | undefined): string {
  return tags === undefined ? 'Here is the picture.' : `Found ${tags.length}.`
}

/** What is said when the run could not be written down. */
export function failedChunk(error: unknown): Chunk {
  return { type: 'error', errorText: errorLine(errorData(error)) }
}
