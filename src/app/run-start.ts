import type { Run, Task } from '../agents/index.ts'
import { expected, isAbort } from '../base/index.ts'
import type { Clock, Ids, ProgressNote } from '../base/index.ts'
import type { Image } from '../image/index.ts'
import type { Family } from '../program/index.ts'
import type { Config } from './config.ts'
import { chooseFamily } from './choose-family.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { runJournal } from './live-run.ts'
import type { LiveRun } from './live-run.ts'
import type { Parts } from './parts.ts'
import { familyNamed } from './program-desk.ts'
import type { ProgressHub } from './progress-hub.ts'
import type { RunOptions, RunRequest } from './pupil.ts'
import { startRecord } from './run-recorder.ts'
import type { RunShelf } from './run-shelf.ts'
import { version } from './version.ts'

export interface RunParts {
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  readonly parts: Parts
  readonly engine: Engine
  readonly hub: ProgressHub
}

/** Starts a run: reads the pictures, opens the record, lets the agent work. */
export async function startRun(
  request: RunRequest,
  options: RunOptions,
  run: RunParts,
): Promise<LiveRun> {
  const { config } = run
  const family = await familyNamed(
    request.family === 'auto' ? await chooseFamily(request, run.parts) : request.family,
  )
  const { inputs, notices } = await readInputs(request, family, { options, run })
  const task: Task = {
    ...{ agent: 'programs', family: family.name, instruction: request.instruction, inputs },
    ...(request.program === undefined ? {} : { program: request.program }),
    budget: { ...config.budget, ...options.budget },
    seed: options.seed ?? config.seed,
  }
  return launch(task, notices, { options, run })
}

export interface Launch {
  readonly options: RunOptions
  readonly run: RunParts
}

/** Reads the pictures under the names that the family gives them. */
async function readInputs(
  { pictures }: RunRequest,
  family: Family,
  { options, run }: Launch,
): Promise<{ inputs: Readonly<Record<string, Image>>; notices: readonly string[] }> {
  const names = inputNames(family, pictures.length)
  const library = await run.parts.library()
  const read = await Promise.all(
    pictures.map((picture) =>
      library.read(picture, { maxSide: family.maxSide, signal: options.signal }),
    ),
  )
  const inputs = Object.fromEntries(read.map(({ image }, index) => [names[index] ?? '', image]))
  return { inputs, notices: read.flatMap((one) => one.notices) }
}

/** IMAGE; LEFT and RIGHT; `open` takes none or more: IMAGE, IMAGE_2, IMAGE_3. */
export function inputNames(family: Family, count: number): readonly string[] {
  const names = family.inputs.map((input) => input.name)
  if (family.name === 'open') {
    return Array.from({ length: count }, (_, index) =>
      index === 0 ? 'IMAGE' : `IMAGE_${index + 1}`,
    )
  }
  if (count === names.length) return names
  const wanted =
    names.length === 1 ? 'one picture' : `${names.length} pictures (${names.join(', ')})`
  throw expected(`${wanted} for the family ${family.name}`, 'pictures', count)
}

/** Opens the record of a task and lets the engine work on it. */
export async function launch(
  task: Task,
  notices: readonly string[],
  { options, run }: Launch,
): Promise<LiveRun> {
  const { clock, ids, parts, engine, hub } = run
  const id = ids.next('run')
  const journal = runJournal()
  const control = new AbortController()
  const signal =
    options.signal === undefined
      ? control.signal
      : AbortSignal.any([control.signal, options.signal])
  const createdAt = clock.now()
  const [runs, library] = await Promise.all([parts.runs(), parts.library()])
  const record = await startRecord(
    { id, agent: task.agent, task, createdAt, version },
    { runs, library },
    (error) => control.abort(error),
  )
  const deaf = hub.hear((note: ProgressNote) => {
    journal.tell({ type: 'progress', note })
    options.progress?.(note)
  })
  const work = async (): Promise<Run> => {
    try {
      const made = await engine.run(task, {
        ...{ id, createdAt, signal, progress: hub.note },
        onStep: (step) => {
          record.step(step)
          journal.tell({ type: 'step', step })
          options.onStep?.(step)
        },
      })
      const finished: Run = { ...made, warnings: [...notices, ...made.warnings] }
      await record.finish(finished)
      journal.tell({ type: 'finish', run: finished })
      return finished
    } catch (error) {
      const stopped = isAbort(error) || signal.aborted ? (signal.reason ?? error) : error
      journal.tell({ type: 'failed', error: stopped })
      throw stopped
    } finally {
      deaf()
    }
  }
  const result = work()
  // Whoever only follows the events need not ask for the result as well.
  result.catch(() => {})
  const cancel = (reason = 'The run was stopped.'): void =>
    control.abort(new DOMException(reason, 'AbortError'))
  return { id, task, events: journal.events, kept: record.begun, result, cancel }
}

/** Runs a stored run again from its record, as a run of its own. */
export async function replayRun(
  name: string,
  options: RunOptions & { readonly from?: number },
  run: RunParts & { readonly runs: RunShelf },
): Promise<Run> {
  const old = await run.runs.load(name)
  const { from } = options
  const again = (engine: EngineOptions): Promise<Run> =>
    old.agent === 'seeking'
      ? seekAgain(old, engine, run)
      : run.engine.replay(old, from === undefined ? engine : { ...engine, from })
  if (old.agent === 'seeking' && from !== undefined) {
    throw expected('no step to begin at: a search is replayed whole', 'from', from)
  }
  const live = await launch(old.task, [], {
    options,
    run: { ...run, engine: { ...run.engine, run: (_task, engine) => again(engine) } },
  })
  return live.result
}

async function seekAgain(
  old: Run,
  engine: EngineOptions,
  { clock, parts }: RunParts,
): Promise<Run> {
  const { replaySearch } = await import('./seek-desk.ts')
  return replaySearch(old, engine, { clock, decisions: await parts.decisions() })
}
