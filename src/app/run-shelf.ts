import { expected, UserFault } from '../base/index.ts'
import type { Run } from '../agents/index.ts'
import type { RunQuery, RunStore, RunSummary, StoredRun } from '../stores/index.ts'
import type { PictureLibrary } from './picture-library.ts'

/** Stored runs of the space. */
export interface RunShelf {
  list(query?: RunQuery): Promise<readonly RunSummary[]>
  /**
   * A run by its id, the beginning of it, or `last`.
   *
   * @throws UserFault `E_NO_RUN`
   */
  get(name: string): Promise<StoredRun>
  /** The run with its pictures loaded. */
  load(name: string): Promise<Run>
  /** The visual rationale: one self-contained HTML file. */
  html(name: string): Promise<string>
  /** The way of a seeking run through the graph, as an SVG. @throws UserFault `E_ARGUMENT` for others */
  svg(name: string): Promise<string>
  remove(name: string): Promise<void>
}

export function runShelf(parts: {
  readonly runs: () => Promise<RunStore>
  readonly library: () => Promise<PictureLibrary>
  readonly html: (run: Run) => Promise<string>
}): RunShelf {
  const get = async (name: string): Promise<StoredRun> => {
    const runs = await parts.runs()
    const id = await idOf(runs, name)
    return (await runs.get(id)) ?? noRun(name)
  }
  const load = async (name: string): Promise<Run> => {
    const { unpackRun } = await import('../stores/index.ts')
    const { unfinished: _, ...run } = await get(name)
    const library = await parts.library()
    return unpackRun(run, (image) => library.load(image))
  }
  return {
    list: async (query) => (await parts.runs()).list(query),
    get,
    load,
    html: async (name) => parts.html(await load(name)),
    svg: async (name) => {
      const run = await load(name)
      if (run.agent !== 'seeking') throw expected('a seeking run', 'run', run.agent)
      const { seekPathSvg } = await import('../agents/index.ts')
      return seekPathSvg(run)
    },
    remove: async (name) => {
      const runs = await parts.runs()
      await runs.remove(await idOf(runs, name))
    },
  }
}

async function idOf(runs: RunStore, name: string): Promise<string> {
  if (name === 'last') {
    const [last] = await runs.list({ limit: 1 })
    return last?.id ?? noRun(name)
  }
  if ((await runs.get(name)) !== undefined) return name
  const start = name.startsWith('run_') ? name : `run_${name}`
  const found = await runs.complete(start)
  if (found.length === 1) return found[0] as string // length is 1
  if (found.length > 1) {
    throw new UserFault('E_NO_RUN', `"${name}" begins several runs: ${found.join(', ')}.`, {
      fields: { run: name, found },
      cure: 'Give more of the id.',
    })
  }
  return noRun(name)
}

function noRun(name: string): never {
  throw new UserFault(
    'E_NO_RUN',
    name === 'last' ? 'There are no runs yet.' : `There is no run "${name}" here.`,
    { fields: { run: name }, cure: 'List them with "pupil runs".' },
  )
}
