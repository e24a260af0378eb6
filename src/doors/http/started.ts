import type { LiveRun } from '../../app/index.ts'
import type { RouteContext } from './door.ts'
import { documentOf } from './run-events.ts'

/** The answer to who started a run: where to watch it, or the run itself once it has ended. */
export async function startedResponse(
  run: LiveRun,
  wait: boolean,
  context: RouteContext,
): Promise<Response> {
  const self = `/v1/runs/${run.id}`
  const headers = { location: self }
  if (wait) {
    await run.result
    return Response.json(await documentOf(context, run.id), { headers })
  }
  // What is acknowledged is not lost when the process dies.
  await run.kept
  const { family, instruction } = run.task
  return Response.json(
    { run: run.id, status: 'open', family, instruction, self, events: `${self}/events` },
    { status: 202, headers },
  )
}
