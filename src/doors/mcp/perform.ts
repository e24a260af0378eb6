import type { CallToolResult } from '@modelcontextprotocol/server'
import { stepDocument } from '../../app/index.ts'
import type { LiveRun, RunOptions, RunRequest } from '../../app/index.ts'
import { runResult } from './run-result.ts'
import type { ToolCall } from './tool-entry.ts'

/** Runs a task to its end, tells each step on the way, and gives its result. */
export async function perform(
  request: RunRequest,
  call: ToolCall,
  options: RunOptions & { readonly skill?: boolean } = {},
): Promise<CallToolResult> {
  const { skill = false, ...run } = options
  const live = await call.pupil.start(request, { ...run, signal: call.signal })
  return follow(live, call, { skill })
}

/** Tells each step of a run as it ends, and gives its result. */
export async function follow(
  live: LiveRun,
  { pupil, signal, tell }: ToolCall,
  { skill = false }: { readonly skill?: boolean } = {},
): Promise<CallToolResult> {
  for await (const event of live.events(0, { signal })) {
    if (event.type === 'progress') tell(event.note.task)
    if (event.type !== 'step') continue
    const step = stepDocument(event.step, live.task.inputs)
    tell(step === undefined ? event.step.kind : `${step.output} = ${step.tool}`)
  }
  await live.result
  return runResult(live.id, pupil, { skill })
}
